/** The content-types that every project has: files, users and roles. */
import type { SchemaSource } from '../project/source.ts'
import { FILE, ROLE, USER } from './model.ts'

const string = { type: 'string' }
const text = { type: 'text' }
const integer = { type: 'integer' }
const json = { type: 'json' }

const file = {
  collectionName: 'octavo_files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  options: {
    indexes: [['folderPath'], ['folderPath', 'name'], ['folderPath', 'size'], ['name'], ['size'], ['hash']],
    search: ['name', 'alternativeText', 'caption'],
  },
  attributes: {
    name: { type: 'string', required: true },
    alternativeText: text,
    caption: text,
    focalPoint: json,
    width: integer,
    height: integer,
    formats: json,
    hash: { type: 'string', required: true, maxLength: 255 },
    ext: string,
    mime: { type: 'string', required: true },
    size: { type: 'decimal', required: true },
    url: { type: 'text', required: true },
    previewUrl: text,
    provider: { type: 'string', required: true },
    provider_metadata: json,
    folderPath: { type: 'string', private: true, maxLength: 400 },
    // The part of the original image that is shown, and the storage key of that original.
    crop: { type: 'json', private: true },
    original: { type: 'string', private: true },
  },
}

const user = {
  collectionName: 'octavo_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  attributes: {
    username: { type: 'string', minLength: 3, unique: true, required: true },
    email: { type: 'email', minLength: 6, unique: true, required: true },
    provider: { type: 'string', default: 'local' },
    password: { type: 'password', private: true },
    confirmed: { type: 'boolean', default: false },
    blocked: { type: 'boolean', default: false },
    role: { type: 'relation', relation: 'manyToOne', target: ROLE, inversedBy: 'users' },
  },
}

const role = {
  collectionName: 'octavo_roles',
  info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
  attributes: {
    name: { type: 'string', minLength: 3, required: true },
    description: string,
    type: { type: 'string', unique: true },
    users: { type: 'relation', relation: 'oneToMany', target: USER, mappedBy: 'role' },
  },
}

const builtIn = (uid: string, schema: unknown): SchemaSource => ({
  kind: 'type',
  uid,
  file: `(built in) ${uid}`,
  schema,
})

/** In the same form as the schemas of a project. */
export const builtInSources: readonly SchemaSource[] = [
  builtIn(FILE, file),
  builtIn(USER, user),
  builtIn(ROLE, role),
]

export const isBuiltIn = (uid: string) => builtInSources.some((source) => source.uid === uid)

/** The schema files of the project that an export comes from, as far as the export knows them. */
import type { Fields } from '../../documents/transfer/archive-line.ts'
import { builtInSources } from '../../model/built-in-types.ts'
import { USER } from '../../model/model.ts'
import { extensionFile, type SchemaSource, schemaFile } from '../../project/source.ts'
import { isObject, type Values } from '../../project/values.ts'

/** What Strapi adds to every content-type; schema files do not have them. */
const ADDED: readonly string[] = [
  ...['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations'],
]

/** Attributes of users that hold codes, which are not imported. */
const CODES: readonly string[] = ['resetPasswordToken', 'confirmationToken', 'permissions']

/** Content-types of Strapi itself; they have a counterpart here or none at all. */
export const OF_STRAPI =
  /^(admin::|strapi::|plugin::(upload|i18n|users-permissions|content-releases|review-workflows|email|content-manager|content-type-builder)\.)/

/** The schema files that describe the content of an export. */
export function schemaSources(schemas: ReadonlyMap<string, Fields>): SchemaSource[] {
  return [...schemas].flatMap(([uid, schema]): SchemaSource[] => {
    if (uid === USER) return userExtension(schema)
    if (OF_STRAPI.test(uid)) return []
    if (uid.startsWith('plugin::'))
      return [{ kind: 'type', uid, file: extensionFile(uid), schema: fileOf(schema) }]
    if (uid.startsWith('api::'))
      return [{ kind: 'type', uid, file: schemaFile('type', uid), schema: fileOf(schema) }]
    if (uid.includes('::')) return []
    return [{ kind: 'component', uid, file: schemaFile('component', uid), schema: fileOf(schema) }]
  })
}

function fileOf(schema: Fields): Values {
  const { kind, collectionName, info, options, pluginOptions, attributes, modelType } = schema
  return {
    ...(modelType !== 'component' && typeof kind === 'string' && { kind }),
    ...(typeof collectionName === 'string' && { collectionName }),
    ...(isObject(info) && { info }),
    options: isObject(options) ? options : {},
    ...(isObject(pluginOptions) && { pluginOptions }),
    attributes: without(isObject(attributes) ? attributes : {}, ADDED),
  }
}

/** Attributes that the project has added to users. */
function userExtension(schema: Fields): SchemaSource[] {
  const builtIn = builtInSources.find(({ uid }) => uid === USER)?.schema
  const known = isObject(builtIn) && isObject(builtIn.attributes) ? Object.keys(builtIn.attributes) : []
  const all = isObject(schema.attributes) ? schema.attributes : {}
  const attributes = without(all, [...ADDED, ...CODES, ...known])
  if (Object.keys(attributes).length === 0) return []
  return [
    {
      kind: 'extension',
      uid: USER,
      file: extensionFile(USER),
      schema: { ...fileOf(schema), attributes },
    },
  ]
}

const without = (attributes: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)))

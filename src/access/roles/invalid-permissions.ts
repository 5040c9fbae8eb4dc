/**
 * What permissions say and the model cannot follow: content-types, actions and attributes that are not there, and
 * filters that compare what cannot be compared. Whoever grants those means something else.
 */
import type { FieldProblem } from '../../errors.ts'
import type { Project } from '../../model/load-project.ts'
import type { ContentType, Model } from '../../model/model.ts'
import type { Permission } from '../../project/config/config.ts'
import type { ProjectProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import { filtersProblem } from '../../query/create-parse-context.ts'
import type { Bounds } from '../../query/params.ts'
import { filledFilters, type Permissions } from './permissions.ts'
import { configuredTypes } from './roles.ts'
import type { StoredPermissions } from './stored-permissions.ts'

interface Misfit {
  readonly type: string
  readonly action: string
  readonly message: string
}

/** Every action that a request asks for, by all of its names. */
const ACTIONS = [
  ...['find', 'findOne', 'create', 'update', 'delete', 'publish', 'unpublish', 'discard', 'readDrafts'],
  ...['upload', 'destroy'],
]

/** What every document has beside its attributes; naming it in `fields` changes nothing. */
const EVERYWHERE = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations']

/** Stands for whoever calls: of the right type wherever the caller's own values are. */
const ANYBODY = {
  id: 1,
  documentId: 'anybody',
  username: 'anybody',
  email: 'anybody@example.com',
  role: 'any',
}

/** What does not fit in permissions for content-types that are there. */
const misfitsIn = (model: Model, bounds: Bounds, permissions: Permissions): Misfit[] =>
  Object.entries(permissions).flatMap(([uid, list]) => {
    const type = model.types.get(uid)
    return type ? list.flatMap((permission) => misfitsOf(model, bounds, type, permission)) : []
  })

/** The same with content-types that are not there, for whoever has sent the permissions. Plugins have other types. */
export const permissionProblems = (
  model: Model,
  bounds: Bounds,
  permissions: Permissions,
): FieldProblem[] => [
  ...Object.keys(permissions)
    .filter((uid) => !model.types.has(uid) && !uid.startsWith('plugin::'))
    .map((uid) => ({
      path: ['permissions', uid],
      message: `There is no content-type ${uid}${didYouMean(uid, model.types.keys())}`,
    })),
  ...misfitsIn(model, bounds, permissions).map(({ type, message }) => ({
    path: ['permissions', type],
    message: `${type} ${message}`,
  })),
]

/** What does not fit in the permissions that the configuration of a project grants. */
export function invalidPermissionsInConfig({
  config,
  model,
}: Pick<Project, 'config' | 'model'>): ProjectProblem[] {
  const granted = [
    ...Object.entries(config.roles).map(([role, permissions]) => [`roles.${role}`, permissions] as const),
    ...Object.entries(config.tokens).map(
      ([name, { permissions }]) => [`tokens.${name}.permissions`, permissions ?? {}] as const,
    ),
  ]
  return granted.flatMap(([path, permissions]) =>
    misfitsIn(model, config.api.rest.bounds, permissions).map(({ type, action, message }) => ({
      file: 'configuration',
      path: `${path}.${type}.${action}`,
      message: `${type} ${message}`,
    })),
  )
}

function misfitsOf(model: Model, bounds: Bounds, type: ContentType, permission: Permission): Misfit[] {
  const { action, filters, fields } = partsOf(permission)
  const misfit = (message: string): Misfit => ({ type: type.uid, action, message })
  // What is taken away is checked where the form of permissions is; plugins have actions of their own.
  const known =
    ACTIONS.includes(action) ||
    type.uid.startsWith('plugin::') ||
    (typeof permission === 'string' && action.startsWith('-'))
  const wrong = filters ? filtersProblem(model, type, filledFilters(filters, ANYBODY), bounds) : null
  return [
    ...(known ? [] : [misfit(`has no action ${action}${didYouMean(action, ACTIONS)}`)]),
    ...(wrong === null ? [] : [misfit(`cannot follow the filters of ${action}: ${wrong}`)]),
    ...fields
      .filter((field) => !type.attributes.has(field) && !EVERYWHERE.includes(field))
      .map((field) => misfit(`has no attribute ${field}${didYouMean(field, type.attributes.keys())}`)),
  ]
}

/** What a permission consists of. Whoever sends one may have sent anything; its form is checked elsewhere. */
function partsOf(permission: Permission) {
  if (typeof permission === 'string') return { action: permission, filters: null, fields: [] }
  const { action, filters, fields } = permission ?? {}
  return {
    action: String(action),
    filters: isObject(filters) ? filters : null,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [],
  }
}

/** What does not fit in permissions that were granted while a server ran, a sentence each. Those of the configuration are told with it. */
export function storedPermissionWarnings(
  { config, model }: Pick<Project, 'config' | 'model'>,
  granted: StoredPermissions,
) {
  const given = [
    ...[...granted.roles].map(([role, permissions]) => {
      const governed = configuredTypes(config.roles, role)
      const own = Object.entries(permissions).filter(([uid]) => !governed.includes(uid))
      return [`role ${role}`, Object.fromEntries(own)] as const
    }),
    ...granted.tokens
      .filter(({ source }) => source === 'made')
      .map(({ name, permissions }) => [`token ${name}`, permissions ?? {}] as const),
  ]
  return given.flatMap(([whose, permissions]) =>
    misfitsIn(model, config.api.rest.bounds, permissions).map(
      ({ type, message }) => `A permission of the ${whose} grants less than it says: ${type} ${message}`,
    ),
  )
}

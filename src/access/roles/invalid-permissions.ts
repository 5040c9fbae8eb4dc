/** Finds permissions that do not fit the model: unknown content-types, actions and attributes, and invalid filters. */
import type { FieldProblem } from '../../errors.ts'
import type { Project } from '../../model/load-project.ts'
import type { ContentType, Model } from '../../model/model.ts'
import type { Permission } from '../../project/config/access-config.ts'
import type { ProjectProblem } from '../../project/problems.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import { filtersProblem } from '../../query/create-parse-context.ts'
import type { Bounds } from '../../query/params.ts'
import { ANY_TYPE, fillFilters, type Permissions } from './permissions.ts'
import { configuredTypes } from './roles.ts'
import type { StoredPermissions } from './stored-permissions.ts'

interface InvalidPermission {
  readonly type: string
  readonly action: string
  readonly message: string
}

/** Every action, including aliases. */
const ACTIONS = [
  ...['find', 'findOne', 'create', 'update', 'delete', 'publish', 'unpublish', 'discard', 'readDrafts'],
  ...['readHistory', 'upload', 'destroy'],
]

/** Every document has these besides its attributes; naming them in `fields` has no effect. */
const SYSTEM_FIELDS = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations']

/** In place of `$user.…` when filters are checked: values of the right type. */
const SAMPLE_USER = {
  id: 1,
  documentId: 'sample',
  username: 'sample',
  email: 'sample@example.com',
  role: 'any',
}

/** Ignores unknown content-types. */
const invalidPermissionsIn = (model: Model, bounds: Bounds, permissions: Permissions): InvalidPermission[] =>
  Object.entries(permissions).flatMap(([uid, list]) => {
    const types = uid === ANY_TYPE ? [...model.endpoints.values()] : [model.types.get(uid) ?? []].flat()
    return types.flatMap((type) => list.flatMap((permission) => problemsOf(model, bounds, type, permission)))
  })

/** What is wrong with permissions that were sent, unknown content-types included. Plugins have types of their own. */
export const permissionProblems = (
  model: Model,
  bounds: Bounds,
  permissions: Permissions,
): FieldProblem[] => [
  ...Object.keys(permissions)
    .filter((uid) => uid !== ANY_TYPE && !model.types.has(uid) && !uid.startsWith('plugin::'))
    .map((uid) => ({
      path: ['permissions', uid],
      message: `Unknown content-type: ${uid}${didYouMean(uid, model.types.keys())}`,
    })),
  ...invalidPermissionsIn(model, bounds, permissions).map(({ type, message }) => ({
    path: ['permissions', type],
    message,
  })),
]

export function invalidPermissionsInConfig({
  config,
  model,
}: Pick<Project, 'config' | 'model'>): ProjectProblem[] {
  const configured = [
    ...Object.entries(config.roles).map(([role, permissions]) => [`roles.${role}`, permissions] as const),
    ...Object.entries(config.tokens).map(
      ([name, { permissions }]) => [`tokens.${name}.permissions`, permissions ?? {}] as const,
    ),
  ]
  return configured.flatMap(([path, permissions]) =>
    invalidPermissionsIn(model, config.api.rest.bounds, permissions).map(({ type, action, message }) => ({
      file: 'configuration',
      path: `${path}.${type}.${action}`,
      message,
    })),
  )
}

function problemsOf(
  model: Model,
  bounds: Bounds,
  type: ContentType,
  permission: Permission,
): InvalidPermission[] {
  const { action, filters, fields } = partsOf(permission)
  const invalid = (message: string): InvalidPermission => ({ type: type.uid, action, message })
  // `permissionSyntaxErrors` checks removals such as "-publish"; plugins have actions of their own.
  const isKnown =
    ACTIONS.includes(action) ||
    type.uid.startsWith('plugin::') ||
    (typeof permission === 'string' && action.startsWith('-'))
  const problem = filters ? filtersProblem(model, type, fillFilters(filters, SAMPLE_USER), bounds) : null
  return [
    ...(isKnown ? [] : [invalid(`${type.uid} has no action ${action}${didYouMean(action, ACTIONS)}`)]),
    ...(problem === null ? [] : [invalid(`${type.uid}: invalid filters of ${action}: ${problem}`)]),
    ...fields
      .filter((field) => !type.attributes.has(field) && !SYSTEM_FIELDS.includes(field))
      .map((field) =>
        invalid(`${type.uid} has no attribute ${field}${didYouMean(field, type.attributes.keys())}`),
      ),
  ]
}

/** Tolerates any input: `permissionSyntaxErrors` reports malformed permissions. */
function partsOf(permission: Permission) {
  if (typeof permission === 'string') return { action: permission, filters: null, fields: [] }
  const { action, filters, fields } = permission ?? {}
  return {
    action: String(action),
    filters: isObject(filters) ? filters : null,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [],
  }
}

/** Invalid permissions in the database, a sentence each, without those that come from the configuration. */
export function storedPermissionWarnings(
  { config, model }: Pick<Project, 'config' | 'model'>,
  stored: StoredPermissions,
): string[] {
  const atRunTime = [
    ...[...stored.roles].map(([role, permissions]) => {
      const configured = configuredTypes(config.roles, role)
      const own = Object.entries(permissions).filter(([uid]) => !configured.includes(uid))
      return [`role ${role}`, Object.fromEntries(own)] as const
    }),
    ...stored.tokens
      .filter(({ source }) => source === 'made')
      .map(({ name, permissions }) => [`token ${name}`, permissions ?? {}] as const),
  ]
  return atRunTime.flatMap(([owner, permissions]) =>
    invalidPermissionsIn(model, config.api.rest.bounds, permissions).map(
      ({ message }) => `Invalid permission of the ${owner}: ${message}`,
    ),
  )
}

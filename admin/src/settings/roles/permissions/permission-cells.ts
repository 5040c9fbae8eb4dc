/** What a list of permissions grants for each action, and lists in which one action is changed. Pure. */
import type {
  Permission,
  PermissionChanges,
  Permissions,
  RestrictedPermission,
} from '../../../api/settings/roles.ts'

/** In place of a uid: every content-type of the project without permissions of its own. */
export const ANY_TYPE = '*'

export type Restriction = Omit<RestrictedPermission, 'action'>

export type Cell =
  | { readonly kind: 'none' }
  | { readonly kind: 'granted'; readonly isImplied: boolean }
  | { readonly kind: 'restricted'; readonly isImplied: boolean; readonly restriction: Restriction }

/** Other names of actions, which the permissions of files may use. */
const ALIASES: Readonly<Record<string, string>> = { upload: 'create', destroy: 'delete' }

/** Actions that follow from others, and what removes them. */
const IMPLIED: Readonly<Record<string, { readonly by: readonly string[]; readonly not: readonly string[] }>> =
  {
    readDrafts: { by: ['find', 'findOne'], not: ['-readDrafts'] },
    publish: { by: ['update', 'create'], not: ['-publish'] },
    unpublish: { by: ['update'], not: ['-publish', '-unpublish'] },
    discard: { by: ['update'], not: ['-discard'] },
  }

const actionOf = (permission: Permission) => {
  const name = typeof permission === 'string' ? permission : permission.action
  return ALIASES[name] ?? name
}

export const hasOwnPermissions = (permissions: Permissions, uid: string) => permissions[uid] !== undefined

/** The permissions after changes that are not saved yet. */
export const withChanges = (permissions: Permissions, changes: PermissionChanges): Permissions =>
  Object.fromEntries(
    Object.entries({ ...permissions, ...changes }).flatMap(([uid, list]) =>
      list === null ? [] : [[uid, list]],
    ),
  )

/** The permissions that apply to a content-type: its own, or those for every other type. */
export const permissionsFor = (permissions: Permissions, uid: string): readonly Permission[] =>
  permissions[uid] ?? (uid.startsWith('api::') ? (permissions[ANY_TYPE] ?? []) : [])

export function cellOf(list: readonly Permission[], action: string): Cell {
  const explicit = list.find((permission) => actionOf(permission) === action)
  if (explicit !== undefined) return explicitCell(explicit)
  const implied = IMPLIED[action]
  if (!implied || implied.not.some((removal) => list.includes(removal))) return { kind: 'none' }
  const source = implied.by.flatMap((by) => list.find((permission) => actionOf(permission) === by) ?? [])[0]
  if (source === undefined) return { kind: 'none' }
  // Drafts are read under the rules of find and findOne anyway.
  return action === 'readDrafts'
    ? { kind: 'granted', isImplied: true }
    : { ...explicitCell(source), isImplied: true }
}

function explicitCell(permission: Permission): Exclude<Cell, { kind: 'none' }> {
  if (typeof permission === 'string') return { kind: 'granted', isImplied: false }
  const { action: _, ...restriction } = permission
  return restriction.filters || restriction.fields
    ? { kind: 'restricted', isImplied: false, restriction }
    : { kind: 'granted', isImplied: false }
}

const without = (list: readonly Permission[], action: string) =>
  list.filter((permission) => actionOf(permission) !== action && permission !== `-${action}`)

/** The list with an action permitted for all documents and attributes. */
export function grant(list: readonly Permission[], action: string): readonly Permission[] {
  const rest = without(list, action)
  return cellOf(rest, action).kind === 'granted' ? rest : [...rest, action]
}

export function revoke(list: readonly Permission[], action: string): readonly Permission[] {
  const rest = without(list, action)
  return cellOf(rest, action).kind === 'none' ? rest : [...rest, `-${action}`]
}

/** The list with an action permitted for some documents or attributes. */
export const restrict = (
  list: readonly Permission[],
  action: string,
  restriction: Restriction,
): readonly Permission[] => [...without(list, action), { action, ...restriction }]

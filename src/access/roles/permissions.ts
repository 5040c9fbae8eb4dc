/**
 * Permissions as they are written in the configuration, turned into answers to "may this caller do that". Pure:
 * who the caller is and where permissions are kept is known elsewhere in this room.
 */
import { hash } from 'node:crypto'
import type { Permission } from '../../project/config/config.ts'
import { isObject } from '../../project/values.ts'
import type { Principal, Rule, Scope } from '../../query/scope.ts'

/** What is granted, by content-type uid. */
export type Permissions = Readonly<Record<string, readonly Permission[]>>

/** The values that `$user.…` stands for in a rule. */
export interface UserValues {
  readonly id: number
  readonly documentId: string
  readonly username: string | null
  readonly email: string | null
  readonly role: string | null
}

const USER_VALUES: readonly string[] = ['id', 'documentId', 'username', 'email', 'role']

/** Other names under which people know an action; both sides of a question are brought to the first. */
const ALIASES: Readonly<Record<string, string>> = { destroy: 'delete', upload: 'create' }

interface Implied {
  readonly by: readonly string[]
  readonly not: readonly string[]
}

/** Actions that come with others, for the same documents, unless they are taken away, as in `["create", "update", "-publish"]`. */
const IMPLIED: Readonly<Record<string, Implied>> = {
  readDrafts: { by: ['find', 'findOne'], not: ['-readDrafts'] },
  publish: { by: ['update', 'create'], not: ['-publish'] },
  unpublish: { by: ['update'], not: ['-publish', '-unpublish'] },
  discard: { by: ['update'], not: ['-discard'] },
}

const READS: ReadonlySet<string> = new Set(['find', 'findOne', 'readDrafts'])

/** The list of locales is not content: a read-only token does not see it (as recorded). */
export const LOCALE = 'plugin::i18n.locale'

const UID = /^[a-z][\w-]*::[\w-]+\.[\w-]+$/

/** An action by the first of its names. */
export const canonical = (action: string) => ALIASES[action] ?? action

type Granted = ReadonlyMap<string, ReadonlyMap<string, Rule | null>>

/** May do everything that the content interface offers. */
export const fullAccess = (principal: Principal): Scope => ({
  key: 'full',
  principal,
  may: () => true,
  rule: () => null,
})

/** May list and read documents of every type, files and users. */
export const readOnly = (principal: Principal): Scope => ({
  key: 'read',
  principal,
  may: (type, action) => READS.has(action) && type !== LOCALE,
  rule: () => null,
})

/**
 * A scope of exactly these permissions. Its key is made from what is granted to this very caller, so callers
 * share answers only if they may see the same. A permission about `$user` covers nothing for a caller who is no
 * user or lacks the value.
 */
export function scopeOfPermissions(
  permissions: Permissions,
  principal: Principal,
  user: UserValues | null,
): Scope {
  const granted = grant(permissions, user)
  return {
    key: keyOf(granted),
    principal,
    may: (type, action) => granted.get(type)?.has(canonical(action)) ?? false,
    rule: (type, action) => granted.get(type)?.get(canonical(action)) ?? null,
  }
}

/** The filters of a rule with the values of a caller in place of `$user.…`. */
export const filledFilters = (
  filters: Readonly<Record<string, unknown>>,
  user: UserValues | null,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, fill(value, user)]))

/** The mistakes in the form of permissions, as sentences; empty when there are none. */
export function permissionSyntaxErrors(permissions: unknown): string[] {
  if (!isObject(permissions)) return ['permissions must be an object of content-types']
  return Object.entries(permissions).flatMap(([type, list]) => {
    if (!UID.test(type)) return [`${type} is not the uid of a content-type, such as api::article.article`]
    if (!Array.isArray(list)) return [`${type}: permissions must be a list of actions`]
    const actions = new Set<string>()
    return list.flatMap((permission: unknown) => {
      const { mistake, action } = checkPermission(permission)
      if (mistake) return [`${type}: ${mistake}`]
      if (actions.has(action)) return [`${type}: ${action} is granted more than once`]
      actions.add(action)
      return []
    })
  })
}

function checkPermission(permission: unknown): { mistake?: string; action: string } {
  if (typeof permission === 'string') {
    const action = canonical(permission)
    if (action.startsWith('-') && !(action.slice(1) in IMPLIED))
      return {
        mistake: `only ${Object.keys(IMPLIED).join(', ')} can be taken away, not ${action}`,
        action,
      }
    return /^-?[a-zA-Z]+$/.test(action) ? { action } : { mistake: `${action} is no action`, action }
  }
  if (!isObject(permission) || typeof permission.action !== 'string')
    return { mistake: 'a permission is an action or an object with an action', action: '' }
  const { action, filters, fields, ...rest } = permission
  const mistake =
    Object.keys(rest).length > 0
      ? `unknown key ${Object.keys(rest)[0]} in the permission ${action}`
      : filters !== undefined && !isObject(filters)
        ? `filters of ${action} must be an object`
        : fields !== undefined && !isListOfText(fields)
          ? `fields of ${action} must be a list of attribute names`
          : unknownUserValue(filters)
  return mistake ? { mistake, action } : { action: canonical(action) }
}

function grant(permissions: Permissions, user: UserValues | null): Granted {
  return new Map(
    Object.entries(permissions).map(([type, list]) => {
      const actions = new Map<string, Rule | null>()
      for (const permission of list) {
        if (typeof permission === 'string') {
          if (!permission.startsWith('-')) actions.set(canonical(permission), null)
        } else if (hasValuesFor(permission.filters, user)) {
          actions.set(canonical(permission.action), ruleOf(permission, user))
        }
      }
      for (const [implied, { by, not }] of Object.entries(IMPLIED)) {
        const takenAway = not.some((word) => list.includes(word))
        // Who narrows it means no more than that, also where the caller has no value for it.
        const isNarrowed = list.some((one) => typeof one !== 'string' && canonical(one.action) === implied)
        const source = by.find((action) => actions.has(action))
        if (takenAway || isNarrowed || actions.has(implied) || !source) continue
        // Drafts are read under the rules of reading anyway.
        actions.set(implied, READS.has(implied) ? null : (actions.get(source) ?? null))
      }
      return [type, actions]
    }),
  )
}

function ruleOf(permission: Exclude<Permission, string>, user: UserValues | null): Rule | null {
  const filters = permission.filters && filledFilters(permission.filters, user)
  const fields = permission.fields
  if (!filters) return fields ? { fields } : null
  return fields ? { filters, fields } : { filters }
}

/** A copy of a filter with the caller's values in place of `$user.…`. */
function fill(value: unknown, user: UserValues | null): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, user))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fill(v, user)]))
  const name = userValueName(value)
  return name === null ? value : userValue(name, user)
}

const userValue = (name: string, user: UserValues | null) =>
  user ? new Map<string, unknown>(Object.entries(user)).get(name) : null

const userValueName = (value: unknown) =>
  typeof value === 'string' && value.startsWith('$user.') ? value.slice('$user.'.length) : null

const textsIn = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.flatMap(textsIn)
    : isObject(value)
      ? Object.values(value).flatMap(textsIn)
      : [value]

const hasValuesFor = (filters: unknown, user: UserValues | null) =>
  textsIn(filters)
    .map(userValueName)
    .every((name) => name === null || userValue(name, user) != null)

function unknownUserValue(filters: unknown): string | undefined {
  const unknown = textsIn(filters)
    .map(userValueName)
    .find((name) => name !== null && !USER_VALUES.includes(name))
  return unknown ? `$user.${unknown} is not known; use one of ${USER_VALUES.join(', ')}` : undefined
}

function keyOf(granted: Granted): string {
  const lines = [...granted]
    .flatMap(([type, actions]) => [...actions].map(([action, rule]) => JSON.stringify([type, action, rule])))
    .sort()
  return `may:${hash('sha256', lines.join('\n'), 'base64url')}`
}

const isListOfText = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

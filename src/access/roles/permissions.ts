/** Turns permissions, as the configuration writes them, into a scope. Pure. */
import { hash } from 'node:crypto'
import type { Permission } from '../../project/config/access-config.ts'
import { isObject } from '../../project/values.ts'
import type { Principal, Rule, Scope } from '../../query/scope.ts'

/** By content-type uid; `*` stands for every content-type of the project that is not listed. */
export type Permissions = Readonly<Record<string, readonly Permission[]>>

/** New permissions by content-type uid; null removes those of its own, so that those of `*` apply. */
export type PermissionChanges = Readonly<Record<string, readonly Permission[] | null>>

/** The values that `$user.…` stands for in a rule. */
export interface UserValues {
  readonly id: number
  readonly documentId: string
  readonly username: string | null
  readonly email: string | null
  readonly role: string | null
}

const USER_VALUES: readonly string[] = ['id', 'documentId', 'username', 'email', 'role']

/** Actions by their aliases. */
const ALIASES: Readonly<Record<string, string>> = { destroy: 'delete', upload: 'create' }

interface Implied {
  readonly by: readonly string[]
  readonly not: readonly string[]
}

/** Actions that others imply, for the same documents, unless removed as in `["create", "update", "-publish"]`. */
const IMPLIED: Readonly<Record<string, Implied>> = {
  readDrafts: { by: ['find', 'findOne'], not: ['-readDrafts'] },
  publish: { by: ['update', 'create'], not: ['-publish'] },
  unpublish: { by: ['update'], not: ['-publish', '-unpublish'] },
  discard: { by: ['update'], not: ['-discard'] },
}

/** The actions that an action implies. */
export const impliedBy = (action: string): readonly string[] =>
  Object.keys(IMPLIED).filter((implied) => IMPLIED[implied]?.by.includes(action))

const READS: ReadonlySet<string> = new Set(['find', 'findOne', 'readDrafts'])

/** The list of locales is not content: read-only tokens cannot read it (as recorded). */
export const LOCALE = 'plugin::i18n.locale'

/** Nor are the content-types and components of the model. */
export const CONTENT_TYPES = 'plugin::content-type-builder.content-type'
export const COMPONENTS = 'plugin::content-type-builder.component'

const NOT_CONTENT: ReadonlySet<string> = new Set([LOCALE, CONTENT_TYPES, COMPONENTS])

/** In place of a uid: every content-type of the project without permissions of its own. */
export const ANY_TYPE = '*'

const PROJECT_TYPE = 'api::'

const UID = /^[a-z][\w-]*::[\w-]+\.[\w-]+$/

export const normalizeAction = (action: string) => ALIASES[action] ?? action

type ActionRules = ReadonlyMap<string, ReadonlyMap<string, Rule | null>>

export const fullAccess = (principal: Principal): Scope => ({
  key: 'full',
  principal,
  may: () => true,
  rule: () => null,
})

export const readOnly = (principal: Principal): Scope => ({
  key: 'read',
  principal,
  may: (type, action) => READS.has(action) && !NOT_CONTENT.has(type),
  rule: () => null,
})

/**
 * The scope's key is derived from the rules with the caller's values filled in, so callers share cached responses only if
 * they may read the same. A permission with `$user.…` grants nothing to a caller who is not a user or lacks the value.
 */
export function scopeOfPermissions(
  permissions: Permissions,
  principal: Principal,
  user: UserValues | null,
): Scope {
  const granted = rulesByType(permissions, user)
  const others = granted.get(ANY_TYPE)
  const actionsOn = (type: string) =>
    granted.get(type) ?? (others && type.startsWith(PROJECT_TYPE) ? others : undefined)
  return {
    key: keyOf(granted),
    principal,
    may: (type, action) => actionsOn(type)?.has(normalizeAction(action)) ?? false,
    rule: (type, action) => actionsOn(type)?.get(normalizeAction(action)) ?? null,
  }
}

/** Replaces `$user.…` in filters with the caller's values. */
export const fillFilters = (
  filters: Readonly<Record<string, unknown>>,
  user: UserValues | null,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, fillUserValues(value, user)]))

/** The changes without removals: an empty list in place of each. */
export const withEmptyLists = (changes: PermissionChanges): Permissions =>
  Object.fromEntries(Object.entries(changes).map(([type, list]) => [type, list ?? []]))

/** What is malformed; whether permissions fit the model is checked in `invalid-permissions.ts`. */
export function permissionSyntaxErrors(permissions: unknown): string[] {
  if (!isObject(permissions)) return ['permissions must be an object of content-types']
  return Object.entries(permissions).flatMap(([type, list]) => {
    if (type !== ANY_TYPE && !UID.test(type))
      return [`${type} is not the uid of a content-type, such as api::article.article`]
    if (!Array.isArray(list)) return [`${type}: permissions must be a list of actions`]
    const actions = new Set<string>()
    return list.flatMap((permission: unknown) => {
      const { error, action } = parsePermission(permission)
      if (error) return [`${type}: ${error}`]
      if (actions.has(action)) return [`${type}: duplicate action ${action}`]
      actions.add(action)
      return []
    })
  })
}

function parsePermission(permission: unknown): { error?: string; action: string } {
  if (typeof permission === 'string') {
    const action = normalizeAction(permission)
    if (action.startsWith('-') && !(action.slice(1) in IMPLIED))
      return {
        error: `unknown removal ${action}; only ${Object.keys(IMPLIED).join(', ')} can be removed`,
        action,
      }
    return /^-?[a-zA-Z]+$/.test(action) ? { action } : { error: `invalid action ${action}`, action }
  }
  if (!isObject(permission) || typeof permission.action !== 'string')
    return { error: 'a permission must be an action or an object with an action', action: '' }
  const { action, filters, fields, ...rest } = permission
  const error =
    Object.keys(rest).length > 0
      ? `unknown key ${Object.keys(rest)[0]} in the permission ${action}`
      : filters !== undefined && !isObject(filters)
        ? `filters of ${action} must be an object`
        : fields !== undefined && !isStringList(fields)
          ? `fields of ${action} must be a list of attribute names`
          : unknownUserValue(filters)
  return error ? { error, action } : { action: normalizeAction(action) }
}

function rulesByType(permissions: Permissions, user: UserValues | null): ActionRules {
  return new Map(
    Object.entries(permissions).map(([type, list]) => {
      const actions = new Map<string, Rule | null>()
      for (const permission of list) {
        if (typeof permission === 'string') {
          if (!permission.startsWith('-')) actions.set(normalizeAction(permission), null)
        } else if (hasUserValues(permission.filters, user)) {
          actions.set(normalizeAction(permission.action), ruleOf(permission, user))
        }
      }
      for (const [implied, { by, not }] of Object.entries(IMPLIED)) {
        const isRemoved = not.some((word) => list.includes(word))
        // An explicit rule for the action replaces the implied one, even if the caller lacks a value for it.
        const isNarrowed = list.some(
          (one) => typeof one !== 'string' && normalizeAction(one.action) === implied,
        )
        const source = by.find((action) => actions.has(action))
        if (isRemoved || isNarrowed || actions.has(implied) || !source) continue
        // Reading drafts is subject to the rules of find and findOne anyway.
        const rule = READS.has(implied) ? null : actions.get(source)
        actions.set(implied, rule ? { ...rule, isImplied: true } : null)
      }
      return [type, actions]
    }),
  )
}

function ruleOf(permission: Exclude<Permission, string>, user: UserValues | null): Rule | null {
  const filters = permission.filters && fillFilters(permission.filters, user)
  const fields = permission.fields
  if (!filters) return fields ? { fields } : null
  return fields ? { filters, fields } : { filters }
}

function fillUserValues(value: unknown, user: UserValues | null): unknown {
  if (Array.isArray(value)) return value.map((item) => fillUserValues(item, user))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fillUserValues(v, user)]))
  const name = userValueName(value)
  return name === null ? value : userValue(name, user)
}

const userValue = (name: string, user: UserValues | null) =>
  user ? new Map<string, unknown>(Object.entries(user)).get(name) : null

const userValueName = (value: unknown) =>
  typeof value === 'string' && value.startsWith('$user.') ? value.slice('$user.'.length) : null

const leavesOf = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.flatMap(leavesOf)
    : isObject(value)
      ? Object.values(value).flatMap(leavesOf)
      : [value]

const hasUserValues = (filters: unknown, user: UserValues | null) =>
  leavesOf(filters)
    .map(userValueName)
    .every((name) => name === null || userValue(name, user) != null)

function unknownUserValue(filters: unknown): string | undefined {
  const unknown = leavesOf(filters)
    .map(userValueName)
    .find((name) => name !== null && !USER_VALUES.includes(name))
  return unknown ? `unknown value $user.${unknown}; use one of ${USER_VALUES.join(', ')}` : undefined
}

function keyOf(granted: ActionRules): string {
  const lines = [...granted]
    .flatMap(([type, actions]) => [...actions].map(([action, rule]) => JSON.stringify([type, action, rule])))
    .sort()
  return `may:${hash('sha256', lines.join('\n'), 'base64url')}`
}

const isStringList = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/**
 * Permissions as a tree of named actions, such as `{"api::note": {"controllers": {"note": {"find": {"enabled": true}}}}}`, which
 * has no place for restrictions. What it cannot express stays as it is when a role is changed.
 */
import { alwaysAllowed, type NamedAction, namedActions } from '../../access/roles/action-names.ts'
import {
  impliedBy,
  normalizeAction,
  type Permissions,
  scopeOfPermissions,
} from '../../access/roles/permissions.ts'
import { errors } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import type { Permission } from '../../project/config/access-config.ts'
import { didYouMean } from '../../project/suggest.ts'
import { isObject } from '../../project/values.ts'
import type { Scope } from '../../query/scope.ts'

interface ActionState {
  readonly enabled: boolean
  readonly policy: string
}

type Tree = Record<string, { readonly controllers: Record<string, Record<string, ActionState>> }>

/** What a caller may do. */
export const ownTree = (model: Model, scope: Scope): Tree => {
  const isSignedIn = scope.principal.kind !== 'public'
  return treeOf([
    ...namedActions(model).map(({ name, type, action }) => ({ name, enabled: scope.may(type, action) })),
    ...alwaysAllowed.map(({ name, to }) => ({ name, enabled: isSignedIn === (to === 'users') })),
  ])
}

/** What a role may do. */
export const permissionTree = (model: Model, permissions: Permissions): Tree =>
  treeOf(
    namedActions(model).map(({ name, type, action }) => ({
      name,
      enabled: (permissions[type] ?? []).some((one) => actionOf(one) === action),
    })),
  )

function treeOf(actions: readonly { readonly name: string; readonly enabled: boolean }[]): Tree {
  const tree: Tree = {}
  for (const { name, enabled } of actions) {
    const [group = '', controller = '', action = ''] = name.split('.')
    const controllers = tree[group]?.controllers ?? {}
    const actionsSoFar = controllers[controller] ?? {}
    controllers[controller] = { ...actionsSoFar, [action]: { enabled, policy: '' } }
    tree[group] = { controllers }
  }
  return tree
}

const actionOf = (permission: Permission) =>
  normalizeAction(typeof permission === 'string' ? permission : permission.action)

/** The permissions of a role after a change. The tree replaces all its named actions; an empty list is an empty tree. */
export function changedPermissions(
  model: Model,
  before: Permissions,
  tree: unknown,
  scope: Scope,
): Permissions {
  const known = namedActions(model)
  const enabled = enabledActions(known, tree)
  const granted = (type: string) =>
    new Set(enabled.filter((one) => one.type === type).map(({ action }) => action))
  const types = new Set([...known.map(({ type }) => type)])
  return Object.fromEntries(
    [...types].flatMap((type) => {
      const old = before[type] ?? []
      const wanted = granted(type)
      const nameable = new Set(known.filter((one) => one.type === type).map(({ action }) => action))
      const kept = old.filter((one) => !nameable.has(actionOf(one)) || wanted.has(actionOf(one)))
      const held = new Set(kept.map(actionOf))
      const added = [...wanted].filter((action) => !held.has(action))
      for (const action of added) checkGrantable(scope, type, action)
      const removals = model.types.get(type)?.draftAndPublish ? ungrantable(scope, type, kept, added) : []
      const after = [...kept, ...added, ...removals]
      return JSON.stringify(after) === JSON.stringify(old) ? [] : [[type, after]]
    }),
  )
}

/** Whoever could grant more than it has could grant it to itself. */
function checkGrantable(scope: Scope, type: string, action: string): void {
  if (!mayEverywhere(scope, type, action)) throw errors.forbidden()
}

const mayEverywhere = (scope: Scope, type: string, action: string) =>
  scope.may(type, action) && scope.rule(type, action) === null

/** Removes from a role what added actions imply and the caller cannot grant, such as `publish` with `update`. */
function ungrantable(
  scope: Scope,
  type: string,
  kept: readonly Permission[],
  added: readonly string[],
): readonly string[] {
  const scopeWith = (permissions: readonly Permission[]) =>
    scopeOfPermissions({ [type]: permissions }, scope.principal, null)
  const [before, after] = [scopeWith(kept), scopeWith([...kept, ...added])]
  const isGained = (action: string) =>
    mayEverywhere(after, type, action) && !mayEverywhere(before, type, action)
  return [...new Set(added.flatMap(impliedBy))]
    .filter((action) => isGained(action) && !mayEverywhere(scope, type, action))
    .map((action) => `-${action}`)
}

function enabledActions(known: readonly NamedAction[], tree: unknown): NamedAction[] {
  if (tree === undefined || tree === null || (Array.isArray(tree) && tree.length === 0)) return []
  const byName = new Map(known.map((one) => [one.name, one]))
  const free = new Set(alwaysAllowed.map(({ name }) => name))
  return membersOf(tree, ['permissions']).flatMap(([group, { controllers }, path]) =>
    membersOf(controllers, [...path, 'controllers']).flatMap(([controller, actions, inside]) =>
      membersOf(actions, inside).flatMap(([action, state, at]) => {
        const name = `${group}.${controller}.${action}`
        const found = byName.get(name)
        if (typeof state.enabled !== 'boolean')
          return refuse([...at, 'enabled'], 'enabled must be true or false')
        if (!state.enabled || free.has(name)) return []
        return found ? [found] : refuse(at, `Unknown action: ${name}${didYouMean(name, byName.keys())}`)
      }),
    ),
  )
}

type Member = readonly [name: string, value: Readonly<Record<string, unknown>>, path: readonly string[]]

function membersOf(value: unknown, path: readonly string[]): Member[] {
  if (!isObject(value)) return refuse(path, `${path.at(-1)} must be an object`)
  return Object.entries(value).map(([name, member]) =>
    isObject(member) ? [name, member, [...path, name]] : refuse([...path, name], `${name} must be an object`),
  )
}

function refuse(path: readonly string[], message: string): never {
  throw errors.invalidValues([{ path: [...path], message }])
}

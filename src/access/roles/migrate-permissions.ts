/**
 * Permissions that are kept in the database follow the model: they are renamed with content-types and with attributes
 * in the fields and filters of a rule, and go with content-types that are dropped. What a role has under the name of a
 * content-type that comes was meant for another one: it does not inherit that. A token may have been made for it before.
 */
import type { Model, Shape } from '../../model/model.ts'
import type { Permission } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import type { Change } from '../../store/migration/plan/change.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { PERMISSIONS, TOKENS } from '../tables.ts'
import type { Permissions } from './permissions.ts'

/** Rewrites the permissions of roles and tokens, in the transaction that changes the model. */
export async function followChanges(
  transaction: Transaction,
  changes: readonly Change[],
  next: Model,
): Promise<void> {
  const names = namesIn(changes, next)
  const { types, attributes, dropped, coming } = names
  if ([types, attributes, dropped, coming].every(({ size }) => size === 0)) return
  const { dialect } = transaction
  const run = (query: Sql) => transaction.run(compile(dialect, query))
  // First, so that the names are free for those that are renamed.
  for (const uid of [...dropped, ...coming])
    run(sql`delete from ${sql.table(PERMISSIONS)} where type = ${uid}`)
  for (const { role, type, permissions } of await transaction.all(
    compile(dialect, sql`select role, type, permissions from ${sql.table(PERMISSIONS)}`),
  )) {
    const list: readonly Permission[] = JSON.parse(String(permissions))
    for (const [uid, renamed] of Object.entries(renamedIn({ [String(type)]: list }, names)))
      run(sql`update ${sql.table(PERMISSIONS)} set type = ${uid}, permissions = ${JSON.stringify(renamed)}
        where role = ${String(role)} and type = ${String(type)}`)
  }
  for (const { id, permissions } of await transaction.all(
    compile(dialect, sql`select id, permissions from ${sql.table(TOKENS)} where permissions is not null`),
  )) {
    const renamed = renamedIn(JSON.parse(String(permissions)), names)
    run(
      sql`update ${sql.table(TOKENS)} set permissions = ${JSON.stringify(renamed)} where id = ${Number(id)}`,
    )
  }
  transaction.touch(PERMISSIONS)
  transaction.touch(TOKENS)
}

/** What these permissions are when the changes are made. */
export const permissionsAfter = (
  permissions: Permissions,
  changes: readonly Change[],
  next: Model,
): Permissions => renamedIn(permissions, namesIn(changes, next))

interface Names {
  /** The model that has the new names. */
  readonly next: Model
  /** New uids by old ones. */
  readonly types: ReadonlyMap<string, string>
  /** New names of attributes by old ones, by new uid of what they are on. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly dropped: ReadonlySet<string>
  /** Uids that content-types get, new ones and renamed ones. */
  readonly coming: ReadonlySet<string>
}

function namesIn(changes: readonly Change[], next: Model): Names {
  const types = new Map<string, string>()
  const attributes = new Map<string, Map<string, string>>()
  for (const change of changes) {
    if (change.kind === 'renameType') types.set(change.on.previous.uid, change.on.next.uid)
    if (change.kind !== 'renameAttribute') continue
    const { uid } = change.on.next
    attributes.set(uid, (attributes.get(uid) ?? new Map()).set(change.from.name, change.to.name))
  }
  const having = (kind: 'addType' | 'dropType') =>
    changes.flatMap((change) => (change.kind === kind ? [change.type.uid] : []))
  return {
    next,
    types,
    attributes,
    dropped: new Set(having('dropType')),
    coming: new Set([...having('addType'), ...types.values()]),
  }
}

const renamedIn = (permissions: Permissions, names: Names): Permissions =>
  Object.fromEntries(
    Object.entries(permissions)
      .filter(([uid]) => !names.dropped.has(uid))
      .map(([uid, list]) => {
        const now = names.types.get(uid) ?? uid
        const type = names.next.types.get(now)
        return [now, type ? list.map((one) => renamedRule(one, type, names)) : list]
      }),
  )

function renamedRule(permission: Permission, type: Shape, names: Names): Permission {
  if (typeof permission === 'string') return permission
  const { fields, filters } = permission
  return {
    ...permission,
    ...(fields && { fields: fields.map((name) => newName(name, type, names)) }),
    ...(filters && { filters: renamedFilters(filters, type, names) }),
  }
}

const newName = (name: string, { uid }: Shape, { attributes }: Names) =>
  attributes.get(uid)?.get(name) ?? name

/** Attributes stand at the top of a filter, below `$and`, `$or` and `$not`, and below what leads to others. */
const renamedFilters = (
  filters: Readonly<Record<string, unknown>>,
  shape: Shape,
  names: Names,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(filters).map(([key, value]) => {
      const name = newName(key, shape, names)
      const within = ['$and', '$or', '$not'].includes(key) ? shape : reachedBy(name, shape, names.next)
      return [name, within ? renamedParts(value, within, names) : value]
    }),
  )

/** What the attributes below an attribute are on. */
function reachedBy(name: string, { attributes }: Shape, { types, components }: Model): Shape | undefined {
  const attribute = attributes.get(name)
  if (attribute?.kind === 'relation') return types.get(attribute.target ?? '')
  return attribute?.kind === 'component' ? components.get(attribute.component) : undefined
}

function renamedParts(value: unknown, shape: Shape, names: Names): unknown {
  if (Array.isArray(value)) return value.map((part) => renamedParts(part, shape, names))
  return typeof value === 'object' && value !== null ? renamedFilters({ ...value }, shape, names) : value
}

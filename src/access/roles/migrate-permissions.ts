/**
 * Migrates stored permissions with the model: renames content-types and the attributes in fields and filters, and deletes
 * the permissions of dropped content-types. A new content-type does not inherit the permissions that a role still has
 * under its uid; those of tokens are kept, because a token may have been created for the content-type in advance.
 */
import type { Model, Shape } from '../../model/model.ts'
import type { Permission } from '../../project/config/access-config.ts'
import { compile } from '../../store/compile.ts'
import type { Change } from '../../store/migration/plan/change.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { PERMISSIONS, TOKENS } from '../tables.ts'
import type { Permissions } from './permissions.ts'

/** In the transaction that changes the model. */
export async function migratePermissions(
  transaction: Transaction,
  changes: readonly Change[],
  next: Model,
): Promise<void> {
  const names = renamesIn(changes, next)
  const { types, attributes, dropped, added } = names
  if ([types, attributes, dropped, added].every(({ size }) => size === 0)) return
  const { dialect } = transaction
  const run = (query: Sql) => transaction.run(compile(dialect, query))
  // Before renaming, which may reuse these uids.
  for (const uid of [...dropped, ...added])
    run(sql`delete from ${sql.table(PERMISSIONS)} where type = ${uid}`)
  for (const { role, type, permissions } of await transaction.all(
    compile(dialect, sql`select role, type, permissions from ${sql.table(PERMISSIONS)}`),
  )) {
    const list: readonly Permission[] = JSON.parse(String(permissions))
    for (const [uid, renamed] of Object.entries(renamePermissions({ [String(type)]: list }, names)))
      run(sql`update ${sql.table(PERMISSIONS)} set type = ${uid}, permissions = ${JSON.stringify(renamed)}
        where role = ${String(role)} and type = ${String(type)}`)
  }
  for (const { id, permissions } of await transaction.all(
    compile(dialect, sql`select id, permissions from ${sql.table(TOKENS)} where permissions is not null`),
  )) {
    const renamed = renamePermissions(JSON.parse(String(permissions)), names)
    run(
      sql`update ${sql.table(TOKENS)} set permissions = ${JSON.stringify(renamed)} where id = ${Number(id)}`,
    )
  }
  transaction.touch(PERMISSIONS)
  transaction.touch(TOKENS)
}

/** What these permissions become when the changes are applied. */
export const migratedPermissions = (
  permissions: Permissions,
  changes: readonly Change[],
  next: Model,
): Permissions => renamePermissions(permissions, renamesIn(changes, next))

interface Renames {
  readonly next: Model
  /** New uids by old ones. */
  readonly types: ReadonlyMap<string, string>
  /** New attribute names by old ones, by the new uid of their content-type or component. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly dropped: ReadonlySet<string>
  /** New uids: of added and of renamed content-types. */
  readonly added: ReadonlySet<string>
}

function renamesIn(changes: readonly Change[], next: Model): Renames {
  const types = new Map<string, string>()
  const attributes = new Map<string, Map<string, string>>()
  for (const change of changes) {
    if (change.kind === 'renameType') types.set(change.on.previous.uid, change.on.next.uid)
    if (change.kind !== 'renameAttribute') continue
    const { uid } = change.on.next
    attributes.set(uid, (attributes.get(uid) ?? new Map()).set(change.from.name, change.to.name))
  }
  const uidsOf = (kind: 'addType' | 'dropType') =>
    changes.flatMap((change) => (change.kind === kind ? [change.type.uid] : []))
  return {
    next,
    types,
    attributes,
    dropped: new Set(uidsOf('dropType')),
    added: new Set([...uidsOf('addType'), ...types.values()]),
  }
}

const renamePermissions = (permissions: Permissions, names: Renames): Permissions =>
  Object.fromEntries(
    Object.entries(permissions)
      .filter(([uid]) => !names.dropped.has(uid))
      .map(([uid, list]) => {
        const now = names.types.get(uid) ?? uid
        const type = names.next.types.get(now)
        return [now, type ? list.map((one) => renamePermission(one, type, names)) : list]
      }),
  )

function renamePermission(permission: Permission, type: Shape, names: Renames): Permission {
  if (typeof permission === 'string') return permission
  const { fields, filters } = permission
  return {
    ...permission,
    ...(fields && { fields: fields.map((name) => newName(name, type, names)) }),
    ...(filters && { filters: renameFilters(filters, type, names) }),
  }
}

const newName = (name: string, { uid }: Shape, { attributes }: Renames) =>
  attributes.get(uid)?.get(name) ?? name

/** Attribute names are keys at the top of a filter, below `$and`, `$or` and `$not`, and below relations and components. */
const renameFilters = (
  filters: Readonly<Record<string, unknown>>,
  shape: Shape,
  names: Renames,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(filters).map(([key, value]) => {
      const name = newName(key, shape, names)
      const within = ['$and', '$or', '$not'].includes(key) ? shape : targetOf(name, shape, names.next)
      return [name, within ? renameFilterValue(value, within, names) : value]
    }),
  )

function targetOf(name: string, { attributes }: Shape, { types, components }: Model): Shape | undefined {
  const attribute = attributes.get(name)
  if (attribute?.kind === 'relation') return types.get(attribute.target ?? '')
  return attribute?.kind === 'component' ? components.get(attribute.component) : undefined
}

function renameFilterValue(value: unknown, shape: Shape, names: Renames): unknown {
  if (Array.isArray(value)) return value.map((part) => renameFilterValue(part, shape, names))
  return typeof value === 'object' && value !== null ? renameFilters({ ...value }, shape, names) : value
}

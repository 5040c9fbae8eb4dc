/**
 * Permissions that are kept in the database follow the model: they are renamed with content-types and with attributes
 * in the fields and filters of a rule, and go with content-types that are dropped, so that another type of that name
 * does not inherit them.
 */
import { sql } from 'kysely'
import type { Permission } from '../project/config.ts'
import { compile } from '../store/compile.ts'
import type { Change } from '../store/migration/change.ts'
import type { Transaction } from '../store/store.ts'
import type { Permissions } from './grants.ts'
import { PERMISSIONS, TOKENS } from './tables.ts'

/** Rewrites the permissions of roles and tokens, in the transaction that changes the model. */
export async function followChanges(transaction: Transaction, changes: readonly Change[]): Promise<void> {
  const names = namesIn(changes)
  if (names.types.size === 0 && names.attributes.size === 0 && names.dropped.size === 0) return
  const { engine } = transaction
  for (const { role, type, permissions } of await transaction.all(
    compile(engine, sql`select role, type, permissions from ${sql.table(PERMISSIONS)}`),
  )) {
    const list: readonly Permission[] = JSON.parse(String(permissions))
    const [renamed] = Object.entries(renamedIn({ [String(type)]: list }, names))
    const row = sql`where role = ${String(role)} and type = ${String(type)}`
    transaction.run(
      compile(
        engine,
        renamed
          ? sql`update ${sql.table(PERMISSIONS)}
              set type = ${renamed[0]}, permissions = ${JSON.stringify(renamed[1])} ${row}`
          : sql`delete from ${sql.table(PERMISSIONS)} ${row}`,
      ),
    )
  }
  for (const { id, permissions } of await transaction.all(
    compile(engine, sql`select id, permissions from ${sql.table(TOKENS)} where permissions is not null`),
  )) {
    const renamed = renamedIn(JSON.parse(String(permissions)), names)
    transaction.run(
      compile(
        engine,
        sql`update ${sql.table(TOKENS)} set permissions = ${JSON.stringify(renamed)} where id = ${Number(id)}`,
      ),
    )
  }
  transaction.touch(PERMISSIONS)
  transaction.touch(TOKENS)
}

/** What these permissions are when the changes are made. */
export const permissionsAfter = (permissions: Permissions, changes: readonly Change[]): Permissions =>
  renamedIn(permissions, namesIn(changes))

interface Names {
  /** New uids by old ones. */
  readonly types: ReadonlyMap<string, string>
  /** New names of attributes by old ones, by old uid of their content-type. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly dropped: ReadonlySet<string>
}

function namesIn(changes: readonly Change[]): Names {
  const types = new Map<string, string>()
  const attributes = new Map<string, Map<string, string>>()
  for (const change of changes) {
    if (change.kind === 'renameType') types.set(change.on.former.uid, change.on.next.uid)
    if (change.kind !== 'renameAttribute' || change.on.kind !== 'type') continue
    const { uid } = change.on.former
    attributes.set(uid, (attributes.get(uid) ?? new Map()).set(change.from.name, change.to.name))
  }
  const dropped = changes.flatMap((change) => (change.kind === 'dropType' ? [change.type.uid] : []))
  return { types, attributes, dropped: new Set(dropped) }
}

const renamedIn = (permissions: Permissions, { types, attributes, dropped }: Names): Permissions =>
  Object.fromEntries(
    Object.entries(permissions)
      .filter(([uid]) => !dropped.has(uid))
      .map(([uid, list]) => {
        const names = attributes.get(uid)
        return [types.get(uid) ?? uid, names ? list.map((one) => renamedRule(one, names)) : list]
      }),
  )

function renamedRule(permission: Permission, names: ReadonlyMap<string, string>): Permission {
  if (typeof permission === 'string') return permission
  const { fields, filters } = permission
  return {
    ...permission,
    ...(fields && { fields: fields.map((name) => names.get(name) ?? name) }),
    ...(filters && { filters: renamedFilters(filters, names) }),
  }
}

/** Attributes stand at the top of a filter, and below `$and`, `$or` and `$not`. */
const renamedFilters = (
  filters: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(filters).map(([key, value]) => [
      names.get(key) ?? key,
      ['$and', '$or', '$not'].includes(key) ? renamedParts(value, names) : value,
    ]),
  )

function renamedParts(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => renamedParts(part, names))
  return typeof value === 'object' && value !== null ? renamedFilters({ ...value }, names) : value
}

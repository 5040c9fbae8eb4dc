/** Inserts, updates and deletes the rows of versions. */
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { SqlValue, Statement } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { servedRow, servedScalars } from '../../store/tables/served.ts'
import { NO_ENTRIES, sameStored, type Version, type VersionRow } from '../versions/version.ts'
import type { Blueprint } from './blueprint.ts'
import { inNumberList, placeholder, placeholders, statement } from './statement.ts'

/** Of the last version: a draft and the version published from it share their values. */
let last: { readonly values: Version['values']; readonly scalars: string } | null = null

/** The `served` column of a version. */
export function servedJson({ type }: Blueprint, documentId: string, version: Version): string {
  const { values } = version
  if (last?.values !== values)
    last = { values, scalars: servedScalars(type, (name) => values.get(name) ?? null) }
  return servedRow(type, documentId, last.scalars, version, version.locale)
}

/** The row of a version as the database has stored it. */
export interface StoredRow extends VersionRow {
  readonly revision: number
}

/** The stored rows; null on an engine where rows are stored as the versions say. */
export type StoredRows = Promise<readonly StoredRow[]> | null

/** Ends a statement that saves rows, and returns what the database decides. */
const returning = ({ hasSingleWriter }: Dialect) =>
  hasSingleWriter ? sql`` : sql` returning id, locale, published, revision`

function save(transaction: Transaction, saving: Statement): StoredRows {
  if (transaction.dialect.hasSingleWriter) {
    transaction.run(saving)
    return null
  }
  const rows = transaction.all(saving).then((returned) =>
    returned.map((row) => ({
      id: Number(row.id),
      locale: String(row.locale),
      published: row.published === 1,
      revision: Number(row.revision),
    })),
  )
  // A failure rejects the write, whether or not its rows are needed.
  rows.catch(() => {})
  return rows
}

/** Inserts rows for new versions. Where row ids are known before the insert, the versions have them already. */
export function insertVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  versions: readonly Version[],
): StoredRows {
  const { key, type, scalars, lists } = blueprint
  const { dialect } = transaction
  const columns = dialect.knowsRowIdsBeforeInsert ? ['id', ...blueprint.columns] : blueprint.columns
  const build =
    () => sql`${dialect.insertInto(sql.table(type.table))} (${sql.join(columns.map((column) => sql.id(column)))})
    values ${sql.join(versions.map(() => sql`(${placeholders(columns.length)})`))}${returning(dialect)}`
  const values: SqlValue[] = []
  for (const version of versions) {
    if (dialect.knowsRowIdsBeforeInsert) values.push(version.id)
    values.push(documentId, version.locale, version.published ? 1 : 0, version.createdAt, version.updatedAt)
    values.push(version.publishedAt, version.createdBy, version.updatedBy, version.revision)
    values.push(servedJson(blueprint, documentId, version))
    for (const { name } of scalars) values.push(version.values.get(name) ?? null)
    for (const { name } of lists) values.push((version.lists.get(name) ?? NO_ENTRIES).text)
  }
  transaction.touch(type.table)
  return save(transaction, statement(dialect, `insert|${key}|${versions.length}`, build, values))
}

interface Change {
  readonly id: number
  readonly version: Version
  /** The attribute columns that change. */
  readonly columns: ReadonlyMap<string, SqlValue>
}

/** Updates rows in place. Versions with the same changes, such as a draft and its published version, share a statement. */
export function updateVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  changes: readonly { readonly before: Version; readonly after: Version }[],
): readonly StoredRows[] {
  const groups: Change[][] = []
  for (const { before, after } of changes) {
    const change = {
      id: Number(before.id),
      version: after,
      columns: changedColumns(blueprint, before, after),
    }
    const group = groups.find(([first]) => first && haveSameChanges(first, change))
    if (group) group.push(change)
    else groups.push([change])
  }
  if (groups.length > 0) transaction.touch(blueprint.type.table)
  return groups.map((group) => updateGroup(transaction, blueprint, documentId, group))
}

function changedColumns({ scalars, lists }: Blueprint, before: Version, after: Version) {
  const columns = new Map<string, SqlValue>()
  for (const { name } of scalars) {
    const stored = after.values.get(name) ?? null
    if (!sameStored(before.values.get(name) ?? null, stored)) columns.set(columnOf(name), stored)
  }
  for (const { name } of lists) {
    const [old, list] = [before.lists.get(name) ?? NO_ENTRIES, after.lists.get(name) ?? NO_ENTRIES]
    if (old !== list && old.text !== list.text) columns.set(columnOf(name), list.text)
  }
  return columns
}

const haveSameChanges = (one: Change, other: Change) =>
  one.columns.size === other.columns.size &&
  one.version.updatedBy === other.version.updatedBy &&
  [...one.columns].every(
    ([column, value]) => other.columns.has(column) && other.columns.get(column) === value,
  )

function updateGroup(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  group: readonly Change[],
): StoredRows {
  const { key, type } = blueprint
  const { dialect } = transaction
  const [first] = group
  if (!first) return null
  const columns = [...first.columns.keys()]
  const perRow = () =>
    group.length === 1
      ? placeholder
      : sql`case id ${sql.join(
          group.map(() => sql`when ${placeholder} then ${placeholder}`),
          ' ',
        )} end`
  const perRowValues = (read: (version: Version) => SqlValue): SqlValue[] =>
    group.length === 1 ? [read(first.version)] : group.flatMap(({ id, version }) => [id, read(version)])
  const build = () =>
    sql`update ${sql.table(type.table)} set ${sql.join([
      ...columns.map((column) => sql`${sql.id(column)} = ${placeholder}`),
      sql`updated_by = ${placeholder}`,
      sql`updated_at = ${perRow()}`,
      sql`published_at = ${perRow()}`,
      sql`served = ${perRow()}`,
      sql`revision = revision + 1`,
    ])} where id in (${placeholders(group.length)})${returning(dialect)}`
  const parameters = [
    ...first.columns.values(),
    first.version.updatedBy,
    ...perRowValues((version) => version.updatedAt),
    ...perRowValues((version) => version.publishedAt),
    ...perRowValues((version) => servedJson(blueprint, documentId, version)),
    ...group.map(({ id }) => id),
  ]
  const shape = `update|${key}|${columns.join()}|${group.length}`
  return save(transaction, statement(dialect, shape, build, parameters))
}

export function deleteVersions(transaction: Transaction, { type }: Blueprint, ids: readonly number[]) {
  if (ids.length === 0) return
  const { dialect } = transaction
  const build = () => sql`delete from ${sql.table(type.table)} where ${inNumberList(dialect, sql.ref('id'))}`
  transaction.run(statement(dialect, `delete|${type.table}`, build, [JSON.stringify(ids)]))
  transaction.touch(type.table)
}

/** The statements on the rows of a content-type: versions are loaded, inserted and updated here. */
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { VERSION_COLUMNS as COLUMNS, columnOf } from '../../store/tables/layout.ts'
import { servedRow, servedScalars } from '../../store/tables/served.ts'
import { EntryList, NO_ENTRIES, sameStored, type Version, type VersionRow } from '../versions/version.ts'
import type { Blueprint } from './blueprint.ts'
import { amongNumbers, place, places, statement } from './statement.ts'

const OWN_COLUMNS = [
  ...[COLUMNS.documentId, COLUMNS.locale, COLUMNS.published, COLUMNS.createdAt, COLUMNS.updatedAt],
  ...[COLUMNS.publishedAt, COLUMNS.createdBy, COLUMNS.updatedBy, COLUMNS.revision, COLUMNS.served],
]

interface Columns {
  /** Those that every version has but the id, then those of the scalars, then those of the lists. */
  readonly stored: readonly string[]
  readonly loaded: readonly string[]
  /** Names them all in the shape of a statement. */
  readonly shape: string
}

const known = new WeakMap<Blueprint, Columns>()
let shapes = 0

function columnsOf(blueprint: Blueprint): Columns {
  let columns = known.get(blueprint)
  if (!columns) {
    const attributes = [...blueprint.scalars, ...blueprint.lists].map(({ name }) => columnOf(name))
    const stored = [...OWN_COLUMNS, ...attributes]
    const loaded = ['id', ...stored.filter((column) => column !== COLUMNS.served)]
    columns = { stored, loaded, shape: `${blueprint.type.table} ${++shapes}` }
    known.set(blueprint, columns)
  }
  return columns
}

/** Every version of a document, without its edges. */
export async function loadVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
): Promise<readonly Version[]> {
  const { loaded, shape } = columnsOf(blueprint)
  const build = () => sql`select ${sql.join(loaded.map((column) => sql.id(column)))}
    from ${sql.table(blueprint.type.table)} where document_id = ${place}`
  const rows = await transaction.all(statement(transaction.dialect, `load|${shape}`, build, [documentId]))
  return rows.map((row) => versionFrom(blueprint, row))
}

const textOrNull = (value: SqlValue | undefined) =>
  value === null || value === undefined ? null : String(value)

function versionFrom({ scalars: own, lists }: Blueprint, row: Row): Version {
  return {
    id: Number(row.id),
    locale: String(row.locale),
    published: row.published === 1,
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    publishedAt: textOrNull(row.published_at),
    createdBy: textOrNull(row.created_by),
    updatedBy: textOrNull(row.updated_by),
    revision: Number(row.revision),
    values: new Map(own.map(({ name }) => [name, row[columnOf(name)] ?? null])),
    lists: new Map(lists.map(({ name }) => [name, EntryList.stored(textOrNull(row[columnOf(name)]))])),
    edges: new Map(),
  }
}

/** Of the last version: a draft and what is published of it share their values. */
let last: { readonly values: Version['values']; readonly scalars: string } | null = null

/** What is served of a version's own values. */
export function served({ type }: Blueprint, documentId: string, version: Version): string {
  const { values } = version
  if (last?.values !== values)
    last = { values, scalars: servedScalars(type, (name) => values.get(name) ?? null) }
  return servedRow(type, documentId, last.scalars, version, version.locale)
}

/** Inserts rows for versions that have none. On SQLite they have the ids that the versions say, if they say one. */
export function insertVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  versions: readonly Version[],
) {
  if (versions.length === 0) return
  const { type, scalars: own, lists } = blueprint
  const { stored, shape } = columnsOf(blueprint)
  const { dialect } = transaction
  const columns = dialect.knowsRowIdsBeforeInsert ? ['id', ...stored] : stored
  const build =
    () => sql`${dialect.insertInto(sql.table(type.table))} (${sql.join(columns.map((column) => sql.id(column)))})
    values ${sql.join(versions.map(() => sql`(${places(columns.length)})`))}`
  const values: SqlValue[] = []
  for (const version of versions) {
    if (dialect.knowsRowIdsBeforeInsert) values.push(version.id)
    values.push(documentId, version.locale, version.published ? 1 : 0, version.createdAt, version.updatedAt)
    values.push(version.publishedAt, version.createdBy, version.updatedBy, version.revision)
    values.push(served(blueprint, documentId, version))
    for (const { name } of own) values.push(version.values.get(name) ?? null)
    for (const { name } of lists) values.push((version.lists.get(name) ?? NO_ENTRIES).text)
  }
  transaction.run(statement(dialect, `insert|${shape}|${versions.length}`, build, values))
  transaction.touch(type.table)
}

/** The ids of a document's rows, with their status and locale. */
export async function loadRowIds(
  transaction: Transaction,
  { type: { table } }: Blueprint,
  documentId: string,
): Promise<readonly VersionRow[]> {
  const build = () => sql`select id, locale, published from ${sql.table(table)} where document_id = ${place}`
  const rows = await transaction.all(statement(transaction.dialect, `ids|${table}`, build, [documentId]))
  return rows.map((row) => ({
    id: Number(row.id),
    locale: String(row.locale),
    published: row.published === 1,
  }))
}

interface Change {
  readonly id: number
  readonly version: Version
  /** The attribute columns that change. */
  readonly columns: ReadonlyMap<string, SqlValue>
}

/** Updates rows in place. Versions that change alike, as a draft and what is published of it do, share a statement. */
export function updateVersions(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string,
  changes: readonly { readonly before: Version; readonly after: Version }[],
) {
  const groups: Change[][] = []
  for (const { before, after } of changes) {
    const change = {
      id: Number(before.id),
      version: after,
      columns: changedColumns(blueprint, before, after),
    }
    const group = groups.find(([first]) => first && changeAlike(first, change))
    if (group) group.push(change)
    else groups.push([change])
  }
  for (const group of groups) updateGroup(transaction, blueprint, documentId, group)
  if (groups.length > 0) transaction.touch(blueprint.type.table)
}

function changedColumns({ scalars: own, lists }: Blueprint, before: Version, after: Version) {
  const columns = new Map<string, SqlValue>()
  for (const { name } of own) {
    const stored = after.values.get(name) ?? null
    if (!sameStored(before.values.get(name) ?? null, stored)) columns.set(columnOf(name), stored)
  }
  for (const { name } of lists) {
    const [old, list] = [before.lists.get(name) ?? NO_ENTRIES, after.lists.get(name) ?? NO_ENTRIES]
    if (old !== list && old.text !== list.text) columns.set(columnOf(name), list.text)
  }
  return columns
}

const changeAlike = (one: Change, other: Change) =>
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
) {
  const { type } = blueprint
  const [first] = group
  if (!first) return
  const columns = [...first.columns.keys()]
  /** One value for one row; for several rows the one of each. */
  const perRow = () =>
    group.length === 1
      ? place
      : sql`case id ${sql.join(
          group.map(() => sql`when ${place} then ${place}`),
          ' ',
        )} end`
  const perRowValues = (read: (version: Version) => SqlValue): SqlValue[] =>
    group.length === 1 ? [read(first.version)] : group.flatMap(({ id, version }) => [id, read(version)])
  const build = () =>
    sql`update ${sql.table(type.table)} set ${sql.join([
      ...columns.map((column) => sql`${sql.id(column)} = ${place}`),
      sql`updated_by = ${place}`,
      sql`updated_at = ${perRow()}`,
      sql`published_at = ${perRow()}`,
      sql`served = ${perRow()}`,
      sql`revision = revision + 1`,
    ])} where id in (${places(group.length)})`
  const parameters = [
    ...first.columns.values(),
    first.version.updatedBy,
    ...perRowValues((version) => version.updatedAt),
    ...perRowValues((version) => version.publishedAt),
    ...perRowValues((version) => served(blueprint, documentId, version)),
    ...group.map(({ id }) => id),
  ]
  const shape = `update|${type.table}|${columns.join()}|${group.length}`
  transaction.run(statement(transaction.dialect, shape, build, parameters))
}

/** Deletes rows. */
export function deleteVersions(transaction: Transaction, { type }: Blueprint, ids: readonly number[]) {
  if (ids.length === 0) return
  const { dialect } = transaction
  const build = () => sql`delete from ${sql.table(type.table)} where ${amongNumbers(dialect, sql.ref('id'))}`
  transaction.run(statement(dialect, `delete|${type.table}`, build, [JSON.stringify(ids)]))
  transaction.touch(type.table)
}

/** Creates tables, columns and indexes. Nothing that contains content is dropped here. */
import type { ContentType } from '../../model/model.ts'
import { compile } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import { StartError } from '../errors.ts'
import { upgradeStorage } from '../migration/upgrade-storage.ts'
import { type Sql, sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import type { ExistingTable } from './existing.ts'
import { fileKindOf } from './file-kind.ts'
import { BEGINNING } from './indexed.ts'
import { columnOf, EDGES, INVERSE, inverseColumns, VERSION_COLUMNS } from './layout.ts'
import type { Column, Index, TypeTable } from './tables.ts'

const run = (transaction: Transaction, query: Sql) => transaction.run(compile(transaction.dialect, query))
const all = (transaction: Transaction, query: Sql) => transaction.all(compile(transaction.dialect, query))

/** Takes the lock of migrations. The wait for table locks is limited, because other reads would wait behind it. */
export function takeLock(transaction: Transaction) {
  transaction.lock(['octavo:migrate'])
  const { withoutStatementTimeout, limitLockWait } = transaction.dialect
  for (const setting of [...withoutStatementTimeout, ...limitLockWait]) run(transaction, setting)
}

/** Creates the tables that every database has, under the lock of migrations. */
export async function createBaseTables(transaction: Transaction) {
  const { dialect } = transaction
  const text = sql.raw(dialect.textType)
  takeLock(transaction)
  run(
    transaction,
    sql`CREATE TABLE IF NOT EXISTS octavo_meta (key ${text} PRIMARY KEY, value ${text} NOT NULL)`,
  )
  run(
    transaction,
    sql`CREATE TABLE IF NOT EXISTS octavo_relations (id integer PRIMARY KEY, key ${text} NOT NULL UNIQUE)`,
  )
  const edges = sql.table(EDGES)
  run(
    transaction,
    sql`CREATE TABLE IF NOT EXISTS ${edges} (
      relation integer NOT NULL, source bigint NOT NULL, entry bigint NOT NULL DEFAULT 0,
      target ${text} NOT NULL, published smallint NOT NULL DEFAULT 1, target_type ${text},
      position double precision NOT NULL, inverse_position double precision NOT NULL,
      PRIMARY KEY (relation, source, entry, position, target)) ${sql.raw(dialect.edgeTableOptions)}`,
  )
  await upgradeStorage(transaction)
  const columns = sql.join(inverseColumns(dialect).map((column) => sql.id(column)))
  run(transaction, sql`CREATE INDEX IF NOT EXISTS ${sql.id(INVERSE)} ON ${edges} (${columns})`)
  await dialect.createRoutines(transaction.all)
}

/** Creates the table of a type and its missing columns. `createIndexes` follows when the content is migrated. */
export function createColumns(
  transaction: Transaction,
  after: TypeTable,
  before: TypeTable | null,
  existing: ExistingTable | undefined,
) {
  const table = sql.table(after.table)
  if (!existing) {
    const columns = [...versionColumns(transaction.dialect), ...after.columns.map(definition)]
    run(
      transaction,
      sql`CREATE TABLE ${table} (${sql.join(columns)}) ${sql.raw(transaction.dialect.contentTableOptions)}`,
    )
    return
  }
  for (const index of obsoleteIndexes(after, before))
    run(transaction, sql`DROP INDEX IF EXISTS ${sql.id(index.name)}`)
  for (const column of after.columns) {
    if (!existing.columns.has(column.name))
      run(transaction, sql`ALTER TABLE ${table} ADD COLUMN ${definition(column)}`)
  }
}

/** Creates the missing indexes of a type; content that violates a unique one is a StartError that names it. */
export async function createIndexes(
  transaction: Transaction,
  type: ContentType,
  after: TypeTable,
  before: TypeTable | null,
  existing: ExistingTable | undefined,
) {
  const dropped = new Set(obsoleteIndexes(after, before).map(({ name }) => name))
  for (const index of after.indexes) {
    if (existing?.indexes.has(index.name) && !dropped.has(index.name)) continue
    if (existing && index.unique && index.publishedOnly) await refuseDuplicates(transaction, type, index)
    createIndex(transaction, type.table, index)
  }
}

/** Indexes that the model no longer has, and those that must be created again after the content has changed. */
function obsoleteIndexes(after: TypeTable, before: TypeTable | null): readonly Index[] {
  const target = new Set(after.indexes.map(fingerprint))
  // All drafts become published together, so they are checked for duplicates as a whole.
  const publishes = before?.draftAndPublish === true && !after.draftAndPublish
  return (before?.indexes ?? []).filter(
    (index) => !target.has(fingerprint(index)) || (publishes && index.unique && index.publishedOnly),
  )
}

const fingerprint = (index: Index) => JSON.stringify(index)

const definition = ({ name, type }: Column) => sql`${sql.id(name)} ${sql.raw(type)}`

function versionColumns(dialect: Dialect): Sql[] {
  const c = VERSION_COLUMNS
  const text = sql.raw(dialect.textType)
  return [
    sql`${sql.id(c.id)} ${sql.raw(dialect.rowIdType)}`,
    sql`${sql.id(c.documentId)} ${text} NOT NULL`,
    sql`${sql.id(c.locale)} ${text} NOT NULL`,
    sql`${sql.id(c.published)} ${sql.raw(dialect.smallIntegerType)} NOT NULL`,
    sql`${sql.id(c.createdAt)} ${text} NOT NULL`,
    sql`${sql.id(c.updatedAt)} ${text} NOT NULL`,
    sql`${sql.id(c.publishedAt)} ${text}`,
    sql`${sql.id(c.createdBy)} ${text}`,
    sql`${sql.id(c.updatedBy)} ${text}`,
    sql`${sql.id(c.revision)} INTEGER NOT NULL DEFAULT 1`,
    sql`${sql.id(c.served)} ${text} NOT NULL`,
  ]
}

function createIndex(transaction: Transaction, table: string, index: Index) {
  const { dialect } = transaction
  const parts = index.parts.map(({ column, digest, beginning, fileKind }) => {
    const name = sql.id(column)
    if (fileKind) return sql`(${fileKindOf(name)})`
    if (digest && dialect.limitsIndexedLength) return sql`md5(${name})`
    const value = beginning ? sql`left(${name}, ${sql.lit(BEGINNING)})` : name
    return isAttributeColumn(column) ? sql`${value}${sql.raw(dialect.nullsFirst)}` : value
  })
  const last = sql.id(index.parts.at(-1)?.column ?? '')
  const limits = [
    ...(index.publishedOnly ? [sql`published = 1`] : []),
    ...(index.holding ? [dialect.contains(last, index.holding)] : []),
    ...(index.filledOnly ? [sql`${last} <> ''`] : []),
  ]
  run(
    transaction,
    sql`CREATE ${sql.raw(index.unique ? 'UNIQUE INDEX' : 'INDEX')} ${sql.id(index.name)}
      ON ${sql.table(table)} (${sql.join(parts)}) ${limits.length > 0 ? sql`WHERE ${sql.join(limits, ' AND ')}` : sql``}`,
  )
}

const isAttributeColumn = (column: string) => column.startsWith(columnOf(''))

const SHOWN_DUPLICATES = 5

/** Names the documents that share a value; the database would only report that some do. */
async function refuseDuplicates(transaction: Transaction, type: ContentType, index: Index) {
  const column = index.parts.at(-1)?.column ?? ''
  const rows = await all(
    transaction,
    sql`SELECT string_agg(document_id, ', ' ORDER BY document_id) AS documents FROM ${sql.table(type.table)}
      WHERE published = 1 AND ${sql.id(column)} ${index.filledOnly ? sql`<> ''` : sql`IS NOT NULL`}
      GROUP BY locale, ${sql.id(column)} HAVING count(*) > 1 ORDER BY 1 LIMIT ${sql.lit(SHOWN_DUPLICATES)}`,
  )
  if (rows.length === 0) return
  const shown = rows.map((row) => String(row.documents)).join('; ')
  throw new StartError(
    `The attribute ${column.slice(2)} of ${type.uid} must be unique, but these documents have the same value: ${shown}`,
  )
}

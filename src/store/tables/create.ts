/** Creates tables and adds columns and indexes to them. Nothing with content in it is dropped here. */
import type { ContentType } from '../../model/model.ts'
import { compile } from '../compile.ts'
import { StartError } from '../errors.ts'
import { createSchemaVersionCheck } from '../migration/schema-version-check.ts'
import { upgradeStorage } from '../migration/upgrade-storage.ts'
import { createFold } from '../postgres/fold-function.ts'
import { ENTRY_ID_BLOCK } from '../postgres/transaction.ts'
import { type Sql, sql } from '../sql.ts'
import type { EngineName, Transaction } from '../store.ts'
import type { ExistingTable } from './existing.ts'
import { BEGINNING, holds } from './indexed.ts'
import { columnOf, EDGES, INVERSE, inverseColumns, VERSION_COLUMNS } from './layout.ts'
import type { Column, Index, TypeTable } from './tables.ts'

const run = (transaction: Transaction, query: Sql) => transaction.run(compile(transaction.engine, query))
const all = (transaction: Transaction, query: Sql) => transaction.all(compile(transaction.engine, query))

const textType = (engine: EngineName) => sql.raw(engine === 'sqlite' ? 'TEXT' : 'text COLLATE "C"')
const options = (engine: EngineName, words: string) => sql.raw(engine === 'sqlite' ? words : '')

/** Takes the lock under which a migration runs. A long read of somebody else must not hold up all others behind it. */
export function takeLock(transaction: Transaction) {
  transaction.lock(['octavo:migrate'])
  if (transaction.engine === 'sqlite') return
  run(transaction, sql`SET LOCAL statement_timeout = 0`)
  run(transaction, sql`SET LOCAL lock_timeout = '3s'`)
}

/** The tables that every database has, made under the lock. */
export async function createBaseTables(transaction: Transaction) {
  const { engine } = transaction
  const text = textType(engine)
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
      PRIMARY KEY (relation, source, entry, position, target)) ${options(engine, 'WITHOUT ROWID')}`,
  )
  await upgradeStorage(transaction)
  const columns = sql.join(inverseColumns(engine).map((column) => sql.id(column)))
  run(transaction, sql`CREATE INDEX IF NOT EXISTS ${sql.id(INVERSE)} ON ${edges} (${columns})`)
  if (engine === 'postgres') {
    run(
      transaction,
      sql`CREATE SEQUENCE IF NOT EXISTS octavo_entry_ids INCREMENT BY ${sql.lit(ENTRY_ID_BLOCK)}`,
    )
    await createFold(transaction)
    createSchemaVersionCheck(transaction)
  }
}

/** Makes the table of a type and its columns exist. Indexes wait for `createIndexes`, until the content is in shape. */
export function createColumns(
  transaction: Transaction,
  after: TypeTable,
  before: TypeTable | null,
  existing: ExistingTable | undefined,
) {
  const table = sql.table(after.table)
  if (!existing) {
    const columns = [...versionColumns(transaction.engine), ...after.columns.map(definition)]
    run(
      transaction,
      sql`CREATE TABLE ${table} (${sql.join(columns)}) ${options(transaction.engine, 'STRICT')}`,
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

/** Makes the missing indexes of a type; content that breaks a unique one is a StartError that names it. */
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

/** Indexes that the model no longer has, and those that must be made again after the content has changed. */
function obsoleteIndexes(after: TypeTable, before: TypeTable | null): readonly Index[] {
  const wanted = new Set(after.indexes.map(fingerprint))
  // Content that becomes published all at once is checked for duplicates as a whole.
  const publishes = before?.draftAndPublish === true && !after.draftAndPublish
  return (before?.indexes ?? []).filter(
    (index) => !wanted.has(fingerprint(index)) || (publishes && index.unique && index.publishedOnly),
  )
}

const fingerprint = (index: Index) => JSON.stringify(index)

const definition = ({ name, type }: Column) => sql`${sql.id(name)} ${sql.raw(type)}`

function versionColumns(engine: EngineName): Sql[] {
  const c = VERSION_COLUMNS
  const text = textType(engine)
  const id =
    engine === 'sqlite'
      ? 'INTEGER PRIMARY KEY AUTOINCREMENT'
      : 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY'
  const small = sql.raw(engine === 'sqlite' ? 'INTEGER' : 'smallint')
  return [
    sql`${sql.id(c.id)} ${sql.raw(id)}`,
    sql`${sql.id(c.documentId)} ${text} NOT NULL`,
    sql`${sql.id(c.locale)} ${text} NOT NULL`,
    sql`${sql.id(c.published)} ${small} NOT NULL`,
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
  const { engine } = transaction
  const parts = index.parts.map(({ column, digest, beginning }) => {
    if (engine !== 'postgres') return sql`${sql.id(column)}`
    if (digest) return sql`md5(${sql.id(column)})`
    // As lists are sorted: an index with nulls last could not serve them.
    if (beginning) return sql`left(${sql.id(column)}, ${sql.lit(BEGINNING)}) NULLS FIRST`
    return isAttributeColumn(column) ? sql`${sql.id(column)} NULLS FIRST` : sql`${sql.id(column)}`
  })
  const limits = [
    ...(index.publishedOnly ? [sql`published = 1`] : []),
    ...(index.holding ? [holds(engine, sql.id(index.parts.at(-1)?.column ?? ''), index.holding)] : []),
  ]
  run(
    transaction,
    sql`CREATE ${sql.raw(index.unique ? 'UNIQUE INDEX' : 'INDEX')} ${sql.id(index.name)}
      ON ${sql.table(table)} (${sql.join(parts)}) ${limits.length > 0 ? sql`WHERE ${sql.join(limits, ' AND ')}` : sql``}`,
  )
}

const isAttributeColumn = (column: string) => column.startsWith(columnOf(''))

const SHOWN_DUPLICATES = 5

/** Says which documents share a value, where the database would only say that some do. */
async function refuseDuplicates(transaction: Transaction, type: ContentType, index: Index) {
  const column = index.parts.at(-1)?.column ?? ''
  const documents =
    transaction.engine === 'sqlite'
      ? sql`group_concat(document_id, ', ')`
      : sql`string_agg(document_id, ', ' ORDER BY document_id)`
  const rows = await all(
    transaction,
    sql`SELECT ${documents} AS documents FROM ${sql.table(type.table)}
      WHERE published = 1 AND ${sql.id(column)} IS NOT NULL
      GROUP BY locale, ${sql.id(column)} HAVING count(*) > 1 ORDER BY 1 LIMIT ${sql.lit(SHOWN_DUPLICATES)}`,
  )
  if (rows.length === 0) return
  const shown = rows.map((row) => String(row.documents)).join('; ')
  throw new StartError(
    `The attribute ${column.slice(2)} of ${type.uid} must be unique, but these documents have the same value: ${shown}`,
  )
}

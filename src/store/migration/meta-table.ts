/** Reads and writes octavo_meta: the storage format, the schema version, the model and its tables. */
import type { Model } from '../../model/model.ts'
import { deserializeModel, serializeModel } from '../../model/serialize-model.ts'
import type { SchemaSource } from '../../project/source.ts'
import { StartError } from '../errors.ts'
import { sql } from '../sql.ts'
import type { Row } from '../statement.ts'
import type { Store, Transaction } from '../store.ts'
import type { TypeTable } from '../tables/tables.ts'
import { execute, type ReadSql, readFrom, readWithin } from './run-sql.ts'

/** The version of this table changes with the model of the database. */
export const META_TABLE = 'octavo_meta'

/** Increased when the storage changes in a way that an older Octavo would misread or revert. */
export const STORAGE_FORMAT = 5

/** The key of a row that exists if the database has search indexes. */
const SEARCH = 'search'

/** What the last migration recorded. */
export interface MigrationState {
  readonly format: number
  /** Increases with every migration; 0 before the first. */
  readonly schemaVersion: number
  /** Identifies the model and the tables made for it. */
  readonly signature: string | null
  /** Relation ids by key. */
  readonly relations: ReadonlyMap<string, number>
  /** Whether the database has the search indexes of the model. */
  readonly hasSearch: boolean
}

/** One statement, so that a start with nothing to change costs one round trip. */
export async function readMigrationState(read: ReadSql): Promise<MigrationState> {
  const { meta, relations } = await readMeta(read, ['format', 'signature', 'number', SEARCH])
  const format = Number(meta.get('format') ?? STORAGE_FORMAT)
  if (format > STORAGE_FORMAT) {
    throw new StartError(
      `The database was written by a newer version of Octavo (storage format ${format}; this version supports ${STORAGE_FORMAT}). Update Octavo.`,
    )
  }
  const schemaVersion = Number(meta.get('number') ?? 0)
  return {
    format,
    schemaVersion,
    signature: meta.get('signature') ?? null,
    relations,
    hasSearch: meta.has(SEARCH),
  }
}

export interface StoredSchema extends Pick<MigrationState, 'schemaVersion' | 'relations' | 'hasSearch'> {
  readonly sources: readonly SchemaSource[]
}

/** The current schema of the database, or null if it has none yet. */
export async function readStoredSchema(store: Store): Promise<StoredSchema | null> {
  const { meta, relations } = await readMeta(readFrom(store), ['number', 'schema', SEARCH])
  const schema = meta.get('schema')
  if (schema === undefined) return null
  const sources: readonly SchemaSource[] = JSON.parse(schema)
  return { schemaVersion: Number(meta.get('number')), relations, hasSearch: meta.has(SEARCH), sources }
}

async function readMeta(read: ReadSql, keys: readonly string[]) {
  const rows = await read(
    sql`SELECT 'meta' AS kind, key, value FROM octavo_meta WHERE key IN (${sql.join(keys)})
      UNION ALL SELECT 'relation', key, CAST(id AS text) FROM octavo_relations`,
  ).catch(emptyIfNoTable)
  const rowsOfKind = (kind: string) => rows.filter((row) => row.kind === kind)
  return {
    meta: new Map(rowsOfKind('meta').map(({ key, value }) => [String(key), String(value)])),
    relations: new Map(rowsOfKind('relation').map(({ key, value }) => [String(key), Number(value)])),
  }
}

/** A database that was never migrated has no octavo_meta. */
export function emptyIfNoTable(error: unknown): readonly Row[] {
  const isMissing =
    error instanceof Error && (Reflect.get(error, 'code') === '42P01' || /no such table/.test(error.message))
  if (isMissing) return []
  throw error
}

const NO_MODEL: Pick<Model, 'types' | 'components' | 'endpoints' | 'sources'> = {
  types: new Map(),
  components: new Map(),
  endpoints: new Map(),
  sources: [],
}

/** The model of the stored content, and the table of each content-type by uid. */
export async function readStoredModel(
  read: ReadSql,
  locales: Model['locales'],
): Promise<{ readonly model: Model; readonly tables: ReadonlyMap<string, TypeTable> }> {
  const rows = await read(MODEL_AND_TABLES).catch(emptyIfNoTable)
  const text = rows.find(({ key }) => key === 'model')?.value
  const model = text === undefined ? { ...NO_MODEL, locales } : deserializeModel(String(text))
  return { model, tables: tablesIn(rows) }
}

const MODEL_AND_TABLES = sql`SELECT key, value FROM octavo_meta WHERE key = 'model' OR key LIKE 'type:%'`

const tablesIn = (rows: readonly Row[]): Map<string, TypeTable> =>
  new Map(
    rows
      .filter(({ key }) => key !== 'model')
      .map(({ key, value }) => [String(key).slice('type:'.length), JSON.parse(String(value))]),
  )

/** The table of each content-type by uid. */
export const readTypeTables = async (transaction: Transaction): Promise<ReadonlyMap<string, TypeTable>> =>
  tablesIn(await readWithin(transaction)(MODEL_AND_TABLES))

/** The storage format; null in a database that was never migrated. */
export async function readFormat(transaction: Transaction): Promise<number | null> {
  const [row] = await readWithin(transaction)(sql`SELECT value FROM octavo_meta WHERE key = 'format'`)
  return row ? Number(row.value) : null
}

export const storeFormat = (transaction: Transaction) =>
  storeMeta(transaction, 'format', String(STORAGE_FORMAT))

export function storeModel(
  transaction: Transaction,
  model: Model,
  signature: string,
  schemaVersion: number,
  hasSearch: boolean,
): void {
  storeFormat(transaction)
  storeMeta(transaction, 'signature', signature)
  storeMeta(transaction, 'model', serializeModel(model))
  storeMeta(transaction, 'schema', JSON.stringify(model.sources))
  storeMeta(transaction, 'number', String(schemaVersion))
  if (hasSearch) storeMeta(transaction, SEARCH, 'yes')
  else execute(transaction, sql`DELETE FROM octavo_meta WHERE key = ${SEARCH}`)
  transaction.touch(META_TABLE)
}

export const storeTypeTable = (transaction: Transaction, uid: string, table: TypeTable) =>
  storeMeta(transaction, `type:${uid}`, JSON.stringify(table))

const storeMeta = (transaction: Transaction, key: string, value: string) =>
  execute(
    transaction,
    sql`INSERT INTO octavo_meta (key, value) VALUES (${key}, ${value})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )

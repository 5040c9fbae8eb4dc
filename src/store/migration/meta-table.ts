/** What a database knows of the model its content was written for; kept beside the content, one state at a time. */
import type { Model } from '../../model/model.ts'
import { deserializeModel, serializeModel } from '../../model/serialize-model.ts'
import type { SchemaSource } from '../../project/source.ts'
import { compile } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import { StartError } from '../errors.ts'
import { sql } from '../sql.ts'
import type { Row, Statement } from '../statement.ts'
import type { Store, Transaction } from '../store.ts'
import type { TypeTable } from '../tables/tables.ts'

/** The table of what is kept; its version changes when the model of the database does. */
export const META_TABLE = 'octavo_meta'

/** Raised when the storage changes in a way that an older Octavo would misread, or make as it was. */
export const STORAGE_FORMAT = 3

/** What the last migration left in the database. */
export interface MigrationState {
  /** The format of the storage. */
  readonly format: number
  /** Counts the models that the database has had; 0 before the first. */
  readonly schemaVersion: number
  /** Names the model and the tables made for it. */
  readonly signature: string | null
  /** Numbers of relations by key. */
  readonly relations: ReadonlyMap<string, number>
}

type All = (statement: Statement) => Promise<readonly Row[]>

/** One statement, so that a start with nothing to change costs one round trip. */
export async function readMigrationState(all: All, dialect: Dialect): Promise<MigrationState> {
  const { meta, relations } = await read(all, dialect, ['format', 'signature', 'number'])
  const format = Number(meta.get('format') ?? STORAGE_FORMAT)
  if (format > STORAGE_FORMAT) {
    throw new StartError(
      `The database was made by a newer Octavo (its format is ${format}, this one knows ${STORAGE_FORMAT}): update Octavo`,
    )
  }
  const number = Number(meta.get('number') ?? 0)
  return { format, schemaVersion: number, signature: meta.get('signature') ?? null, relations }
}

/** The schema that the database has now, or null when it has none. */
export async function readStoredSchema(
  store: Store,
): Promise<(Omit<MigrationState, 'format'> & { readonly sources: readonly SchemaSource[] }) | null> {
  const { meta, relations } = await read((statement) => store.read(statement), store.dialect, [
    'signature',
    'number',
    'schema',
  ])
  const schema = meta.get('schema')
  if (schema === undefined) return null
  const sources: readonly SchemaSource[] = JSON.parse(schema)
  return {
    schemaVersion: Number(meta.get('number')),
    signature: meta.get('signature') ?? null,
    relations,
    sources,
  }
}

async function read(all: All, dialect: Dialect, keys: readonly string[]) {
  const rows = await all(
    compile(
      dialect,
      sql`SELECT 'meta' AS kind, key, value FROM octavo_meta WHERE key IN (${sql.join(keys)})
        UNION ALL SELECT 'relation', key, CAST(id AS text) FROM octavo_relations`,
    ),
  ).catch(emptyIfNoTable)
  const ofKind = (wanted: string) => rows.filter(({ kind }) => kind === wanted)
  return {
    meta: new Map(ofKind('meta').map(({ key, value }) => [String(key), String(value)])),
    relations: new Map(ofKind('relation').map(({ key, value }) => [String(key), Number(value)])),
  }
}

/** A database that has never been migrated has no tables to ask. */
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

/** The model that the content was written for, and what the database has for each of its content-types. */
export async function readStoredModel(
  all: All,
  dialect: Dialect,
  locales: Model['locales'],
): Promise<{ readonly model: Model; readonly states: ReadonlyMap<string, TypeTable> }> {
  const rows = await all(compile(dialect, FORMER)).catch(emptyIfNoTable)
  const text = rows.find(({ key }) => key === 'model')?.value
  const model = text === undefined ? { ...NO_MODEL, locales } : deserializeModel(String(text))
  return { model, states: statesIn(rows) }
}

const FORMER = sql`SELECT key, value FROM octavo_meta WHERE key = 'model' OR key LIKE 'type:%'`

const statesIn = (rows: readonly Row[]): Map<string, TypeTable> =>
  new Map(
    rows
      .filter(({ key }) => key !== 'model')
      .map(({ key, value }) => [String(key).slice('type:'.length), JSON.parse(String(value))]),
  )

/** What the database has for each content-type, by uid. */
export const readTableStates = async (transaction: Transaction): Promise<ReadonlyMap<string, TypeTable>> =>
  statesIn(await transaction.all(compile(transaction.dialect, FORMER)))

/** The format of the storage; null in a database that has never been migrated. */
export async function readFormat(transaction: Transaction): Promise<number | null> {
  const [row] = await transaction.all(
    compile(transaction.dialect, sql`SELECT value FROM octavo_meta WHERE key = 'format'`),
  )
  return row ? Number(row.value) : null
}

/** Keeps that the storage has the format of this Octavo. */
export const storeFormat = (transaction: Transaction) =>
  storeMeta(transaction, 'format', String(STORAGE_FORMAT))

/** Keeps a model as the one that the content is written for from now on. */
export function storeModel(transaction: Transaction, model: Model, signature: string, number: number): void {
  storeFormat(transaction)
  storeMeta(transaction, 'signature', signature)
  storeMeta(transaction, 'model', serializeModel(model))
  storeMeta(transaction, 'schema', JSON.stringify(model.sources))
  storeMeta(transaction, 'number', String(number))
  transaction.touch(META_TABLE)
}

/** Keeps what the database has for a content-type. */
export const storeTableState = (transaction: Transaction, uid: string, state: TypeTable) =>
  storeMeta(transaction, `type:${uid}`, JSON.stringify(state))

const storeMeta = (transaction: Transaction, key: string, value: string) =>
  transaction.run(
    compile(
      transaction.dialect,
      sql`INSERT INTO octavo_meta (key, value) VALUES (${key}, ${value})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ),
  )

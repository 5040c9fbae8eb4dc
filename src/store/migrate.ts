/**
 * Makes a database fit a model when the server starts: tables, columns, indexes and the content that a changed model
 * shows differently. Only adds; what the model no longer has stays where it is.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ApiError } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import { changesOf } from './changes.ts'
import { compile } from './compile.ts'
import { createBaseTables, createColumns, createIndexes } from './create.ts'
import { type ExistingTable, existingTables } from './existing.ts'
import { StartError } from './failure.ts'
import { createLayout, EDGES, type Layout, VERSION_COLUMNS } from './layout.ts'
import { rebuildEntries } from './rebuild-entries.ts'
import { rebuildServed } from './rebuild-served.ts'
import { reshapeDrafts, reshapeLocales } from './reshape.ts'
import type { Row, Store, Transaction } from './store.ts'
import { type ComponentState, type TypeState, type Wanted, wantedBy } from './tables.ts'

/** Raised when the storage changes in a way that an older Octavo would misread. */
const FORMAT = 1

/** How long to wait for another process that is migrating the same database. */
const PATIENCE = 120_000

/** What the last migration left in the database. */
interface State {
  readonly format: number
  readonly signature: string | null
  readonly relations: ReadonlyMap<string, number>
}

/**
 * Brings the database in line with the model and answers with the layout. Several processes may do so at once. Tells
 * in words what it changed.
 */
export async function migrate(
  store: Store,
  model: Model,
  tell: (change: string) => void = () => {},
): Promise<Layout> {
  const wanted = wantedBy(model, store.engine)
  const signature = createHash('sha256')
    .update(JSON.stringify([store.engine, wanted]))
    .digest('hex')
  const known = await readState((statement) => store.read(statement), store.engine)
  if (known.signature === signature) return createLayout(model, known.relations)
  const { relations, changes } = await patiently(() =>
    store.write(async (transaction) => {
      await createBaseTables(transaction)
      const current = await readState((statement) => transaction.all(statement), store.engine)
      if (current.signature === signature) return { relations: current.relations, changes: [] }
      const ids = await registerRelations(transaction, current.relations, wanted.relations)
      const changes = await bringInLine(transaction, model, wanted, ids)
      await keep(transaction, 'format', FORMAT)
      await keep(transaction, 'signature', signature)
      return { relations: ids, changes }
    }),
  )
  for (const change of changes) tell(change)
  return createLayout(model, relations)
}

async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = Date.now() + PATIENCE
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 503
      if (!isBusy) throw error
      if (Date.now() > until)
        throw new StartError(`The database could not be brought in line: ${error.message}`)
      await sleep(200)
    }
  }
}

/** One statement, so that a start with nothing to change costs one round trip. */
async function readState(
  all: (statement: ReturnType<typeof compile>) => Promise<readonly Row[]>,
  engine: Store['engine'],
): Promise<State> {
  const rows = await all(
    compile(
      engine,
      sql`SELECT 'meta' AS kind, key, value FROM octavo_meta WHERE key IN ('format', 'signature')
        UNION ALL SELECT 'relation', key, CAST(id AS text) FROM octavo_relations`,
    ),
  ).catch((error: unknown) => {
    if (isMissingTable(error)) return []
    throw error
  })
  const meta = new Map(
    rows.filter(({ kind }) => kind === 'meta').map(({ key, value }) => [key, String(value)]),
  )
  const format = Number(meta.get('format') ?? FORMAT)
  if (format > FORMAT) {
    throw new StartError(
      `The database was made by a newer Octavo (its format is ${format}, this one knows ${FORMAT}): update Octavo`,
    )
  }
  const relations = new Map(
    rows.filter(({ kind }) => kind === 'relation').map(({ key, value }) => [String(key), Number(value)]),
  )
  return { format, signature: meta.get('signature') ?? null, relations }
}

function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return Reflect.get(error, 'code') === '42P01' || /no such table/.test(error.message)
}

async function registerRelations(
  transaction: Transaction,
  known: ReadonlyMap<string, number>,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map(known)
  let last = Math.max(0, ...known.values())
  for (const key of wanted) {
    if (ids.has(key)) continue
    const id = ++last
    ids.set(key, id)
    await transaction.run(
      compile(transaction.engine, sql`INSERT INTO octavo_relations (id, key) VALUES (${id}, ${key})`),
    )
  }
  return ids
}

async function bringInLine(
  transaction: Transaction,
  model: Model,
  wanted: Wanted,
  relations: ReadonlyMap<string, number>,
): Promise<string[]> {
  const before = await readStates(transaction)
  const existing = await existingTables(transaction)
  const changes: string[] = []
  const changedComponents = Object.entries(wanted.components).flatMap(([uid, after]) => {
    const former = before.components.get(uid)
    return former && JSON.stringify(former) !== JSON.stringify(after) ? [{ uid, before: former, after }] : []
  })
  for (const type of model.types.values()) {
    const after = wanted.types[type.uid]
    if (!after) continue
    const former = before.types.get(type.uid) ?? null
    if (former && JSON.stringify(former) === JSON.stringify(after)) continue
    changes.push(...changesOf(type.uid, former, after))
    const table = await findTable(transaction, type, former, existing)
    await createColumns(transaction, type, after, former, table)
    if (former) {
      await reshapeLocales(transaction, model, former, after)
      await reshapeDrafts(transaction, type, former, after, relations)
    }
    await createIndexes(transaction, type, after, former, table)
    if (table && isServedAnew(former, after)) await rebuildServed(transaction, type)
    transaction.touch(type.table)
    await keep(transaction, `type:${type.uid}`, after)
  }
  if (changedComponents.length > 0) await rebuildEntries(transaction, model, changedComponents)
  for (const [uid, state] of Object.entries(wanted.components))
    await keep(transaction, `component:${uid}`, state)
  transaction.touch(EDGES)
  return changes
}

/** The table of a type as it stands, under its new name when the type now wants another. */
async function findTable(
  transaction: Transaction,
  type: ContentType,
  former: TypeState | null,
  existing: ReadonlyMap<string, ExistingTable>,
): Promise<ExistingTable | undefined> {
  const table = existing.get(type.table)
  if (table && !table.columns.has(VERSION_COLUMNS.documentId)) {
    throw new StartError(
      `The database has a table ${type.table} that is not of Octavo: give ${type.uid} another collectionName, or Octavo a database of its own`,
    )
  }
  const old = former && existing.get(former.table)
  if (table || !old) return table
  await transaction.run(
    compile(transaction.engine, sql`ALTER TABLE ${sql.table(former.table)} RENAME TO ${sql.id(type.table)}`),
  )
  return old
}

const isServedAnew = (former: TypeState | null, after: TypeState) =>
  former?.served.join() !== after.served.join() || former.draftAndPublish !== after.draftAndPublish

async function readStates(transaction: Transaction) {
  const rows = await transaction.all(
    compile(
      transaction.engine,
      sql`SELECT key, value FROM octavo_meta WHERE key LIKE 'type:%' OR key LIKE 'component:%'`,
    ),
  )
  const types = new Map<string, TypeState>()
  const components = new Map<string, ComponentState>()
  for (const { key, value } of rows) {
    const [kind, ...uid] = String(key).split(':')
    if (kind === 'type') types.set(uid.join(':'), JSON.parse(String(value)))
    else components.set(uid.join(':'), JSON.parse(String(value)))
  }
  return { types, components }
}

async function keep(transaction: Transaction, key: string, value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  await transaction.run(
    compile(
      transaction.engine,
      sql`INSERT INTO octavo_meta (key, value) VALUES (${key}, ${text})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ),
  )
}

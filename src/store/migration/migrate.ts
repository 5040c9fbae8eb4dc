/**
 * Brings a database in line with a model. A change is planned first and says what it does to the content; what only
 * adds is applied by itself, what takes content away waits until somebody accepts that. One transaction, under a lock.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import type { ContentType, Model } from '../../model/model.ts'
import { serializeModel } from '../../model/serialize-model.ts'
import { compile } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import { StartError } from '../errors.ts'
import { SchemaChanged } from '../schema-changed.ts'
import { sql } from '../sql.ts'
import type { Store, Transaction } from '../store.ts'
import { createBaseTables, createColumns, createIndexes, takeLock } from '../tables/create.ts'
import { type ExistingTable, existingTables } from '../tables/existing.ts'
import { columnOf, createLayout, EDGES, type Layout, VERSION_COLUMNS } from '../tables/layout.ts'
import { extendServed, rebuildServed } from '../tables/rebuild-served.ts'
import { type TargetTables, type TypeTable, targetTables } from '../tables/tables.ts'
import { applyPlan } from './apply/apply-plan.ts'
import { isBackupKey } from './apply/backups.ts'
import { changeDraftAndPublish, changeLocalization } from './apply/locales-and-drafts.ts'
import { backUpRelation, createMigrationRun, type MigrationRun } from './apply/migration-run.ts'
import { createPlan } from './create-plan.ts'
import {
  type MigrationState,
  readMigrationState,
  readStoredModel,
  STORAGE_FORMAT,
  storeModel,
  storeTableState,
} from './meta-table.ts'
import type { Change } from './plan/change.ts'
import { matchModels } from './plan/match-models.ts'
import {
  type AcceptedLoss,
  MigrationRefused,
  type PlannedChange,
  refusedChanges,
} from './plan/migration-plan.ts'
import { blockWriters } from './schema-version-check.ts'

/** How long to wait for another process that is migrating the same database. */
const PATIENCE = 120_000

export interface MigrationOptions {
  /** What may be given up; nothing unless said. */
  readonly accept?: AcceptedLoss
  /** Number of the model that this one was made from; if the database has moved on, SchemaChanged is thrown. */
  readonly fromVersion?: number
  /** What other rooms keep by the names of the model, changed in the same transaction. */
  readonly beforeCommit?: (transaction: Transaction, changes: readonly Change[], next: Model) => Promise<void>
}

export interface MigrationResult {
  readonly layout: Layout
  /** The number of the model in this database. */
  readonly schemaVersion: number
  /** What was changed; empty when there was nothing to do. */
  readonly plan: readonly PlannedChange[]
}

/** Brings the database in line with the model and answers with the layout. */
export const migrate = async (store: Store, model: Model, options: MigrationOptions = {}): Promise<Layout> =>
  (await migrateTo(store, model, options)).layout

/** Brings the database in line with the model. Several processes may do so at once. */
export async function migrateTo(
  store: Store,
  model: Model,
  options: MigrationOptions = {},
): Promise<MigrationResult> {
  const wanted = targetTables(model, store.dialect)
  const signature = signatureOf(store.dialect, model, wanted)
  const known = await readMigrationState((statement) => store.read(statement), store.dialect)
  if (known.signature === signature) return unchanged(model, known)
  const work = async (transaction: Transaction) => {
    await (options.fromVersion === undefined ? createBaseTables(transaction) : takeLock(transaction))
    const current = await readMigrationState((statement) => transaction.all(statement), store.dialect)
    if (current.signature === signature) return unchanged(model, current)
    if (options.fromVersion !== undefined && options.fromVersion !== current.schemaVersion)
      throw new SchemaChanged()
    blockWriters(transaction)
    return change(transaction, model, wanted, current, signature, options)
  }
  return retryWhileBusy(() => store.write(work, { long: true }))
}

/** The database with the model that its content was written for, or null when it has none yet. */
export async function readCurrentModel(
  store: Store,
  locales: Model['locales'],
): Promise<MigrationResult | null> {
  const all = (statement: Parameters<Store['read']>[0]) => store.read(statement)
  const kept = await readMigrationState(all, store.dialect)
  if (kept.signature === null) return null
  if (kept.format < STORAGE_FORMAT)
    throw new StartError('The database was made by an older Octavo: run `octavo migrate` first')
  return unchanged((await readStoredModel(all, store.dialect, locales)).model, kept)
}

/** What `migrate` would do, without doing it. */
export async function planMigration(store: Store, model: Model): Promise<readonly PlannedChange[]> {
  const all = (statement: Parameters<Store['read']>[0]) => store.read(statement)
  const { signature, relations } = await readMigrationState(all, store.dialect)
  if (signature === signatureOf(store.dialect, model, targetTables(model, store.dialect))) return []
  const { model: previous } = await readStoredModel(all, store.dialect, model.locales)
  const transition = matchModels(previous, model)
  const ask = async (query: Parameters<typeof compile>[1]) => {
    // SQLite reads on this thread: requests get their turn between two questions.
    await turn()
    return all(compile(store.dialect, query))
  }
  return (await createPlan({ dialect: store.dialect, transition, relations, read: ask })).plan
}

const signatureOf = (dialect: Dialect, model: Model, wanted: TargetTables) =>
  createHash('sha256')
    .update(JSON.stringify([STORAGE_FORMAT, dialect.name, wanted, model.sources]))
    .update(serializeModel(model))
    .digest('hex')

const unchanged = (
  model: Model,
  { relations, schemaVersion: number }: Pick<MigrationState, 'relations' | 'schemaVersion'>,
): MigrationResult => ({
  layout: createLayout(model, relations),
  schemaVersion: number,
  plan: [],
})

async function retryWhileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
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

async function change(
  transaction: Transaction,
  model: Model,
  wanted: TargetTables,
  { relations, schemaVersion: number }: MigrationState,
  signature: string,
  { accept = 'nothing', beforeCommit: alongside }: MigrationOptions,
): Promise<MigrationResult> {
  const { dialect } = transaction
  const previous = await readStoredModel((statement) => transaction.all(statement), dialect, model.locales)
  const work = createMigrationRun(transaction, matchModels(previous.model, model), relations, previous.states)
  const { plan, entryImpacts } = await createPlan(work)
  const refused = refusedChanges(plan, accept)
  if (refused.length > 0) throw new MigrationRefused(plan, refused)
  await applyPlan(work, plan, entryImpacts)
  await backUpRemovedRelations(work, wanted)
  await registerRelations(work, wanted.relations)
  await updateTables(work, model, wanted)
  await alongside?.(
    transaction,
    plan.map((planned) => planned.change),
    model,
  )
  storeModel(transaction, model, signature, number + 1)
  return { layout: createLayout(model, work.relationIds), schemaVersion: number + 1, plan }
}

/** Relations that no attribute has any more keep their edges, out of use. */
async function backUpRemovedRelations(work: MigrationRun, wanted: TargetTables) {
  const keys = new Set(wanted.relations)
  for (const [key, id] of [...work.relationIds]) {
    if (keys.has(key) || isBackupKey(key)) continue
    const [type, component, attribute] = key.split('|')
    await backUpRelation(
      work,
      id,
      `${type}${component ? `, component ${component}` : ''}, attribute ${attribute}`,
    )
  }
}

async function registerRelations(
  { relationIds: keys, execute: run, read: ask }: MigrationRun,
  wanted: readonly string[],
) {
  const [row] = await ask(sql`SELECT max(id) AS last FROM octavo_relations`)
  let last = Number(row?.last ?? 0)
  for (const key of wanted) {
    if (keys.has(key)) continue
    const id = ++last
    keys.set(key, id)
    run(sql`INSERT INTO octavo_relations (id, key) VALUES (${id}, ${key})`)
  }
}

/** Adds what is missing, once everything that is kept has its new name. */
async function updateTables(work: MigrationRun, model: Model, wanted: TargetTables) {
  const { transaction, tableStates: states, transition } = work
  const existing = await existingTables(transaction)
  const previousUids = new Map(transition.types.map(({ previous, next }) => [next.uid, previous.uid]))
  const changed = [...model.types.values()].flatMap((type) => {
    const after = wanted.types[type.uid]
    const previousUid = previousUids.get(type.uid) ?? type.uid
    const previous = stateOf(states.get(previousUid), type)
    const isSame = previousUid === type.uid && JSON.stringify(previous) === JSON.stringify(after)
    return !after || isSame ? [] : [{ type, after, previousUid, previous, table: ownTable(type, existing) }]
  })
  // Rows first: PostgreSQL keeps readers away from a table once its columns or indexes have been touched.
  for (const { type, after, previous, table } of changed) {
    if (!table || !isServedAnew(previous, after) || isReshaped(previous, after)) continue
    const added = previous && appendedTo(previous, after, table)
    await (added ? extendServed(transaction, type, added) : rebuildServed(transaction, type, table.columns))
  }
  for (const { type, after, previousUid, previous, table } of changed) {
    createColumns(transaction, after, previous, table)
    if (previous && isReshaped(previous, after)) {
      changeLocalization(transaction, model, previous, after)
      await changeDraftAndPublish(transaction, type, previous, after, work.relationIds)
      await rebuildServed(transaction, type, new Set(after.columns.map(({ name }) => name)))
    }
    await createIndexes(transaction, type, after, previous, table)
    transaction.touch(type.table)
    if (previousUid !== type.uid)
      work.execute(sql`DELETE FROM octavo_meta WHERE key = ${`type:${previousUid}`}`)
    storeTableState(transaction, type.uid, after)
  }
  transaction.touch(EDGES)
}

/** What the database has for a type. A table that was moved has left its indexes behind. */
function stateOf(state: TypeTable | undefined, { table }: ContentType): TypeTable | null {
  if (!state) return null
  return state.table === table ? state : { ...state, indexes: [] }
}

/** The table of a type as it stands; one that somebody else has made is left alone. */
function ownTable(
  type: ContentType,
  existing: ReadonlyMap<string, ExistingTable>,
): ExistingTable | undefined {
  const table = existing.get(type.table)
  if (table && !table.columns.has(VERSION_COLUMNS.documentId)) {
    throw new StartError(
      `The database has a table ${type.table} that is not of Octavo: give ${type.uid} another collectionName, or Octavo a database of its own`,
    )
  }
  return table
}

const isServedAnew = (previous: TypeTable | null, after: TypeTable) =>
  previous?.served.join() !== after.served.join()

/** The new names that are served behind all others from now on, or null when anything else changes too. */
function appendedTo(previous: TypeTable, after: TypeTable, table: ExistingTable): string[] | null {
  const [before, now] = [previous, after].map(({ served }) => served.filter((name) => name !== 'locale'))
  if (!before || !now || before.some((name, index) => now[index] !== name)) return null
  const names = now.slice(before.length).map((name) => name.split(' ', 1)[0] ?? name)
  return names.some((name) => table.columns.has(columnOf(name))) ? null : names
}

/** Whether rows become others: of another locale, or with drafts beside them. */
const isReshaped = (previous: TypeTable | null, after: TypeTable) =>
  previous !== null &&
  (previous.localized !== after.localized || previous.draftAndPublish !== after.draftAndPublish)

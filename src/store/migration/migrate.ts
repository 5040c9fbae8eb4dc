/**
 * Brings a database in line with a model. A change is planned first and says what it does to the content; what only
 * adds is applied by itself, what takes content away waits until somebody accepts that. One transaction, under a lock.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import type { ContentType, Model } from '../../model/model.ts'
import { modelText } from '../../model/serialise.ts'
import { compile } from '../compile.ts'
import { StartError } from '../errors.ts'
import { SchemaChanged } from '../schema-changed.ts'
import { sql } from '../sql.ts'
import type { EngineName, Store, Transaction } from '../store.ts'
import { createBaseTables, createColumns, createIndexes, takeLock } from '../tables/create.ts'
import { type ExistingTable, existingTables } from '../tables/existing.ts'
import { columnOf, createLayout, EDGES, type Layout, VERSION_COLUMNS } from '../tables/layout.ts'
import { extendServed, rebuildServed } from '../tables/rebuild-served.ts'
import { type TargetTables, type TypeTable, targetTables } from '../tables/tables.ts'
import { applyChanges } from './apply/apply-plan.ts'
import { isAside } from './apply/backups.ts'
import { reshapeDrafts, reshapeLocales } from './apply/locales-and-drafts.ts'
import { setRelationAside, type Work, workOf } from './apply/migration-run.ts'
import { drawPlan } from './create-plan.ts'
import { FORMAT, type Kept, keepModel, keepState, readFormer, readKept } from './meta-table.ts'
import type { Change } from './plan/change.ts'
import { transitionOf } from './plan/match-models.ts'
import { type Acceptance, MigrationRefused, type PlannedChange, refusedIn } from './plan/migration-plan.ts'
import { keepWritersOut } from './schema-version-check.ts'

/** How long to wait for another process that is migrating the same database. */
const PATIENCE = 120_000

export interface MigrationOptions {
  /** What may be given up; nothing unless said. */
  readonly accept?: Acceptance
  /** Number of the model that this one was made from; if the database has moved on, SchemaMoved is thrown. */
  readonly from?: number
  /** What other rooms keep by the names of the model, changed in the same transaction. */
  readonly alongside?: (transaction: Transaction, changes: readonly Change[], next: Model) => Promise<void>
}

export interface Migrated {
  readonly layout: Layout
  /** The number of the model in this database. */
  readonly number: number
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
): Promise<Migrated> {
  const wanted = targetTables(model, store.engine)
  const signature = signatureOf(store.engine, model, wanted)
  const known = await readKept((statement) => store.read(statement), store.engine)
  if (known.signature === signature) return unchanged(model, known)
  const work = async (transaction: Transaction) => {
    await (options.from === undefined ? createBaseTables(transaction) : takeLock(transaction))
    const current = await readKept((statement) => transaction.all(statement), store.engine)
    if (current.signature === signature) return unchanged(model, current)
    if (options.from !== undefined && options.from !== current.number) throw new SchemaChanged()
    keepWritersOut(transaction)
    return change(transaction, model, wanted, current, signature, options)
  }
  return patiently(() => store.write(work, { long: true }))
}

/** The database with the model that its content was written for, or null when it has none yet. */
export async function presentModel(store: Store, locales: Model['locales']): Promise<Migrated | null> {
  const all = (statement: Parameters<Store['read']>[0]) => store.read(statement)
  const kept = await readKept(all, store.engine)
  if (kept.signature === null) return null
  if (kept.format < FORMAT)
    throw new StartError('The database was made by an older Octavo: run `octavo migrate` first')
  return unchanged((await readFormer(all, store.engine, locales)).model, kept)
}

/** What `migrate` would do, without doing it. */
export async function planMigration(store: Store, model: Model): Promise<readonly PlannedChange[]> {
  const all = (statement: Parameters<Store['read']>[0]) => store.read(statement)
  const { signature, relations } = await readKept(all, store.engine)
  if (signature === signatureOf(store.engine, model, targetTables(model, store.engine))) return []
  const { model: former } = await readFormer(all, store.engine, model.locales)
  const transition = transitionOf(former, model)
  const ask = async (query: Parameters<typeof compile>[1]) => {
    // SQLite reads on this thread: requests get their turn between two questions.
    await turn()
    return all(compile(store.engine, query))
  }
  return (await drawPlan({ engine: store.engine, transition, relations, ask })).plan
}

const signatureOf = (engine: EngineName, model: Model, wanted: TargetTables) =>
  createHash('sha256')
    .update(JSON.stringify([FORMAT, engine, wanted, model.sources]))
    .update(modelText(model))
    .digest('hex')

const unchanged = (model: Model, { relations, number }: Pick<Kept, 'relations' | 'number'>): Migrated => ({
  layout: createLayout(model, relations),
  number,
  plan: [],
})

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

async function change(
  transaction: Transaction,
  model: Model,
  wanted: TargetTables,
  { relations, number }: Kept,
  signature: string,
  { accept = 'nothing', alongside }: MigrationOptions,
): Promise<Migrated> {
  const { engine } = transaction
  const former = await readFormer((statement) => transaction.all(statement), engine, model.locales)
  const work = workOf(transaction, transitionOf(former.model, model), relations, former.states)
  const { plan, tallies } = await drawPlan(work)
  const refused = refusedIn(plan, accept)
  if (refused.length > 0) throw new MigrationRefused(plan, refused)
  await applyChanges(work, plan, tallies)
  await setUnwantedAside(work, wanted)
  await registerRelations(work, wanted.relations)
  await bringInLine(work, model, wanted)
  await alongside?.(
    transaction,
    plan.map((planned) => planned.change),
    model,
  )
  keepModel(transaction, model, signature, number + 1)
  return { layout: createLayout(model, work.keys), number: number + 1, plan }
}

/** Relations that no attribute has any more keep their edges, out of use. */
async function setUnwantedAside(work: Work, wanted: TargetTables) {
  const keys = new Set(wanted.relations)
  for (const [key, id] of [...work.keys]) {
    if (keys.has(key) || isAside(key)) continue
    const [type, component, attribute] = key.split('|')
    await setRelationAside(
      work,
      id,
      `${type}${component ? `, component ${component}` : ''}, attribute ${attribute}`,
    )
  }
}

async function registerRelations({ keys, run, ask }: Work, wanted: readonly string[]) {
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
async function bringInLine(work: Work, model: Model, wanted: TargetTables) {
  const { transaction, states, transition } = work
  const existing = await existingTables(transaction)
  const formerUids = new Map(transition.types.map(({ former, next }) => [next.uid, former.uid]))
  const changed = [...model.types.values()].flatMap((type) => {
    const after = wanted.types[type.uid]
    const formerUid = formerUids.get(type.uid) ?? type.uid
    const former = stateOf(states.get(formerUid), type)
    const isSame = formerUid === type.uid && JSON.stringify(former) === JSON.stringify(after)
    return !after || isSame ? [] : [{ type, after, formerUid, former, table: ownTable(type, existing) }]
  })
  // Rows first: PostgreSQL keeps readers away from a table once its columns or indexes have been touched.
  for (const { type, after, former, table } of changed) {
    if (!table || !isServedAnew(former, after) || isReshaped(former, after)) continue
    const added = former && appendedTo(former, after, table)
    await (added ? extendServed(transaction, type, added) : rebuildServed(transaction, type, table.columns))
  }
  for (const { type, after, formerUid, former, table } of changed) {
    createColumns(transaction, after, former, table)
    if (former && isReshaped(former, after)) {
      reshapeLocales(transaction, model, former, after)
      await reshapeDrafts(transaction, type, former, after, work.keys)
      await rebuildServed(transaction, type, new Set(after.columns.map(({ name }) => name)))
    }
    await createIndexes(transaction, type, after, former, table)
    transaction.touch(type.table)
    if (formerUid !== type.uid) work.run(sql`DELETE FROM octavo_meta WHERE key = ${`type:${formerUid}`}`)
    keepState(transaction, type.uid, after)
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

const isServedAnew = (former: TypeTable | null, after: TypeTable) =>
  former?.served.join() !== after.served.join()

/** The new names that are served behind all others from now on, or null when anything else changes too. */
function appendedTo(former: TypeTable, after: TypeTable, table: ExistingTable): string[] | null {
  const [before, now] = [former, after].map(({ served }) => served.filter((name) => name !== 'locale'))
  if (!before || !now || before.some((name, index) => now[index] !== name)) return null
  const names = now.slice(before.length).map((name) => name.split(' ', 1)[0] ?? name)
  return names.some((name) => table.columns.has(columnOf(name))) ? null : names
}

/** Whether rows become others: of another locale, or with drafts beside them. */
const isReshaped = (former: TypeTable | null, after: TypeTable) =>
  former !== null &&
  (former.localized !== after.localized || former.draftAndPublish !== after.draftAndPublish)

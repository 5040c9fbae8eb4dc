/**
 * Migrates a database to a model. The migration is planned first; changes that lose content are applied only if the
 * caller accepts that. Everything happens in one transaction, under a lock.
 */

import { createHash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { serializeModel } from '../../model/serialize-model.ts'
import { ownCommand } from '../../project/own-command.ts'
import type { Dialect } from '../dialect.ts'
import { StartError } from '../errors.ts'
import { SchemaChanged } from '../schema-changed.ts'
import type { Store, Transaction } from '../store.ts'
import { createBaseTables, takeLock } from '../tables/create.ts'
import { createLayout, type Layout } from '../tables/layout.ts'
import { type TargetTables, targetTables } from '../tables/tables.ts'
import { hasUniqueValues, rebuildUniqueValues } from '../tables/unique-values.ts'
import { applyPlan } from './apply/apply-plan.ts'
import {
  readAutomaticIndexes,
  stopIndexCreations,
  updateAutomaticIndexes,
} from './apply/automatic-indexes.ts'
import { createMigrationRun } from './apply/migration-run.ts'
import { canHaveSearch, createMissingSearch, dropOutdatedSearch } from './apply/search-indexes.ts'
import { updateRelations, updateTables } from './apply/update-tables.ts'
import { createPlan } from './create-plan.ts'
import {
  type MigrationState,
  readMigrationState,
  readStoredModel,
  STORAGE_FORMAT,
  storeModel,
} from './meta-table.ts'
import type { Change } from './plan/change.ts'
import { matchModels } from './plan/match-models.ts'
import {
  type AcceptedLoss,
  MigrationRefused,
  type PlannedChange,
  refusedChanges,
} from './plan/migration-plan.ts'
import { type ReadSql, readFrom, readWithin } from './run-sql.ts'
import { blockWriters } from './schema-version-check.ts'

/** How long to wait for another process that migrates the same database, in milliseconds. */
const BUSY_TIMEOUT = 120_000
const BUSY_PAUSE = 200

export interface MigrationOptions {
  /** Defaults to `nothing`. */
  readonly accept?: AcceptedLoss
  /** The schema version that the model was derived from; if the database has another, SchemaChanged is thrown. */
  readonly fromVersion?: number
  /** Migrates what other modules store about the model, in the same transaction. */
  readonly beforeCommit?: (transaction: Transaction, changes: readonly Change[], next: Model) => Promise<void>
}

export interface MigrationResult {
  readonly layout: Layout
  readonly schemaVersion: number
  /** The applied changes; empty if the database was up to date. */
  readonly plan: readonly PlannedChange[]
}

/** Migrates the database to the model. Several processes may do so at the same time. */
export async function migrate(
  store: Store,
  model: Model,
  options: MigrationOptions = {},
): Promise<MigrationResult> {
  const before = await readMigrationState(readFrom(store))
  const hasSearch = await canHaveSearch(store, model, before)
  const target = targetTables(model, store.dialect, hasSearch)
  const signature = signatureOf(store.dialect, model, target)
  if (before.signature === signature) return unchanged(model, before)
  const work = async (transaction: Transaction) => {
    await (options.fromVersion === undefined ? createBaseTables(transaction) : takeLock(transaction))
    const current = await readMigrationState(readWithin(transaction))
    if (current.signature === signature) return unchanged(model, current)
    if (options.fromVersion !== undefined && options.fromVersion !== current.schemaVersion)
      throw new SchemaChanged()
    blockWriters(transaction)
    return migrateWithin(transaction, model, { target, signature, hasSearch }, current, options)
  }
  // Creating the tables of a new database is fast, and a thread for it would take longer to start.
  return retryWhileBusy(() => store.write(work, { long: before.signature !== null }))
}

/** The model of the stored content, or null if the database has none yet. */
export async function readCurrentModel(
  store: Store,
  locales: Model['locales'],
): Promise<MigrationResult | null> {
  const read = readFrom(store)
  const state = await readMigrationState(read)
  if (state.signature === null) return null
  if (state.format < STORAGE_FORMAT)
    throw new StartError(
      `The database was written by an older version of Octavo. Run "${ownCommand('migrate')}" first.`,
    )
  const { model } = await readStoredModel(read, locales)
  return unchanged(model, state)
}

/** What `migrate` would change. Reads only. */
export async function planMigration(store: Store, model: Model): Promise<readonly PlannedChange[]> {
  const { dialect } = store
  const state = await readMigrationState(readFrom(store))
  const { signature, relations } = state
  const target = targetTables(model, dialect, await canHaveSearch(store, model, state))
  if (signature === signatureOf(dialect, model, target)) return []
  const previous = await readStoredModel(readFrom(store), model.locales)
  const read: ReadSql = async (query) => {
    // SQLite reads on this thread: let requests run between two statements.
    await yieldToEventLoop()
    return readFrom(store)(query)
  }
  const transition = matchModels(previous.model, model)
  return (await createPlan({ dialect, transition, relations, read })).plan
}

const signatureOf = (dialect: Dialect, model: Model, target: TargetTables) =>
  createHash('sha256')
    .update(JSON.stringify([STORAGE_FORMAT, dialect.name, target, model.sources]))
    .update(serializeModel(model))
    .digest('hex')

const unchanged = (
  model: Model,
  { relations, schemaVersion, hasSearch }: MigrationState,
): MigrationResult => ({
  layout: createLayout(model, relations, hasSearch),
  schemaVersion,
  plan: [],
})

async function retryWhileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + BUSY_TIMEOUT
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 503
      if (!isBusy) throw error
      if (Date.now() > deadline) throw new StartError(`The database could not be migrated: ${error.message}`)
      await sleep(BUSY_PAUSE)
    }
  }
}

/** What the database is migrated to, besides the model itself. */
interface MigrationTarget {
  readonly target: TargetTables
  readonly signature: string
  readonly hasSearch: boolean
}

async function migrateWithin(
  transaction: Transaction,
  model: Model,
  { target, signature, hasSearch }: MigrationTarget,
  { relations, schemaVersion: previousVersion }: MigrationState,
  { accept = 'nothing', beforeCommit }: MigrationOptions,
): Promise<MigrationResult> {
  const previous = await readStoredModel(readWithin(transaction), model.locales)
  const transition = matchModels(previous.model, model)
  const automatic = await readAutomaticIndexes(transaction)
  const run = createMigrationRun(transaction, transition, relations, previous.tables, automatic)
  const { plan, entryImpacts } = await createPlan(run)
  const refused = refusedChanges(plan, accept)
  if (refused.length > 0) throw new MigrationRefused(plan, refused)
  stopIndexCreations(run)
  const keptSearch = dropOutdatedSearch(run, plan, target)
  await applyPlan(run, plan, entryImpacts)
  await updateRelations(run, target)
  await updateTables(run, model, target)
  updateAutomaticIndexes(run, automatic, model, target)
  createMissingSearch(run, target, keptSearch)
  if (hasUniqueValues(model) || hasUniqueValues(previous.model)) await rebuildUniqueValues(transaction, model)
  await beforeCommit?.(
    transaction,
    plan.map(({ change }) => change),
    model,
  )
  const schemaVersion = previousVersion + 1
  storeModel(transaction, model, signature, schemaVersion, hasSearch)
  return { layout: createLayout(model, run.relationIds, hasSearch), schemaVersion, plan }
}

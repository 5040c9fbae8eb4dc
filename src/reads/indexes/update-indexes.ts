/**
 * The job that creates the indexes that reads have needed, a few for each content-type, and drops those that no read has
 * used for long. One process runs it at a time; another continues it if that one ends.
 */
import type { JobKind } from '../../jobs/job.ts'
import type { Config } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import type { Sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import {
  AUTOMATIC_INDEXES,
  type AutomaticIndex,
  forgetAutomaticIndex,
  newIndexName,
  setIndexState,
  storeAutomaticIndex,
} from '../../store/tables/automatic-indexes.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { INDEX_JOB, MIN_READS } from './learner.ts'
import { estimateSize, fieldNameOf, type Suggestion, suggestionsFrom } from './suggestions.ts'
import { readAutomaticIndexes, readShapes, readUses } from './tables.ts'

interface BuildOptions {
  readonly store: Store
  readonly log: { info(details: object, message: string): void }
  /** Aborts when the server closes. */
  readonly signal?: AbortSignal
}

export interface IndexJobOptions extends BuildOptions {
  readonly layout: () => Layout
  readonly config: Pick<Config['database'], 'maxAutoIndexes' | 'autoIndexDays'>
}

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/** Runs when reads have shown a need, and every hour. */
export const indexJobs = (options: IndexJobOptions): JobKind => ({
  kind: INDEX_JOB,
  every: EVERY_MS,
  run: () => updateIndexes(options),
})

async function updateIndexes(options: IndexJobOptions): Promise<void> {
  await completeInterrupted(options)
  await dropUnused(options, Date.now())
  await createNeeded(options)
}

const change = async (store: Store, ...statements: readonly Sql[]) =>
  store.write(async (transaction) => {
    for (const statement of statements) transaction.run(compile(store.dialect, statement))
    transaction.touch(AUTOMATIC_INDEXES)
  })

/** Completes the indexes whose creation a process has begun that ended before it was done, and returns them. */
export async function completeInterrupted(options: BuildOptions): Promise<readonly AutomaticIndex[]> {
  const unfinished = (await readAutomaticIndexes(options.store)).filter(({ state }) => state === 'building')
  for (const index of unfinished) await build(options, index)
  return unfinished
}

/** Drops indexes that no read has used for long. What was never used is not created again in that time. */
async function dropUnused({ store, config, log }: IndexJobOptions, now: number) {
  const uses = await readUses(store)
  const before = new Date(now - config.autoIndexDays * DAY_MS).toISOString()
  const dayBefore = new Date(now - DAY_MS).toISOString()
  for (const { name, table, columns, state, since } of await readAutomaticIndexes(store)) {
    if (state === 'unused' && since < before) await change(store, forgetAutomaticIndex(name))
    if (state !== 'ready') continue
    const lastUse = uses.get(name)
    const isUnused = lastUse === undefined ? since < dayBefore : lastUse < before
    if (!isUnused) continue
    await store.dropIndex(name)
    await change(
      store,
      lastUse === undefined
        ? setIndexState(name, 'unused', new Date(now).toISOString())
        : forgetAutomaticIndex(name),
    )
    log.info({ index: name, table, on: columns.map(fieldNameOf), lastUse }, 'Dropped an unused index')
  }
}

async function createNeeded(options: IndexJobOptions) {
  const { store, layout, config, log } = options
  const automatic = [...(await readAutomaticIndexes(store))]
  const { model } = layout()
  for (const suggestion of suggestionsFrom(await readShapes(store), model, automatic, store)) {
    const { type, columns, reads } = suggestion
    const ofType = automatic.filter(({ table }) => table === type.table)
    const wasTried = ofType.some((index) => JSON.stringify(index.columns) === JSON.stringify(columns))
    const existing = ofType.filter(({ state }) => state !== 'unused')
    if (reads < MIN_READS || wasTried || existing.length >= config.maxAutoIndexes) continue
    const { bytes } = await estimateSize(store, suggestion)
    const details = { contentType: type.uid, on: columns.map(fieldNameOf), reads, bytes }
    log.info(details, 'Creating an index that reads need')
    automatic.push(await createSuggested(options, suggestion))
  }
}

/** Creates an index that is recorded. One that a migration has removed from the records meanwhile is dropped again. */
async function build({ store, log, signal }: BuildOptions, index: AutomaticIndex): Promise<void> {
  const start = performance.now()
  const { name, table, columns } = index
  await store.createIndex(index, signal)
  const [recorded] = await store.write(async (transaction) => {
    transaction.touch(AUTOMATIC_INDEXES)
    const ready = setIndexState(name, 'ready', new Date().toISOString())
    return transaction.all(compile(store.dialect, ready))
  })
  if (!recorded) return store.dropIndex(name)
  const ms = Math.round(performance.now() - start)
  log.info({ index: name, table, on: columns.map(fieldNameOf), ms }, 'Created an index')
}

/** Records an index for a suggestion, and creates it. */
export async function createSuggested(
  options: BuildOptions,
  suggestion: Suggestion,
): Promise<AutomaticIndex> {
  const { type, columns } = suggestion
  const index: AutomaticIndex = {
    name: newIndexName(),
    table: type.table,
    columns,
    state: 'building',
    since: new Date().toISOString(),
  }
  await change(options.store, storeAutomaticIndex(index))
  await build(options, index)
  return index
}

/** Drops an automatic index. False if there is none with this name. */
export async function dropAutomatic(store: Store, name: string): Promise<boolean> {
  const found = (await readAutomaticIndexes(store)).some((index) => index.name === name)
  if (!found) return false
  await store.dropIndex(name)
  await change(store, forgetAutomaticIndex(name))
  return true
}

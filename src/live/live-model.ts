/**
 * The model while the server runs. A new state takes the place of the old one at once; requests under way end with the
 * state they began with. Changes of other processes are followed: the database tells when its model has moved on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Documents } from '../documents/documents.ts'
import type { SlowWriteReport } from '../documents/slow-writes.ts'
import { ApiError, errors } from '../errors.ts'
import type { Project } from '../model/load-project.ts'
import type { Model } from '../model/model.ts'
import { parseModel } from '../model/parse-model.ts'
import { formatProblem } from '../project/problems.ts'
import type { ReadStats } from '../reads/read-stats.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { META_TABLE, readStoredSchema } from '../store/migration/meta-table.ts'
import { SchemaChanged } from '../store/schema-changed.ts'
import type { Store } from '../store/store.ts'
import { createLayout, type Layout } from '../store/tables/layout.ts'
import { createModelState, type ModelState } from './model-state.ts'

export interface LiveModel {
  /** The state as it is now. */
  current(): ModelState
  /** The state of the database as far as this process can know; at once unless it has just changed. */
  latest(): MaybePromise<ModelState>
  /** Asks the database for its model and answers with that state. */
  refresh(): Promise<ModelState>
  /** Makes a model that was migrated to the one of requests from now on. */
  activate(project: Project, layout: Layout, number: number): ModelState
  close(): void
}

export interface LiveModelOptions {
  readonly store: Store
  readonly log: FastifyBaseLogger
  readonly watch: ReadStats
  readonly writes: SlowWriteReport | undefined
  readonly extend: (documents: Documents) => Documents
  readonly project: Project
  readonly layout: Layout
  readonly schemaVersion: number
  /** Told of each model that takes the place of another. */
  readonly onModelChanged: (model: Model) => void
}

/** How often an idle process looks, in milliseconds; a busy one looks at each request. */
export const REFRESH_INTERVAL_MS = 300

export function createLiveModel(options: LiveModelOptions): LiveModel {
  const { store, log, watch, writes, extend, onModelChanged: changed, ...first } = options
  let state = createModelState({ store, watch, writes, extend, ...first })
  let version = store.tableVersion(META_TABLE)
  let following: Promise<ModelState> | null = null

  function adopt(project: Project, layout: Layout, number: number): ModelState {
    // Another process may have been faster with the next one.
    if (number > state.schemaVersion) {
      state = createModelState({ store, watch, writes, extend, project, layout, schemaVersion: number })
      changed(project.model)
    }
    return state
  }

  async function look(): Promise<ModelState> {
    const [seen, before] = [store.tableVersion(META_TABLE), state]
    const kept = await readStoredSchema(store)
    // A change of this process came between: what was read may be older than that.
    if (state !== before) return look()
    // A database that was put back to an older state has a smaller number.
    if (kept && kept.schemaVersion !== state.schemaVersion) {
      const { project } = state
      const parsed = parseModel(kept.sources, project.model.locales)
      if (!parsed.ok) {
        log.error(
          `The content-types of the database cannot be read: ${parsed.problems.map(formatProblem).join('; ')}`,
        )
      } else {
        const { model } = parsed
        state = createModelState({
          store,
          watch,
          writes,
          extend,
          project: { ...project, model, sources: kept.sources },
          layout: createLayout(model, kept.relations),
          schemaVersion: kept.schemaVersion,
        })
        log.info(`The content-types have changed (schema ${kept.schemaVersion})`)
        changed(model)
      }
    }
    version = seen
    return state
  }

  function follow(): Promise<ModelState> {
    following ??= look().finally(() => {
      following = null
    })
    return following
  }

  const latest = () => (store.tableVersion(META_TABLE) === version ? state : follow())

  const timer = setInterval(() => {
    // While the database is away, requests tell.
    if (store.tableVersion(META_TABLE) !== version) follow().catch(() => {})
  }, REFRESH_INTERVAL_MS)
  timer.unref()

  return { current: () => state, latest, refresh: follow, activate: adopt, close: () => clearInterval(timer) }
}

/** For how many milliseconds something is tried again because the model moves on meanwhile, and how often it waits. */
const PATIENCE = 10_000
const PAUSE = 10

/**
 * Does something with one state of the model, and again with the next when the model moved on meanwhile: a write then
 * has left no trace, and what was read may be neither old nor new.
 */
export function runWithLatestModel<Result>(
  live: LiveModel,
  work: (state: ModelState) => MaybePromise<Result>,
  isRead = false,
): MaybePromise<Result> {
  const state = live.latest()
  if (state instanceof Promise) return retryWithLatestModel(live, work, isRead)
  const result = begun(state, work)
  // What is there at once has left the model no time to move on.
  return result instanceof Promise ? retryWithLatestModel(live, work, isRead, { state, result }) : result
}

function begun<Result>(
  state: ModelState,
  work: (state: ModelState) => MaybePromise<Result>,
): MaybePromise<Result> {
  try {
    return work(state)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The same for what always takes its time; `first` is an attempt that is under way. */
export async function retryWithLatestModel<Result>(
  live: LiveModel,
  work: (state: ModelState) => MaybePromise<Result>,
  isRead = false,
  first: { readonly state: ModelState; readonly result: Promise<Result> } | null = null,
): Promise<Result> {
  let until = 0
  for (let under = first; ; under = null) {
    const state = under?.state ?? (await live.latest())
    try {
      const result = await (under ? under.result : work(state))
      if (!isRead) return result
      const after = live.latest()
      if (after === state || (await after) === state) return result
    } catch (error) {
      until ||= performance.now() + PATIENCE
      if (!(await isWorthRepeating(live, state, error)) || performance.now() > until) throw refusal(error)
    }
  }
}

/** A refusal of ours was made from what this process knows; for any other failure the database is asked. */
async function isWorthRepeating(live: LiveModel, state: ModelState, error: unknown): Promise<boolean> {
  if (error instanceof ApiError && error.status < 500) {
    const latest = live.latest()
    return (latest instanceof Promise ? await latest : latest) !== state
  }
  if ((await live.refresh().catch(() => state)) !== state) return true
  if (!(error instanceof SchemaChanged)) return false
  // The writer has seen a migration that is not committed yet.
  await sleep(PAUSE)
  return true
}

/** A model that the database has and this process cannot read. */
const refusal = (error: unknown) =>
  error instanceof SchemaChanged
    ? errors.unavailable(5, 'The content-types have changed in a way that this server does not know')
    : error

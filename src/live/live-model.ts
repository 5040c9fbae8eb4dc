/**
 * The model of a running server. A new model replaces the old one immediately; requests in progress end with the model
 * they started with. Models that other processes migrate to are loaded from the database.
 */
import type { FastifyBaseLogger } from 'fastify'
import { localesOf, type Project } from '../model/load-project.ts'
import type { Model } from '../model/model.ts'
import { parseModel } from '../model/parse-model.ts'
import type { Config } from '../project/config/config.ts'
import { formatProblem } from '../project/problems.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import { META_TABLE, readStoredSchema, type StoredSchema } from '../store/migration/meta-table.ts'
import { createLayout, type Layout } from '../store/tables/layout.ts'
import { createModelState, type ModelState, type ModelStateOptions } from './model-state.ts'

export interface LiveModel {
  /** The state that this process uses now. */
  current(): ModelState
  /** The newest state that this process knows of; asynchronous only if the database has just changed. */
  latest(): MaybePromise<ModelState>
  /** Reads the schema version of the database and returns its state. */
  refresh(): Promise<ModelState>
  /** Uses a migrated model for all requests from now on. */
  activate(project: Project, layout: Layout, schemaVersion: number): void
  /** Uses these locales for all requests from now on, with the same content-types. */
  useLocales(locales: Config['locales']): void
  close(): void
}

export interface LiveModelOptions extends ModelStateOptions {
  readonly log: FastifyBaseLogger
  readonly onModelChanged: (model: Model) => void
}

/** How often an idle process checks for a new model, in milliseconds. Each request checks too. */
export const REFRESH_INTERVAL_MS = 300

export function createLiveModel(options: LiveModelOptions): LiveModel {
  const { store, log, onModelChanged } = options
  let state = createModelState(options)
  /** The version of the meta table that `state` was read from. */
  let knownVersion = store.tableVersion(META_TABLE)
  let refreshing: Promise<ModelState> | null = null

  function replaceState(project: Project, layout: Layout, schemaVersion: number) {
    if (schemaVersion !== state.schemaVersion) store.schemaChanged?.()
    state = createModelState({ ...options, project, layout, schemaVersion })
    onModelChanged(project.model)
  }

  function activate(project: Project, layout: Layout, schemaVersion: number) {
    // Another process may already have migrated further.
    if (schemaVersion > state.schemaVersion) replaceState(project, layout, schemaVersion)
  }

  function useLocales(locales: Config['locales']) {
    const { layout, schemaVersion } = state
    const config = { ...state.project.config, locales }
    const model = { ...layout.model, locales: localesOf(config) }
    replaceState({ ...state.project, config, model }, { ...layout, model }, schemaVersion)
  }

  async function readModel(): Promise<ModelState> {
    const [version, before] = [store.tableVersion(META_TABLE), state]
    const stored = await readStoredSchema(store)
    // This process has activated a model meanwhile: what was read may be older.
    if (state !== before) return readModel()
    // Not only greater: restoring a database gives it an older schema version.
    if (stored && stored.schemaVersion !== state.schemaVersion) useStored(stored)
    knownVersion = version
    return state
  }

  function useStored({ sources, relations, schemaVersion, hasSearch }: StoredSchema) {
    const { project } = state
    const parsed = parseModel(sources, project.model.locales)
    if (!parsed.ok) {
      const problems = parsed.problems.map(formatProblem).join('; ')
      log.error(`The content-types of the database cannot be read: ${problems}`)
      return
    }
    const { model } = parsed
    replaceState({ ...project, model, sources }, createLayout(model, relations, hasSearch), schemaVersion)
    log.info(`The content-types have changed (schema version ${schemaVersion})`)
  }

  function refresh(): Promise<ModelState> {
    refreshing ??= readModel().finally(() => {
      refreshing = null
    })
    return refreshing
  }

  const latest = () => (store.tableVersion(META_TABLE) === knownVersion ? state : refresh())

  const timer = setInterval(() => {
    // If the database is unavailable, requests report it.
    if (store.tableVersion(META_TABLE) !== knownVersion) refresh().catch(() => {})
  }, REFRESH_INTERVAL_MS)
  timer.unref()

  return { current: () => state, latest, refresh, activate, useLocales, close: () => clearInterval(timer) }
}

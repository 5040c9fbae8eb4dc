/** Creates a server: opens the database of a project and builds the HTTP app. */
import type { FastifyInstance } from 'fastify'
import { createAccess } from '../access/access.ts'
import type { SharedCounts } from '../access/credentials/rate-limit.ts'
import { withHooks } from '../documents/hooks/hooks.ts'
import type { JobRunner } from '../jobs/runner.ts'
import { createLiveModel } from '../live/live-model.ts'
import { createLocaleChanges } from '../live/locale-changes.ts'
import { missingSearch } from '../live/missing-search.ts'
import { openModel } from '../live/open-model.ts'
import { createSchemaChanges } from '../live/schema-changes.ts'
import { watchSchemaFiles } from '../live/watch-schema-files.ts'
import { loadProject, type Project } from '../model/load-project.ts'
import type { Config, ConfigInput } from '../project/config/config.ts'
import { formatProblem } from '../project/problems.ts'
import { createStateFolder, stateFolderOf } from '../project/state-folder.ts'
import { LOCALES_FILE, otherSourceOfLocales } from '../project/write-locales.ts'
import { createUsageCollector } from '../reads/indexes/read-usage.ts'
import { changesToReport } from '../store/migration/plan/migration-plan.ts'
import { connectionOptions, openStore, type WorkerCoordination } from '../store/open.ts'
import { createOwnTables } from '../store/tables/own-tables.ts'
import { addRoutes } from './add-routes.ts'
import { startBackgroundJobs } from './background-jobs.ts'
import { storedResponseTables } from './content/stored-responses.ts'
import { extensionProblems } from './extension/check-extension.ts'
import { type Extension, extensionOf, typesNamedBy } from './extension/extension.ts'
import { createFastifyApp } from './fastify-app.ts'
import { startLearning } from './learning.ts'
import { createListener } from './listener.ts'
import { createLiveServer, liveDocuments } from './live-server.ts'
import { createObservability } from './logging/observability.ts'
import type { Mcp } from './mcp/mcp.ts'
import type { GatherMetrics } from './metrics/metrics.ts'
import type { MetricFamily } from './metrics/prometheus.ts'
import type { CustomRoute } from './openapi/paths/custom.ts'
import { createQueryParser } from './request/query-string.ts'
import { createRequestIds } from './request/request-id.ts'
import { createCommonHeaders } from './response/common-headers.ts'
import type { Server } from './server.ts'
import type { WebhookService } from './webhooks/service.ts'

export interface ServerOptions {
  /** The project folder, or a loaded project. */
  readonly project: string | Project
  /** Hooks, policies and routes; replaces those of the configuration. */
  readonly extend?: Extension
  /** Overrides the project's configuration. */
  readonly config?: ConfigInput
  /** The lowest level that is logged; `silent` for none. */
  readonly logLevel?: string
  /** Where the log is written; standard output by default. */
  readonly logTo?: { write(line: string): void }
  /** Whether the stricter rules of production apply; NODE_ENV decides by default. */
  readonly production?: boolean
  /** Whether changes of schema files are applied while the server runs. */
  readonly watch?: boolean
  /** Gathers the metrics of all worker processes, when there are several. */
  readonly gatherMetrics?: GatherMetrics
  /** The other worker processes, when there are several. */
  readonly workers?: WorkerCoordination & { readonly counts: SharedCounts }
}

export interface OctavoServer extends Server {
  readonly app: FastifyInstance
  /** The documented routes of the project. */
  readonly customRoutes: readonly CustomRoute[]
  /** The MCP server, for a transport other than HTTP. */
  openMcp(): Promise<Mcp>
  /** Listens on the configured address and resolves with the URL. */
  listen(): Promise<string>
  /** Accepts no more requests, and resolves when open ones are completed or the configured time is over. */
  drain(): Promise<void>
  /** The metrics of this process; empty when they are disabled. */
  metricFamilies(): readonly MetricFamily[]
  close(): Promise<void>
}

/** Migrates the database to the model, as far as the configuration allows, and builds the app. */
export async function createServer(options: ServerOptions): Promise<OctavoServer> {
  const given =
    typeof options.project === 'string'
      ? await loadProject(options.project, process.env, options.config)
      : options.project
  const { config, dir } = given
  const production = options.production ?? process.env.NODE_ENV === 'production'
  const telemetry = config.telemetry.enabled ? await loadTelemetry(dir) : null
  let warn: (message: string) => void = () => {}
  let streams = () => 0
  await createStateFolder(dir, config.database.url, production)
  let webhookStats: () => WebhookService['stats'] | null = () => null
  let webhookJobs: JobRunner | null = null
  const openedStore = await openStore(config.database.url, {
    directory: dir,
    ...storeOptions(config),
    ...(options.workers && { coordination: options.workers }),
    notice: (message) => warn(message),
  })
  const store = telemetry ? telemetry.traceStore(openedStore) : openedStore
  // Everything is closed in reverse order, on shutdown and when the start fails.
  const opened = new AsyncDisposableStack()
  opened.defer(() => store.close())
  try {
    const extension = extensionOf(options.extend ?? config.extend)
    const { plan, ...model } = await openModel(store, given, production, (checked) =>
      extensionProblems(checked, extension),
    )
    const usage = config.database.autoIndex === 'off' ? null : createUsageCollector()
    const observability = createObservability({
      config,
      store,
      usage,
      typeOf: (name) => live.current().layout.model.endpoints.get(name)?.uid,
      jobs: () => new Map([...(jobs?.stats ?? []), ...(webhookJobs?.stats ?? [])]),
      streams: () => streams(),
      webhooks: () => webhookStats(),
    })
    const requestIdOf = createRequestIds()
    const headers = createCommonHeaders(config, requestIdOf)
    const listener = createListener(config.server, headers.forUnrouted, observability.responseClass, () =>
      store.requestArrived(),
    )
    const app = createFastifyApp({
      ...{ config, headers, listener, requestIdOf },
      hasOwnRoutes: extension.routes !== undefined,
      logLevel: options.logLevel,
      logTo: options.logTo,
    })
    warn = (message) => app.log.warn(message)
    // In a new database every table is a change.
    const level = model.schemaVersion > 1 ? 'info' : 'debug'
    for (const { description, effect } of changesToReport(plan))
      app.log[effect === 'notice' ? 'warn' : level](description)
    const withoutIndex = missingSearch(model.layout)
    if (withoutIndex !== null) app.log.warn(withoutIndex)
    const live = createLiveModel({
      ...model,
      store,
      log: app.log,
      watch: observability.reads,
      writes: observability.writes,
      onModelChanged: (next) => {
        for (const problem of extensionProblems(next, extension))
          app.log.warn(`${formatProblem(problem)}; correct this before the next start`)
      },
      extend: (documents) =>
        extension.hooks
          ? withHooks(documents, extension.hooks, (error) =>
              app.log.error({ err: error }, 'Hook failed after the document was written'),
            )
          : documents,
    })
    opened.defer(observability.close)
    const learner = usage && startLearning(store, usage, config, app.log)
    if (learner) opened.defer(learner.close)
    opened.defer(live.close)
    const documents = liveDocuments(live)
    const access = await createAccess({
      store,
      layout: () => live.current().layout,
      documents,
      reads: () => live.current().reads,
      config,
      log: app.log,
      stateFolder: stateFolderOf(dir),
      production,
      ...(options.workers && { counts: options.workers.counts }),
    })
    opened.defer(access.close)
    opened.defer(() => app.close())
    const parseQuery = createQueryParser(config.api.rest.bounds)
    const server = createLiveServer(store, live, documents, {
      ...{ access, extension, log: app.log, production, parseQuery },
    })
    const changes = createSchemaChanges({
      store,
      live,
      writesFiles: !production,
      log: app.log,
      typesInCode: typesNamedBy(extension),
      onApplied: () =>
        access.inBackground(
          'Checking the permissions against the model failed',
          access.logInvalidPermissions,
        ),
    })

    const localeChanges = createLocaleChanges({
      ...{ store, live, schemaChanges: changes },
      lockReason: localesLockReason(dir, production, options),
    })

    await createOwnTables(store, storedResponseTables)
    telemetry?.attach(app)
    observability.attach(app)
    const routes = await addRoutes(app, {
      ...{ server, extension, changes, localeChanges, listener, headers, requestIdOf },
      metrics: observability.metrics,
      gatherMetrics: options.gatherMetrics ?? null,
      counts: options.workers?.counts,
      schemaVersion: () => live.current().schemaVersion,
      learner,
      isTraced: telemetry !== null,
    })
    const { feed, webhooks } = routes
    opened.defer(() => feed?.close())
    streams = () => feed?.streams ?? 0
    webhookStats = () => webhooks?.stats ?? null

    if (options.watch) opened.defer(watchSchemaFiles(given, changes, app.log))
    let jobs: JobRunner | null = null
    let closing: Promise<void> | null = null
    return Object.assign(server, {
      app,
      customRoutes: routes.custom,
      openMcp: routes.openMcp,
      metricFamilies: () => observability.metrics?.families() ?? [],
      async listen() {
        // Fastify logs the address; whoever starts the server prints it.
        const { level } = app.log
        app.log.level = 'warn'
        const address = await app.listen({ host: config.server.host, port: config.server.port })
        app.log.level = level
        const started = await startBackgroundJobs(server, store, routes.storage)
        opened.defer(started.close)
        jobs = started
        if (webhooks) {
          opened.defer(webhooks.close)
          webhookJobs = await webhooks.start()
        }
        return address
      },
      async drain() {
        feed?.close()
        const aborted = await listener.drain(config.server.graceSeconds)
        if (aborted > 0)
          app.log.warn(`${aborted} requests took longer than server.graceSeconds and were aborted`)
      },
      close() {
        closing ??= opened.disposeAsync()
        return closing
      },
    })
  } catch (error) {
    // Report why the start failed, not a failure to close.
    await opened.disposeAsync().catch(() => {})
    throw error
  }
}

/** Why the locales cannot be changed over HTTP; null if they can. */
function localesLockReason(
  dir: string,
  production: boolean,
  { config, workers }: ServerOptions,
): string | null {
  if (production)
    return `Locales cannot be changed over HTTP in production: change ${LOCALES_FILE} in the project, and deploy it`
  if (workers) return `With several workers, change ${LOCALES_FILE} and restart the server`
  if (config?.locales) return 'The locales are set by the program that starts the server'
  return otherSourceOfLocales(dir, process.env)
}

/** Loaded only when it is enabled. */
async function loadTelemetry(dir: string) {
  const { openTelemetry } = await import('./telemetry/telemetry.ts')
  return openTelemetry(dir)
}

const storeOptions = ({ database }: Config) => ({
  ...connectionOptions(database),
  poolSize: database.poolSize,
  slowReads: database.slowReads,
  maxWaiting: database.maxWaiting,
  waitTimeout: database.waitSeconds * 1000,
  statementTimeout: database.statementSeconds * 1000,
  replicas: database.replicas,
  replicaMaxLag: database.replicaMaxLag * 1000,
})

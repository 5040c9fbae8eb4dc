/** Creates a server: opens the database of a project and builds the HTTP app. */
import type { FastifyInstance } from 'fastify'
import { createAccess } from '../access/access.ts'
import type { SharedCounts } from '../access/credentials/rate-limit.ts'
import { withHooks } from '../documents/hooks/hooks.ts'
import { hasWebhooks } from '../events/sinks.ts'
import type { JobRunner } from '../jobs/runner.ts'
import { createLiveModel } from '../live/live-model.ts'
import { openModel } from '../live/open-model.ts'
import { createSchemaChanges } from '../live/schema-changes.ts'
import { watchSchemaFiles } from '../live/watch-schema-files.ts'
import { loadProject, type Project } from '../model/load-project.ts'
import type { Config, ConfigInput } from '../project/config/config.ts'
import { formatProblem } from '../project/problems.ts'
import { createStateFolder, stateFolderOf } from '../project/state-folder.ts'
import { changesToReport } from '../store/migration/plan/migration-plan.ts'
import { openStore, type WorkerCoordination } from '../store/open.ts'
import { adminAppRoutes } from './admin/app/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { schemaRoutes } from './admin/schemas.ts'
import { checkCredentialsBeforeBodies } from './auth/credential-before-body.ts'
import { permissionRoutes } from './auth/roles.ts'
import { authRoutes } from './auth/routes.ts'
import { userRoutes } from './auth/users.ts'
import { startBackgroundJobs } from './background-jobs.ts'
import { batchRoutes } from './content/batch.ts'
import { createFastPath } from './content/fast-path.ts'
import { onHookAdded, trackRouteNames } from './content/fast-path-conditions.ts'
import { localeRoutes } from './content/locales.ts'
import { createContentResponder } from './content/respond.ts'
import { contentRoutes } from './content/routes.ts'
import { prepareIdempotency } from './content/stored-responses.ts'
import { docsPage, docsRoutes } from './docs/routes.ts'
import { createFeedRoute, FEED_NAME } from './events/route.ts'
import { extensionProblems } from './extension/check-extension.ts'
import { customRoutes } from './extension/custom-routes.ts'
import { type Extension, extensionOf, typesNamedBy } from './extension/extension.ts'
import { createFastifyApp } from './fastify-app.ts'
import { healthRoutes } from './health.ts'
import { createListener } from './listener.ts'
import { createLiveServer, liveDocuments } from './live-server.ts'
import { createObservability } from './logging/observability.ts'
import type { Mcp } from './mcp/mcp.ts'
import { type GatherMetrics, metricsRoutes } from './metrics/metrics.ts'
import type { MetricFamily } from './metrics/prometheus.ts'
import { modelRoutes } from './model/routes.ts'
import { addNetworkEdge } from './network-edge.ts'
import type { CustomRoute } from './openapi/paths/custom.ts'
import { addNotFound } from './pages/not-found.ts'
import { addBodyParsers } from './request/body.ts'
import { createAddressOf } from './request/client-address.ts'
import { createQueryParser } from './request/query-string.ts'
import { createRequestIds } from './request/request-id.ts'
import { forbidStoring } from './response/cache-control.ts'
import { createCommonHeaders } from './response/common-headers.ts'
import { handleErrors } from './response/error-response.ts'
import { addPositionHooks } from './response/replica-position.ts'
import type { Server } from './server.ts'
import { presentFile } from './upload/file-record.ts'
import { uploadRoutes } from './upload/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { openWebhooks, type WebhookService } from './webhooks/service.ts'

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
  let webhooks: WebhookService | null = null
  let webhookJobs: JobRunner | null = null
  const openedStore = await openStore(config.database.url, {
    directory: dir,
    ...storeOptions(config),
    ...(options.workers && { coordination: options.workers }),
    notice: (message) => warn(message),
  })
  const store = telemetry ? telemetry.traceStore(openedStore) : openedStore
  // Everything is closed in reverse order, on shutdown and when the start fails.
  const opened: (() => unknown)[] = [() => store.close()]
  const closeAll = async () => {
    const last = opened.pop()
    if (!last) return
    try {
      await last()
    } finally {
      await closeAll()
    }
  }
  try {
    const extension = extensionOf(options.extend ?? config.extend)
    const { plan, ...model } = await openModel(store, given, production, (checked) =>
      extensionProblems(checked, extension),
    )
    const observability = createObservability({
      config,
      store,
      typeOf: (name) => live.current().layout.model.endpoints.get(name)?.uid,
      jobs: () => new Map([...(jobs?.stats ?? []), ...(webhookJobs?.stats ?? [])]),
      streams: () => streams(),
      webhooks: () => webhooks?.stats ?? null,
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
    opened.push(observability.close, live.close)
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
    opened.push(access.close, () => app.close())
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

    await prepareIdempotency(store)
    telemetry?.attach(app)
    observability.attach(app)
    const isGenerated = trackRouteNames(app)
    handleErrors(app)
    addNotFound(app, given)
    addBodyParsers(app, config.api.rest.bounds)
    addNetworkEdge(app, { config, access, counts: options.workers?.counts, headers })
    checkCredentialsBeforeBodies(app, access)
    if (store.positions) addPositionHooks(app, store.positions)
    healthRoutes(app, server, () => listener.isShuttingDown)
    if (observability.metrics)
      metricsRoutes(app, server, observability.metrics, options.gatherMetrics ?? null)
    localeRoutes(app, server)
    modelRoutes(app, server)
    authRoutes(app, server)
    app.register(async (scoped) => {
      forbidStoring(scoped)
      userRoutes(scoped, server)
      permissionRoutes(scoped, server)
    })
    const responder = createContentResponder(server, headers, store.positions ?? null)
    const schemaEditable = !production || config.schema.editable
    const schemaVersion = () => live.current().schemaVersion
    const { addRoutes: addUploadRoutes, library, limitUploads } = await uploadRoutes(app, server)
    webhooks = hasWebhooks(config) ? await openWebhooks(server, (file) => presentFile(file, library)) : null
    await adminRoutes(app, server, {
      ...{ responder, schemaEditable, schemaVersion },
      more: (guarded) => {
        schemaRoutes(guarded, server, { changes, editable: schemaEditable, version: schemaVersion })
        if (webhooks) webhookRoutes(guarded, server, webhooks)
      },
      addUploadRoutes,
    })
    if (config.admin.enabled) adminAppRoutes(app, config.admin.path, library.storage)
    batchRoutes(app, server)
    const mcpOptions = { server, responder, library, limitUploads }
    const documented: CustomRoute[] = []
    docsRoutes(app, server, documented)
    if (config.docs.enabled) docsPage(app, given)
    await customRoutes(app, server, extension.routes, documented)
    if (config.mcp.enabled) await (await import('./mcp/route.ts')).mcpRoute(app, mcpOptions)
    let isHooked = telemetry !== null
    const feed = config.events.enabled
      ? createFeedRoute({
          ...{ server, config: config.events, commonHeaders: headers },
          excludeFromLimits: listener.excludeFromLimits,
          presentFile: (file) => presentFile(file, library),
        })
      : null
    opened.push(() => feed?.close())
    streams = () => feed?.streams ?? 0
    contentRoutes(app, responder, () => isHooked, feed)
    if (!telemetry && !config.rateLimit.general) {
      const { bodyLimit } = config.server
      const addressOf = createAddressOf(config.server.trustedProxies)
      listener.useFastPath(
        createFastPath({
          ...{ responder, access, requestIdOf, addressOf, bodyLimit, isGenerated },
          isFeed: (name, given) => name === FEED_NAME && feed !== null && feed.accepts(given),
        }),
      )
    }
    // A hook that is added later must see every request and every response.
    onHookAdded(app, () => {
      isHooked = true
      listener.useFastPath(null)
    })

    if (options.watch) opened.push(watchSchemaFiles(given, changes, app.log))
    let jobs: JobRunner | null = null
    let closing: Promise<void> | null = null
    return Object.assign(server, {
      app,
      customRoutes: documented,
      openMcp: async () => (await import('./mcp/mcp.ts')).createMcp(mcpOptions),
      metricFamilies: () => observability.metrics?.families() ?? [],
      async listen() {
        // Fastify logs the address; whoever starts the server prints it.
        const { level } = app.log
        app.log.level = 'warn'
        const address = await app.listen({ host: config.server.host, port: config.server.port })
        app.log.level = level
        const started = await startBackgroundJobs(server, store)
        opened.push(started.close)
        jobs = started
        if (webhooks) {
          opened.push(webhooks.close)
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
        closing ??= closeAll()
        return closing
      },
    })
  } catch (error) {
    // Report why the start failed, not a failure to close.
    await closeAll().catch(() => {})
    throw error
  }
}

/** Loaded only when it is enabled. */
async function loadTelemetry(dir: string) {
  const { openTelemetry } = await import('./telemetry/telemetry.ts')
  return openTelemetry(dir)
}

const storeOptions = ({ database }: Config) => ({
  poolSize: database.poolSize,
  maxWaiting: database.maxWaiting,
  waitTimeout: database.waitSeconds * 1000,
  statementTimeout: database.statementSeconds * 1000,
  replicas: database.replicas,
  replicaMaxLag: database.replicaMaxLag * 1000,
})

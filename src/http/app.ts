/** The server: a project, its database and the HTTP app around them. */
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { createAccess } from '../access/access.ts'
import type { SharedCounts } from '../access/credentials/rate-limit.ts'
import { withHooks } from '../documents/hooks/hooks.ts'
import { createLiveModel } from '../live/live-model.ts'
import { openModel } from '../live/open-model.ts'
import { createSchemaChanges } from '../live/schema-changes.ts'
import { watchSchemaFiles } from '../live/watch-schema-files.ts'
import { loadProject, type Project } from '../model/load-project.ts'
import type { Config, ConfigInput } from '../project/config/config.ts'
import { formatProblem } from '../project/problems.ts'
import { changesToReport } from '../store/migration/plan/migration-plan.ts'
import { openStore, type WorkerCoordination } from '../store/open.ts'
import { adminRoutes } from './admin/routes.ts'
import { schemaRoutes } from './admin/schemas.ts'
import { authRoutes } from './auth/routes.ts'
import { userRoutes } from './auth/users.ts'
import { batchRoutes } from './content/batch.ts'
import { createFastPath } from './content/fast-path.ts'
import { onHookAdded, trackRouteNames } from './content/fast-path-conditions.ts'
import { prepareIdempotency } from './content/idempotency.ts'
import { localeRoutes } from './content/locales.ts'
import { createContentResponder } from './content/respond.ts'
import { contentRoutes } from './content/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { extensionProblems } from './extension/check-extension.ts'
import { customRoutes } from './extension/custom-routes.ts'
import { type Extension, extensionOf, typesNamedBy } from './extension/extension.ts'
import { healthRoutes } from './health.ts'
import { createListener } from './listener.ts'
import { createLiveServer, liveDocuments } from './live-server.ts'
import { createObservability } from './logging/observability.ts'
import { logOptions } from './logging/redact.ts'
import { type GatherMetrics, metricsRoutes } from './metrics/metrics.ts'
import type { MetricFamily } from './metrics/prometheus.ts'
import { addNetworkEdge, proxyOptions } from './network-edge.ts'
import type { CustomRoute } from './openapi/paths/custom.ts'
import { addBodyParsers } from './request/body.ts'
import { malformedOptions } from './request/malformed.ts'
import { createQueryParser } from './request/query-string.ts'
import { createRequestIds } from './request/request-id.ts'
import { createCommonHeaders } from './response/common-headers.ts'
import { handleErrors } from './response/error-response.ts'
import { addPositionHooks } from './response/replica-position.ts'
import { lazyCompilers } from './schema-compilers.ts'
import type { Server } from './server.ts'
import { uploadRoutes } from './upload/routes.ts'

export interface ServerOptions {
  /** The project folder, or a project that is already loaded. */
  readonly project: string | Project
  /** Hooks, policies and routes; overrides those of the configuration. */
  readonly extend?: Extension
  /** Overrides what the project's configuration says. */
  readonly config?: ConfigInput
  /** The least level of lines in the log; `silent` for none. */
  readonly logLevel?: string
  /** Where lines of the log go; the standard output when absent. */
  readonly logTo?: { write(line: string): void }
  /** Whether what development is forgiven is refused; NODE_ENV decides when absent. */
  readonly production?: boolean
  /** Whether edits of schema files are taken up while the server runs. */
  readonly watch?: boolean
  /** Asks all processes of the same server for their figures, when it has several. */
  readonly gather?: GatherMetrics
  /** The other processes of the same server, when it has several. */
  readonly among?: WorkerCoordination & { readonly counts: SharedCounts }
}

export interface OctavoServer extends Server {
  readonly app: FastifyInstance
  /** The routes of the project that tell of themselves. */
  readonly customRoutes: readonly CustomRoute[]
  /** Starts to listen where the configuration says; answers with the address. */
  listen(): Promise<string>
  /** Takes no more requests, and resolves when those under way are answered, or the configured time is over. */
  drain(): Promise<void>
  /** The figures of this process; none when they are not kept. */
  metricFamilies(): readonly MetricFamily[]
  close(): Promise<void>
}

/** Opens the database of a project, brings it up to date with the model, and builds the app. */
export async function createServer(options: ServerOptions): Promise<OctavoServer> {
  const given =
    typeof options.project === 'string'
      ? await loadProject(options.project, process.env, options.config)
      : options.project
  const { config, dir } = given
  const production = options.production ?? process.env.NODE_ENV === 'production'
  const telemetry = config.telemetry.enabled ? await telemetryOf(dir) : null
  let notice: (words: string) => void = () => {}
  const openedStore = await openStore(config.database.url, {
    directory: dir,
    ...storeOptions(config),
    ...(options.among && { coordination: options.among }),
    notice: (words) => notice(words),
  })
  const store = telemetry ? telemetry.traceStore(openedStore) : openedStore
  // What was opened is closed in the opposite order: when the server ends, and when it does not come to be.
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
    })
    const requestIdOf = createRequestIds()
    const headers = createCommonHeaders(config, requestIdOf)
    const listening = createListener(config.server, headers.forUnrouted, observability.responseClass, () =>
      store.requestArrived(),
    )
    const app = fastify({
      ...proxyOptions(config),
      ...malformedOptions(headers),
      serverFactory: listening.serverFactory,
      logger: {
        ...logOptions,
        level: options.logLevel ?? 'warn',
        ...(options.logTo && { stream: options.logTo }),
      },
      logController: new LogController({ disableRequestLogging: true }),
      // A logger of its own for each request costs more than the rest of the framework; lines name the request instead.
      childLoggerFactory: (logger) => logger,
      genReqId: requestIdOf,
      bodyLimit: config.server.bodyLimit,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      exposeHeadRoutes: false,
      // Routes of a project need the framework's own compilers: only those lower-case the names of headers in schemas.
      ...(extension.routes ? {} : { schemaController: { compilersFactory: lazyCompilers } }),
      routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
    })
    notice = (words) => app.log.warn(words)
    // In a new database everything is new; later a change is worth a line.
    const usual = model.schemaVersion > 1 ? 'info' : 'debug'
    for (const { description, effect } of changesToReport(plan))
      app.log[effect === 'notice' ? 'warn' : usual](description)
    const live = createLiveModel({
      ...model,
      store,
      log: app.log,
      watch: observability.reads,
      writes: observability.writes,
      onModelChanged: (next) => {
        for (const problem of extensionProblems(next, extension))
          app.log.warn(`${formatProblem(problem)}; correct it before the next start`)
      },
      extend: (documents) =>
        extension.hooks
          ? withHooks(documents, extension.hooks, (error) =>
              app.log.error({ err: error }, 'A hook failed after its document was written'),
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
      stateFolder: `${dir}/.octavo`,
      production,
      ...(options.among && { counts: options.among.counts }),
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
        access.inBackground('Permissions could not be held against the model', access.logInvalidPermissions),
    })

    await prepareIdempotency(store)
    telemetry?.attach(app)
    observability.attach(app)
    const isGenerated = trackRouteNames(app)
    handleErrors(app)
    addBodyParsers(app, config.api.rest.bounds)
    addNetworkEdge(app, { config, access, counts: options.among?.counts, headers })
    if (store.positions) addPositionHooks(app, store.positions)
    healthRoutes(app, server, () => listening.ending)
    if (observability.metrics) metricsRoutes(app, server, observability.metrics, options.gather ?? null)
    localeRoutes(app, server)
    authRoutes(app, server)
    userRoutes(app, server)
    adminRoutes(app, server, (gated) =>
      schemaRoutes(gated, server, changes, !production || config.schema.editable),
    )
    await uploadRoutes(app, server)
    batchRoutes(app, server)
    const declared: CustomRoute[] = []
    docsRoutes(app, server, declared)
    await customRoutes(app, server, extension.routes, declared)
    const responder = createContentResponder(server, headers, store.positions ?? null)
    let isHooked = telemetry !== null
    contentRoutes(app, responder, () => isHooked)
    if (!telemetry && !config.rateLimit.general) {
      const { bodyLimit } = config.server
      listening.useFastPath(createFastPath({ responder, requestIdOf, bodyLimit, isGenerated }))
    }
    // A hook of somebody else expects to see every request and every response.
    onHookAdded(app, () => {
      isHooked = true
      listening.useFastPath(null)
    })

    if (options.watch) opened.push(watchSchemaFiles(given, changes, app.log))
    let closing: Promise<void> | null = null
    return Object.assign(server, {
      app,
      customRoutes: declared,
      metricFamilies: () => observability.metrics?.families() ?? [],
      listen: () => app.listen({ host: config.server.host, port: config.server.port }),
      async drain() {
        const lost = await listening.drain(config.server.graceSeconds)
        if (lost > 0) app.log.warn(`${lost} requests took longer than server.graceSeconds and were cut off`)
      },
      close() {
        closing ??= closeAll()
        return closing
      },
    })
  } catch (error) {
    // Why it does not come to be is what matters.
    await closeAll().catch(() => {})
    throw error
  }
}

/** Loaded for those alone who have asked for it. */
async function telemetryOf(dir: string) {
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

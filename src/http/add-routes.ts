/** All routes and hooks of the app, in the order in which they apply. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { SharedCounts } from '../access/credentials/rate-limit.ts'
import { hasWebhooks } from '../events/sinks.ts'
import type { LocaleChanges } from '../live/locale-changes.ts'
import type { SchemaChanges } from '../live/schema-changes.ts'
import type { Storage } from '../media/storage/storage.ts'
import type { Learner } from '../reads/indexes/learner.ts'
import { adminAppRoutes } from './admin/app/routes.ts'
import { configuredLocaleRoutes } from './admin/locales.ts'
import { indexRoutes } from './admin/operations/indexes.ts'
import { adminRoutes } from './admin/routes.ts'
import { schemaRoutes } from './admin/schemas.ts'
import { checkCredentialsBeforeBodies } from './auth/credential-before-body.ts'
import { permissionRoutes } from './auth/roles.ts'
import { authRoutes } from './auth/routes.ts'
import { userRoutes } from './auth/users.ts'
import { batchRoutes } from './content/batch.ts'
import { createFastPath } from './content/fast-path.ts'
import { onHookAdded, trackRouteNames } from './content/fast-path-conditions.ts'
import { localeRoutes } from './content/locales.ts'
import { createContentResponder } from './content/respond.ts'
import { contentRoutes } from './content/routes.ts'
import { docsPage, docsRoutes } from './docs/routes.ts'
import { createFeedRoute, FEED_NAME, type FeedRoute } from './events/route.ts'
import { customRoutes } from './extension/custom-routes.ts'
import type { Extension } from './extension/extension.ts'
import { healthRoutes } from './health.ts'
import type { Listener } from './listener.ts'
import type { Mcp } from './mcp/mcp.ts'
import { type GatherMetrics, type Metrics, metricsRoutes } from './metrics/metrics.ts'
import { modelRoutes } from './model/routes.ts'
import { addNetworkEdge } from './network-edge.ts'
import type { CustomRoute } from './openapi/paths/custom.ts'
import { addNotFound } from './pages/not-found.ts'
import { resetPasswordPage } from './pages/reset-password.ts'
import { addBodyParsers } from './request/body.ts'
import { createAddressOf } from './request/client-address.ts'
import { forbidStoring } from './response/cache-control.ts'
import type { CommonHeaders } from './response/common-headers.ts'
import { handleErrors } from './response/error-response.ts'
import { addPositionHooks } from './response/replica-position.ts'
import type { Server } from './server.ts'
import { presentFile } from './upload/file-record.ts'
import { uploadRoutes } from './upload/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { openWebhooks, type WebhookService } from './webhooks/service.ts'

export interface RoutesOptions {
  readonly server: Server
  readonly extension: Extension
  readonly changes: SchemaChanges
  readonly localeChanges: LocaleChanges
  readonly listener: Listener
  readonly headers: CommonHeaders
  readonly requestIdOf: (request: IncomingMessage) => string
  /** Null when metrics are disabled. */
  readonly metrics: Metrics | null
  readonly gatherMetrics: GatherMetrics | null
  /** Counts of rate limits that worker processes share. */
  readonly counts: SharedCounts | undefined
  readonly schemaVersion: () => number
  /** Null when reads are not counted. */
  readonly learner: Learner | null
  /** Whether requests are traced: then every request must pass the hooks of the app. */
  readonly isTraced: boolean
}

export interface Routes {
  /** The live feed; null when events are disabled. */
  readonly feed: FeedRoute | null
  readonly webhooks: WebhookService | null
  /** The documented routes of the project. */
  readonly custom: readonly CustomRoute[]
  /** Where uploaded files are stored. */
  readonly storage: Storage
  openMcp(): Promise<Mcp>
}

export async function addRoutes(app: FastifyInstance, options: RoutesOptions): Promise<Routes> {
  const { server, headers, listener, schemaVersion } = options
  const { store, project, production } = server
  const { config } = project
  const isGenerated = trackRouteNames(app)
  addHooks(app, options)
  healthRoutes(app, server, () => listener.isShuttingDown)
  if (options.metrics) metricsRoutes(app, server, options.metrics, options.gatherMetrics)
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
  const { addRoutes: addUploadRoutes, library, limitUploads } = await uploadRoutes(app, server)
  const webhooks = hasWebhooks(config)
    ? await openWebhooks(server, (file) => presentFile(file, library))
    : null
  await adminRoutes(app, server, {
    ...{ responder, schemaEditable, schemaVersion, addUploadRoutes },
    more: (guarded) => {
      schemaRoutes(guarded, server, {
        changes: options.changes,
        editable: schemaEditable,
        version: schemaVersion,
      })
      configuredLocaleRoutes(guarded, server, options.localeChanges)
      if (options.learner) indexRoutes(guarded, server, options.learner)
      if (webhooks) webhookRoutes(guarded, server, webhooks)
    },
  })
  if (config.admin.enabled) adminAppRoutes(app, config.admin.path, library.storage)
  batchRoutes(app, server)
  const custom: CustomRoute[] = []
  docsRoutes(app, server, custom)
  if (config.docs.enabled) docsPage(app, project)
  await customRoutes(app, server, options.extension.routes, custom)
  resetPasswordPage(app, server)
  const mcp = { server, responder, library, limitUploads }
  if (config.mcp.enabled) await (await import('./mcp/route.ts')).mcpRoute(app, mcp)
  const feed = config.events.enabled
    ? createFeedRoute({
        ...{ server, config: config.events, commonHeaders: headers },
        excludeFromLimits: listener.excludeFromLimits,
        presentFile: (file) => presentFile(file, library),
      })
    : null
  let isHooked = options.isTraced
  contentRoutes(app, responder, () => isHooked, feed)
  if (!options.isTraced && !config.rateLimit.general)
    listener.useFastPath(
      createFastPath({
        ...{ responder, access: server.access, requestIdOf: options.requestIdOf, isGenerated },
        addressOf: createAddressOf(config.server.trustedProxies),
        bodyLimit: config.server.bodyLimit,
        isFeed: (name, method, given) => name === FEED_NAME && feed !== null && feed.accepts(method, given),
      }),
    )
  // A hook that is added later must see every request and every response.
  onHookAdded(app, () => {
    isHooked = true
    listener.useFastPath(null)
  })
  const openMcp = async () => (await import('./mcp/mcp.ts')).createMcp(mcp)
  return { feed, webhooks, custom, storage: library.storage, openMcp }
}

/** What applies to every request before its route. */
function addHooks(app: FastifyInstance, { server, headers, counts }: RoutesOptions): void {
  const { store, access, project } = server
  const { config } = project
  handleErrors(app)
  addNotFound(app, project)
  addBodyParsers(app, config.api.rest.bounds)
  addNetworkEdge(app, { config, access, counts, headers })
  checkCredentialsBeforeBodies(app, access)
  if (store.positions) addPositionHooks(app, store.positions)
}

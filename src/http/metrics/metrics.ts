/** All metrics of a server, and the route `/metrics`. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerOf, hashOf, sameHash } from '../../access/credentials/bearer.ts'
import { hasWebhooks } from '../../events/sinks.ts'
import type { DeliveryStats } from '../../events/webhooks/deliver.ts'
import { countWaiting } from '../../events/webhooks/delivery-list.ts'
import { countJobs } from '../../jobs/list.ts'
import type { JobStats } from '../../jobs/runner.ts'
import type { ReadStats } from '../../reads/read-stats.ts'
import type { Store } from '../../store/store.ts'
import { requireAdmin } from '../auth/caller.ts'
import { declareRoute } from '../method-routes.ts'
import type { Server } from '../server.ts'
import { cacheFamilies, storeFamilies } from './database.ts'
import { createHistogram, histograms, observe } from './histogram.ts'
import { jobCountFamilies, jobRunFamilies } from './jobs.ts'
import type { ResponseObserver } from './observed-response.ts'
import { createProcessMetrics } from './process.ts'
import {
  CONTENT_TYPE,
  counter,
  formatMetrics,
  gauge,
  type MetricFamily,
  mergeWorkers,
  unlabelled,
} from './prometheus.ts'
import { createRequestMetrics } from './requests.ts'
import { webhookAttemptFamilies, webhookWaitingFamilies } from './webhooks.ts'

export interface Metrics {
  readonly countResponse: ResponseObserver
  /** The current metrics of this process. */
  families(): readonly MetricFamily[]
  close(): void
}

/** Collects the metrics of all workers, including this one, by worker name. */
export type GatherMetrics = () => Promise<ReadonlyMap<string, readonly MetricFamily[]>>

export interface MetricsOptions {
  readonly store: Store
  readonly reads: ReadStats
  /** The uid of the content-type with this name in its routes. */
  readonly typeOf: (name: string) => string | undefined
  /** The number of slow reads so far. */
  readonly slowReads: () => number
  readonly slowWrites: () => number
  /** The jobs that this process has run; none before they are started. */
  readonly jobs: () => ReadonlyMap<string, JobStats>
  /** The number of open streams of the live feed. */
  readonly streams: () => number
  /** The attempts that this process has made to deliver events to webhooks; null without webhooks. */
  readonly webhooks: () => DeliveryStats | null
}

export function createMetrics({
  store,
  reads,
  typeOf,
  slowReads,
  slowWrites,
  jobs,
  streams,
  webhooks,
}: MetricsOptions): Metrics {
  const requests = createRequestMetrics(typeOf)
  const ofProcess = createProcessMetrics()
  const durations = createHistogram()
  reads.onDuration = (milliseconds) => observe(durations, milliseconds)
  return {
    countResponse: requests.countResponse,
    families: () => [
      ...requests.families(),
      ...cacheFamilies(reads),
      histograms(
        'octavo_read_duration_seconds',
        'Time that content reads took in the database, including waiting.',
        [[{}, durations]],
      ),
      counter(
        'octavo_slow_reads_total',
        'Reads that took longer than log.slowQueryMs.',
        unlabelled(slowReads()),
      ),
      counter(
        'octavo_slow_writes_total',
        'Writes that took longer than log.slowQueryMs.',
        unlabelled(slowWrites()),
      ),
      ...storeFamilies(store.dialect.name, store.metrics()),
      ...jobRunFamilies(jobs()),
      gauge('octavo_event_streams', 'Open streams of the live feed.', unlabelled(streams())),
      ...webhookAttemptFamilies(webhooks()),
      ...ofProcess.families(),
    ],
    close: ofProcess.close,
  }
}

/** Adds `/metrics`, for admins and for requests with `metrics.token`. */
export function metricsRoutes(
  app: FastifyInstance,
  server: Server,
  metrics: Metrics,
  gather: GatherMetrics | null,
): void {
  const { config } = server.project
  const {
    events,
    metrics: { token },
  } = config
  declareRoute(app, '/metrics', {
    GET: async (request, reply) => {
      if (token === null || !hasToken(request, token)) await requireAdmin(server, request)
      const families = gather ? mergeWorkers(await gather()) : metrics.families()
      const jobs = events.enabled ? jobCountFamilies(await countJobs(server.store)) : []
      const webhooks = hasWebhooks(config) ? webhookWaitingFamilies(await countWaiting(server.store)) : []
      return reply
        .type(CONTENT_TYPE)
        .header('cache-control', 'no-store')
        .send(formatMetrics([...families, ...jobs, ...webhooks]))
    },
  })
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const credential = bearerOf(headers.authorization)
  return credential !== null && sameHash(hashOf(credential), hashOf(token))
}

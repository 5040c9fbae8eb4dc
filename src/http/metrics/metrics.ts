/** All figures of a server, and `/metrics`, where Prometheus reads them. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerOf, hashOf, sameHash } from '../../access/credentials/bearer.ts'
import type { ReadStats } from '../../reads/read-stats.ts'
import type { Store } from '../../store/store.ts'
import { requireAdmin } from '../auth/caller.ts'
import { path } from '../method-routes.ts'
import type { Server } from '../server.ts'
import { cacheFamilies, storeFamilies } from './database.ts'
import { createHistogram, histograms, observe } from './histogram.ts'
import type { ResponseObserver } from './observed-response.ts'
import { createProcessMetrics } from './process.ts'
import {
  CONTENT_TYPE,
  counter,
  formatMetrics,
  type MetricFamily,
  mergeWorkers,
  unlabelled,
} from './prometheus.ts'
import { createRequestMetrics } from './requests.ts'

export interface Metrics {
  /** Counts a request that was answered. */
  readonly countResponse: ResponseObserver
  /** The figures of this process as they are now. */
  families(): readonly MetricFamily[]
  close(): void
}

/** Asks all workers, this one too, for their figures; by the name of each. */
export type GatherMetrics = () => Promise<ReadonlyMap<string, readonly MetricFamily[]>>

export interface MetricsOptions {
  readonly store: Store
  readonly reads: ReadStats
  /** The content-type whose endpoints have this name. */
  readonly typeOf: (name: string) => string | undefined
  /** How many reads were slow so far. */
  readonly slowReads: () => number
  /** How many writes were. */
  readonly slowWrites: () => number
}

/** Starts to keep figures. */
export function createMetrics({ store, reads, typeOf, slowReads, slowWrites }: MetricsOptions): Metrics {
  const requests = createRequestMetrics(typeOf)
  const own = createProcessMetrics()
  const durations = createHistogram()
  reads.onDuration = (milliseconds) => observe(durations, milliseconds)
  return {
    countResponse: requests.countResponse,
    families: () => [
      ...requests.families(),
      ...cacheFamilies(reads),
      histograms(
        'octavo_read_duration_seconds',
        'Time that reads of content took in the database, waiting for it included.',
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
      ...own.families(),
    ],
    close: own.close,
  }
}

/** Adds `/metrics`, for whoever has the token of the configuration, and for admins. */
export function metricsRoutes(
  app: FastifyInstance,
  server: Server,
  metrics: Metrics,
  gather: GatherMetrics | null,
): void {
  const { token } = server.project.config.metrics
  path(app, '/metrics', {
    GET: async (request, reply) => {
      if (token === null || !holds(request, token)) await requireAdmin(server, request)
      const families = gather ? mergeWorkers(await gather()) : metrics.families()
      return reply.type(CONTENT_TYPE).header('cache-control', 'no-store').send(formatMetrics(families))
    },
  })
}

/** Whether a request carries the token. */
function holds({ headers }: FastifyRequest, token: string): boolean {
  const credential = bearerOf(headers.authorization)
  return credential !== null && sameHash(hashOf(credential), hashOf(token))
}

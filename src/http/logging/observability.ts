/** Metrics, the request log and the log of slow reads and writes, as the configuration enables them. */
import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { SlowWriteReport } from '../../documents/slow-writes.ts'
import type { DeliveryStats } from '../../events/webhooks/deliver.ts'
import type { JobStats } from '../../jobs/runner.ts'
import type { Config } from '../../project/config/config.ts'
import type { UsageCollector } from '../../reads/indexes/read-usage.ts'
import { createReadStats, type ReadStats } from '../../reads/read-stats.ts'
import type { Store } from '../../store/store.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import {
  createResponseClass,
  type FinishedResponse,
  labelResponsesByRequestId,
  labelResponsesByRoute,
  type ResponseObserver,
} from '../metrics/observed-response.ts'
import { createSlowReadLog } from './slow-reads.ts'
import { createSlowWriteLog } from './slow-writes.ts'

export interface Observability {
  /** The class of the server's responses; null when neither metrics nor the request log is enabled. */
  readonly responseClass: typeof ServerResponse | null
  readonly reads: ReadStats
  /** Undefined when slow writes are not logged. */
  readonly writes: SlowWriteReport | undefined
  /** Null when metrics are disabled. */
  readonly metrics: Metrics | null
  /** Must be called before routes are added. */
  attach(app: FastifyInstance): void
  close(): void
}

export interface ObservabilityOptions {
  readonly config: Pick<Config, 'metrics' | 'log'>
  readonly store: Store
  /** Counts reads to find indexes that would help; null when that is disabled. */
  readonly usage: UsageCollector | null
  /** The uid of the content-type with this name in its routes. */
  readonly typeOf: (name: string) => string | undefined
  /** The jobs that this process has run; none before they are started. */
  readonly jobs: () => ReadonlyMap<string, JobStats>
  /** The number of open streams of the live feed. */
  readonly streams: () => number
  /** The attempts that this process has made to deliver events to webhooks; null without webhooks. */
  readonly webhooks: () => DeliveryStats | null
}

export function createObservability({
  config: { metrics, log },
  store,
  usage,
  typeOf,
  jobs,
  streams,
  webhooks,
}: ObservabilityOptions): Observability {
  let logger: FastifyBaseLogger | null = null
  const slowReads = createSlowReadLog(store, () => logger)
  const slowWrites = createSlowWriteLog(() => logger)
  const logsSlow = log.slowQueryMs > 0
  const reads = createReadStats(logsSlow ? log.slowQueryMs : Infinity, slowReads.report, usage)
  const collected = metrics.enabled
    ? createMetrics({
        ...{ store, reads, typeOf, jobs, streams, webhooks },
        slowReads: () => slowReads.count,
        slowWrites: () => slowWrites.count,
      })
    : null
  const logRequest: ResponseObserver = (response) =>
    logger?.info(requestLine(response, typeOf), 'Request completed')
  const observers = [...(collected ? [collected.countResponse] : []), ...(log.requests ? [logRequest] : [])]
  return {
    responseClass: observers.length > 0 ? createResponseClass(allOf(observers)) : null,
    reads,
    writes: logsSlow ? { slowAfter: log.slowQueryMs, slow: slowWrites.report } : undefined,
    metrics: collected,
    attach(app) {
      logger = app.log
      if (observers.length > 0) labelResponsesByRoute(app)
      if (log.requests) labelResponsesByRequestId(app)
    },
    close: () => collected?.close(),
  }
}

function allOf(observers: readonly ResponseObserver[]): ResponseObserver {
  const [only] = observers
  if (only && observers.length === 1) return only
  return (response) => {
    for (const observer of observers) observer(response)
  }
}

/** The path and the parameters are left out: they may contain personal data. */
const requestLine = (
  { requestId: request, method, route, name, status, milliseconds }: FinishedResponse,
  typeOf: ObservabilityOptions['typeOf'],
) => ({
  request,
  method,
  route,
  contentType: name === null ? undefined : typeOf(name),
  status,
  ms: Math.round(milliseconds * 100) / 100,
})

/** What a server tells about itself while it runs, put together from the configuration: figures, lines of the log. */
import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { SlowWriteReport } from '../../documents/slow-writes.ts'
import type { Config } from '../../project/config/config.ts'
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
  /** The class of the server's responses; null when nobody wants to know of answers. */
  readonly responseClass: typeof ServerResponse | null
  /** What reads tell about themselves. */
  readonly reads: ReadStats
  /** What writes tell about themselves; absent when none can be slow. */
  readonly writes: SlowWriteReport | undefined
  /** Null when no figures are kept. */
  readonly metrics: Metrics | null
  /** To be called before routes are declared. */
  attach(app: FastifyInstance): void
  close(): void
}

export interface ObservabilityOptions {
  readonly config: Pick<Config, 'metrics' | 'log'>
  readonly store: Store
  /** The content-type whose endpoints have this name. */
  readonly typeOf: (name: string) => string | undefined
}

/** Watches a server as far as its configuration asks for it. */
export function createObservability({
  config: { metrics, log },
  store,
  typeOf,
}: ObservabilityOptions): Observability {
  let logger: FastifyBaseLogger | null = null
  const slow = createSlowReadLog(store, () => logger)
  const slowWrites = createSlowWriteLog(() => logger)
  const tellsSlow = log.slowQueryMs > 0
  const reads = createReadStats(tellsSlow ? log.slowQueryMs : Infinity, slow.report)
  const figures = metrics.enabled
    ? createMetrics({
        ...{ store, reads, typeOf },
        slowReads: () => slow.count,
        slowWrites: () => slowWrites.count,
      })
    : null
  const tell: ResponseObserver = (answered) => logger?.info(accessLine(answered, typeOf), 'answered')
  const watchers = [...(figures ? [figures.countResponse] : []), ...(log.requests ? [tell] : [])]
  return {
    responseClass: watchers.length > 0 ? createResponseClass(allOf(watchers)) : null,
    reads,
    writes: tellsSlow ? { slowAfter: log.slowQueryMs, slow: slowWrites.report } : undefined,
    metrics: figures,
    attach(app) {
      logger = app.log
      if (watchers.length > 0) labelResponsesByRoute(app)
      if (log.requests) labelResponsesByRequestId(app)
    },
    close: () => figures?.close(),
  }
}

/** Calls all watchers; most often there is one. */
function allOf(watchers: readonly ResponseObserver[]): ResponseObserver {
  const [only] = watchers
  if (only && watchers.length === 1) return only
  return (answered) => {
    for (const watcher of watchers) watcher(answered)
  }
}

/** What is told of a request: no path and no parameter, which may hold anything. */
const accessLine = (
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

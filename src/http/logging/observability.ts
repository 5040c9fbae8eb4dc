/** What a server tells about itself while it runs, put together from the configuration: figures, lines of the log. */
import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { WriteWatch } from '../../documents/hooks/slow-writes.ts'
import type { Config } from '../../project/config/config.ts'
import { createReadStats, type ReadStats } from '../../reads/read-stats.ts'
import type { Store } from '../../store/store.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import {
  type Answered,
  type Watcher,
  watchedResponses,
  watchRequestIds,
  watchRoutes,
} from '../metrics/responses.ts'
import { createSlowReads } from './slow-reads.ts'
import { createSlowWrites } from './slow-writes.ts'

export interface Watching {
  /** The class of the server's responses; null when nobody wants to know of answers. */
  readonly responses: typeof ServerResponse | null
  /** What reads tell about themselves. */
  readonly reads: ReadStats
  /** What writes tell about themselves; absent when none can be slow. */
  readonly writes: WriteWatch | undefined
  /** Null when no figures are kept. */
  readonly metrics: Metrics | null
  /** To be called before routes are declared. */
  begin(app: FastifyInstance): void
  close(): void
}

export interface WatchingOptions {
  readonly config: Pick<Config, 'metrics' | 'log'>
  readonly store: Store
  /** The content-type whose endpoints have this name. */
  readonly typeOf: (name: string) => string | undefined
}

/** Watches a server as far as its configuration asks for it. */
export function createWatching({ config: { metrics, log }, store, typeOf }: WatchingOptions): Watching {
  let logger: FastifyBaseLogger | null = null
  const slow = createSlowReads(store, () => logger)
  const slowWrites = createSlowWrites(() => logger)
  const tellsSlow = log.slowQueryMs > 0
  const reads = createReadStats(tellsSlow ? log.slowQueryMs : Infinity, slow.tell)
  const figures = metrics.enabled
    ? createMetrics({
        ...{ store, reads, typeOf },
        slowReads: () => slow.count,
        slowWrites: () => slowWrites.count,
      })
    : null
  const tell: Watcher = (answered) => logger?.info(accessLine(answered, typeOf), 'answered')
  const watchers = [...(figures ? [figures.answered] : []), ...(log.requests ? [tell] : [])]
  return {
    responses: watchers.length > 0 ? watchedResponses(allOf(watchers)) : null,
    reads,
    writes: tellsSlow ? { slowAfter: log.slowQueryMs, slow: slowWrites.tell } : undefined,
    metrics: figures,
    begin(app) {
      logger = app.log
      if (watchers.length > 0) watchRoutes(app)
      if (log.requests) watchRequestIds(app)
    },
    close: () => figures?.close(),
  }
}

/** Calls all watchers; most often there is one. */
function allOf(watchers: readonly Watcher[]): Watcher {
  const [only] = watchers
  if (only && watchers.length === 1) return only
  return (answered) => {
    for (const watcher of watchers) watcher(answered)
  }
}

/** What is told of a request: no path and no parameter, which may hold anything. */
const accessLine = (
  { request, method, route, name, status, milliseconds }: Answered,
  typeOf: WatchingOptions['typeOf'],
) => ({
  request,
  method,
  route,
  contentType: name === null ? undefined : typeOf(name),
  status,
  ms: Math.round(milliseconds * 100) / 100,
})

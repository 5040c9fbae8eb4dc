/** Collects the metrics of all workers. A worker that does not respond in time is left out. */
import type { MetricFamily } from '../../http/metrics/prometheus.ts'

/** Metrics by worker name. */
export type WorkerMetrics = readonly (readonly [worker: string, metrics: readonly MetricFamily[]])[]

const TIMEOUT_MS = 1_000

export interface MetricsCollector<Source> {
  /** Requests metrics from all sources; resolves with those received before the timeout. */
  collect(sources: readonly Source[]): Promise<ReadonlyMap<Source, readonly MetricFamily[]>>
  /** Accepts the response of a source to the collection with this number. */
  receive(source: Source, collection: number, metrics: readonly MetricFamily[]): void
}

export function createMetricsCollector<Source>(
  request: (source: Source, collection: number) => void,
): MetricsCollector<Source> {
  interface Collection {
    readonly pending: Set<Source>
    readonly metrics: Map<Source, readonly MetricFamily[]>
    finish(): void
  }
  const collections = new Map<number, Collection>()
  let lastCollection = 0
  return {
    collect: (sources) =>
      new Promise((resolve) => {
        const collection = ++lastCollection
        const metrics = new Map<Source, readonly MetricFamily[]>()
        const finish = () => {
          clearTimeout(timer)
          collections.delete(collection)
          resolve(metrics)
        }
        const timer = setTimeout(finish, TIMEOUT_MS)
        collections.set(collection, { pending: new Set(sources), metrics, finish })
        for (const source of sources) request(source, collection)
      }),
    receive(source, collection, metrics) {
      const open = collections.get(collection)
      if (!open?.pending.delete(source)) return
      open.metrics.set(source, metrics)
      if (open.pending.size === 0) open.finish()
    },
  }
}

/** The connection of a worker to the primary process: write lock, shared counts, metrics of all workers, shutdown. */
import cluster from 'node:cluster'
import type { SharedCounts } from '../../access/credentials/rate-limit.ts'
import type { MetricFamily } from '../../http/metrics/prometheus.ts'
import { openSiblingsFile, type SiblingProcesses } from '../../store/postgres/versions/sibling-processes.ts'
import {
  type DurabilityFailure,
  trackDurabilityFailure,
} from '../../store/sqlite/writes/durability-failure.ts'
import { type FromWorker, isToWorker, WORKER_START_VARIABLE, type WorkerStart } from './messages.ts'
import type { WorkerMetrics } from './metrics.ts'
import { createExchangedCounts } from './rate-limit-counts.ts'
import { createRemoteWriteLock, type RemoteWriteLock } from './remote-write-lock.ts'

export interface PrimaryLink {
  readonly writeLock: RemoteWriteLock
  readonly durability: DurabilityFailure
  readonly siblings: SiblingProcesses
  readonly counts: SharedCounts
  /** Whether this worker does what must be done once for all workers. */
  readonly isFirst: boolean
  reportListening(address: string): void
  /** Reports why the worker cannot start, and exits. */
  reportStartFailure(reason: string): void
  /** Sets the source of this worker's own metrics. */
  setMetricsSource(collect: () => readonly MetricFamily[]): void
  /** The metrics of all workers, by worker name. */
  collectAllMetrics(): Promise<ReadonlyMap<string, readonly MetricFamily[]>>
}

const METRICS_TIMEOUT_MS = 3_000

/** Connects to the primary process. `shutDown` is called when it requests that, or when it is gone. */
export function connectToPrimary(start: WorkerStart, waitSeconds: number, shutDown: () => void): PrimaryLink {
  const { slot, siblings, isFirst } = start
  const send = (message: FromWorker, onSent = () => {}) => {
    if (process.connected) process.send?.(message, () => onSent())
    else onSent()
  }
  const writeLock = createRemoteWriteLock((octavo) => send({ octavo }), waitSeconds)
  const counts = createExchangedCounts((changes) => send({ octavo: 'counts', counts: changes }))
  const durability = trackDurabilityFailure()
  durability.onFailure(() => send({ octavo: 'durability-failed' }))
  const metricsRequests = new Map<number, (metrics: WorkerMetrics) => void>()
  let lastMetricsRequest = 0
  let ownMetrics: () => readonly MetricFamily[] = () => []
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    switch (message.octavo) {
      case 'write-lock-granted':
        return writeLock.onGranted()
      case 'shut-down':
        return shutDown()
      case 'ping':
        return send({ octavo: 'pong' })
      case 'durability-failed':
        return durability.failedElsewhere()
      case 'counts':
        return counts.apply(message.counts)
      case 'request-metrics':
        return send({ octavo: 'metrics', collection: message.collection, metrics: ownMetrics() })
      case 'all-metrics':
        return metricsRequests.get(message.request)?.(message.metrics)
    }
  })
  // Node acknowledges each connection to the primary process and emits an error if that is gone. The connection is
  // served all the same, and `disconnect` is emitted separately.
  process.on('error', () => {})
  // Otherwise Node exits on disconnect, with requests in progress.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.once('disconnect', () => {
    writeLock.onPrimaryGone()
    shutDown()
  })
  return {
    writeLock,
    durability,
    counts,
    siblings: openSiblingsFile(siblings, slot),
    isFirst,
    reportListening: (address) => send({ octavo: 'listening', address }),
    reportStartFailure: (reason) => send({ octavo: 'start-failed', reason }, () => process.exit(1)),
    setMetricsSource(collect) {
      ownMetrics = collect
    },
    collectAllMetrics: () =>
      new Promise((resolve) => {
        const request = ++lastMetricsRequest
        const settle = (metrics: WorkerMetrics) => {
          clearTimeout(timer)
          metricsRequests.delete(request)
          resolve(new Map(metrics))
        }
        // If the primary process does not respond, return at least the metrics of this worker.
        const timer = setTimeout(() => settle([[String(slot), ownMetrics()]]), METRICS_TIMEOUT_MS)
        metricsRequests.set(request, settle)
        send({ octavo: 'request-all-metrics', request })
      }),
  }
}

/** The start parameters that the primary process passed to this worker. */
export function readWorkerStart(): WorkerStart {
  const start: WorkerStart = JSON.parse(process.env[WORKER_START_VARIABLE] ?? '')
  return start
}

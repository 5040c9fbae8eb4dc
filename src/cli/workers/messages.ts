/** The IPC messages between the primary process and its workers. */
import type { MetricFamily } from '../../http/metrics/prometheus.ts'
import type { WorkerMetrics } from './metrics.ts'
import type { Count } from './rate-limit-counts.ts'

/** Start parameters of a worker, passed in an environment variable. */
export interface WorkerStart {
  /** Slot of this worker in the siblings file, and the path of that file. */
  readonly slot: number
  readonly siblings: string
  /** Whether this worker does what must be done once for all workers, such as loading demo content. */
  readonly isFirst: boolean
  /** The port that all workers share. With `server.port` 0 it is chosen once, so that it survives restarts of workers. */
  readonly port: number
  /** Whether a write has failed to reach the disk in another worker. */
  readonly durabilityFailed: boolean
}

export const WORKER_START_VARIABLE = 'OCTAVO_WORKER'

export type FromWorker =
  | { readonly octavo: 'listening'; readonly address: string }
  | { readonly octavo: 'start-failed'; readonly reason: string }
  | { readonly octavo: 'request-write-lock' }
  | { readonly octavo: 'release-write-lock' }
  | { readonly octavo: 'pong' }
  | { readonly octavo: 'durability-failed' }
  | { readonly octavo: 'counts'; readonly counts: readonly Count[] }
  | { readonly octavo: 'request-all-metrics'; readonly request: number }
  | { readonly octavo: 'metrics'; readonly collection: number; readonly metrics: readonly MetricFamily[] }

export type ToWorker =
  | { readonly octavo: 'write-lock-granted' }
  | { readonly octavo: 'shut-down' }
  | { readonly octavo: 'ping' }
  | { readonly octavo: 'durability-failed' }
  | { readonly octavo: 'counts'; readonly counts: readonly Count[] }
  | { readonly octavo: 'request-metrics'; readonly collection: number }
  | { readonly octavo: 'all-metrics'; readonly request: number; readonly metrics: WorkerMetrics }

/** The project's own code may send other messages; only ours have an `octavo` property. */
const isOurs = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'octavo' in message

export const isFromWorker = (message: unknown): message is FromWorker => isOurs(message)
export const isToWorker = (message: unknown): message is ToWorker => isOurs(message)

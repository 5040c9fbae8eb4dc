/** What the leading process and its workers say to each other. */
import type { MetricFamily } from '../../http/metrics/prometheus.ts'
import type { WorkerFigures } from './metrics.ts'
import type { Count } from './rate-limit-counts.ts'

/** What a worker is told when it is started, in an environment variable. */
export interface Assignment {
  /** Its place among the workers, and the file in which each has one. */
  readonly place: number
  readonly siblings: string
  /** Whether it does what is done once for all of them. */
  readonly first: boolean
  /** The port of all of them: if any would do, it is still one and the same, also after all have died. */
  readonly port: number
  /** Whether the disk has failed another before. */
  readonly inDoubt: boolean
}

export const ASSIGNMENT = 'OCTAVO_WORKER'

/**
 * From a worker: it serves, it cannot serve, it asks for the turn to write, it gives the turn back; it lives; the disk has failed
 * it; it has counted something; it wants the figures of all workers, it tells its own.
 */
export type FromWorker =
  | { readonly octavo: 'serves'; readonly address: string }
  | { readonly octavo: 'fails'; readonly words: string }
  | { readonly octavo: 'ask' }
  | { readonly octavo: 'give' }
  | { readonly octavo: 'lives' }
  | { readonly octavo: 'doubts' }
  | { readonly octavo: 'count'; readonly counts: readonly Count[] }
  | { readonly octavo: 'gather'; readonly wish: number }
  | { readonly octavo: 'figures'; readonly question: number; readonly figures: readonly MetricFamily[] }

/** To a worker: the turn is its own, it shall come to its end, it shall say that it lives, the disk has failed another, others have counted something, it shall tell its figures, those of all are here. */
export type ToWorker =
  | { readonly octavo: 'turn' }
  | { readonly octavo: 'end' }
  | { readonly octavo: 'live?' }
  | { readonly octavo: 'doubt' }
  | { readonly octavo: 'counted'; readonly counts: readonly Count[] }
  | { readonly octavo: 'tell'; readonly question: number }
  | { readonly octavo: 'gathered'; readonly wish: number; readonly figures: WorkerFigures }

const isOurs = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'octavo' in message

/** Whether a message is one of a worker of ours; code of the project may send others. */
export const isFromWorker = (message: unknown): message is FromWorker => isOurs(message)
export const isToWorker = (message: unknown): message is ToWorker => isOurs(message)

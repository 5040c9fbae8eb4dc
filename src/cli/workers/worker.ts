/** What a worker of several has beside a server: its turn to write, its place among the others, and its end when told. */
import cluster from 'node:cluster'
import type { SharedCounts } from '../../access/credentials/rate-limit.ts'
import type { MetricFamily } from '../../http/metrics/prometheus.ts'
import { openSiblingsFile, type SiblingProcesses } from '../../store/postgres/sibling-processes.ts'
import {
  type DurabilityFailure,
  trackDurabilityFailure,
} from '../../store/sqlite/writes/durability-failure.ts'
import { ASSIGNMENT, type Assignment, type FromWorker, isToWorker } from './messages.ts'
import type { WorkerFigures } from './metrics.ts'
import { createCounts } from './rate-limit-counts.ts'
import { type AskedTurn, createTurn } from './write-turn.ts'

export interface Membership {
  readonly writeLock: AskedTurn
  readonly durability: DurabilityFailure
  readonly siblings: SiblingProcesses
  readonly counts: SharedCounts
  /** Whether this one does what is done once for all of them. */
  readonly first: boolean
  serves(address: string): void
  /** The figures of all workers, by the names of the workers. */
  gather(): Promise<ReadonlyMap<string, readonly MetricFamily[]>>
  /** Has others know the figures of this one. */
  tells(figures: () => readonly MetricFamily[]): void
  /** Tells why there will be no server, and exits. */
  fails(words: string): void
}

/** How long the figures of all workers may take. */
const PATIENCE_MS = 3_000

/** Joins the workers; `end` is called when this one shall end, or when nobody leads any more. */
export function join(assignment: Assignment, waitSeconds: number, end: () => void): Membership {
  const say = (message: FromWorker, then = () => {}) => {
    if (process.connected) process.send?.(message, () => then())
    else then()
  }
  const writeLock = createTurn((octavo) => say({ octavo }), waitSeconds)
  const counts = createCounts((told) => say({ octavo: 'count', counts: told }))
  const { place, siblings, first } = assignment
  const durability = trackDurabilityFailure()
  durability.onFailure(() => say({ octavo: 'doubts' }))
  const wishes = new Map<number, (figures: WorkerFigures) => void>()
  let wishesMade = 0
  let figures: () => readonly MetricFamily[] = () => []
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    if (message.octavo === 'turn') writeLock.grant()
    else if (message.octavo === 'end') end()
    else if (message.octavo === 'live?') say({ octavo: 'lives' })
    else if (message.octavo === 'doubt') durability.failedElsewhere()
    else if (message.octavo === 'counted') counts.hear(message.counts)
    else if (message.octavo === 'tell')
      say({ octavo: 'figures', question: message.question, figures: figures() })
    else wishes.get(message.wish)?.(message.figures)
  })
  // Node confirms each connection to whoever leads; when that one is just gone, this is how it says that it could not.
  // What was asked is answered all the same, and the end of the channel comes as an event of its own.
  process.on('error', () => {})
  // Else it would exit at once, whatever it was working on.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.once('disconnect', () => {
    writeLock.withoutLeader()
    end()
  })
  return {
    writeLock,
    durability,
    counts,
    siblings: openSiblingsFile(siblings, place),
    first,
    serves: (address) => say({ octavo: 'serves', address }),
    tells(own) {
      figures = own
    },
    gather: () =>
      new Promise((resolve) => {
        const wish = ++wishesMade
        const settle = (found: WorkerFigures) => {
          clearTimeout(timer)
          wishes.delete(wish)
          resolve(new Map(found))
        }
        // Whoever leads may be gone or stuck; then there are at least the figures of this one.
        const timer = setTimeout(() => settle([[String(place), figures()]]), PATIENCE_MS)
        wishes.set(wish, settle)
        say({ octavo: 'gather', wish })
      }),
    fails: (words) => say({ octavo: 'fails', words }, () => process.exit(1)),
  }
}

/** What this worker was told when it was started. */
export function readAssignment(): Assignment {
  const given: Assignment = JSON.parse(process.env[ASSIGNMENT] ?? '')
  return given
}

/** The results of a run, as they are written to a file. */
import { cpus, totalmem } from 'node:os'
import type { Measure } from './load.ts'
import type { Engine } from './options.ts'

/** One round of load. */
export interface Round extends Measure {
  /** CPU time per request in microseconds; null on systems that do not report it. */
  readonly processor: number | null
}

/** A workload on a server and, with the same bytes, on the bare server: the median rounds. */
export interface Measured {
  readonly bytes: number
  readonly bare: Round
  readonly own: Round
  /** Rate as a fraction of the bare server's: the median over all pairs of rounds. */
  readonly share: number
  /** The same for a bare server that reads from the same database; null where that was not measured. */
  readonly ceiling?: { readonly server: Round; readonly share: number } | null
}

export interface WorkloadResult extends Measured {
  readonly workload: string
  readonly title: string
  readonly engine: Engine | 'other'
  readonly cache: 'off' | 'on'
  readonly workers: number
}

/** A workload at one size. */
export interface GrowthFigure extends Measured {
  readonly grows: 'documents' | 'types'
  readonly size: number
  readonly workload: string
  readonly title: string
  readonly engine: Engine
}

/** The cost of preparing one size. */
export interface Filled {
  readonly grows: 'documents' | 'types'
  readonly size: number
  readonly engine: Engine
  readonly filledInSeconds: number
  /** Milliseconds from the start of the process to its first response. */
  readonly startMs: number
  readonly memoryMB: number | null
}

/** What recording changes adds to the cost of a write. */
export interface ChangeCost {
  readonly engine: Engine
  readonly workload: string
  /** What is on. */
  readonly variant: string
  /** Requests per second. */
  readonly rate: number
  /** Time and CPU time of a request relative to a server where everything is off. */
  readonly time: number
  readonly processor: number | null
  /** The highest permitted cost. */
  readonly most: number
}

export interface Start {
  /** Milliseconds from the start of the process to its first response: the median of several starts. */
  readonly startMs: number
  /** MB, some seconds after the first response; null on systems that do not report it. */
  readonly idleMB: number | null
}

/** Milliseconds of filter + sort: without an index, with the one that the server has created, and with a declared one. */
export interface IndexFigure {
  readonly engine: string
  readonly withoutMs: number
  readonly learnedMs: number
  readonly declaredMs: number
}

/** A search over a number of documents, of which the same number matches at every size: milliseconds of a read. */
export interface SearchFigure {
  readonly engine: Engine
  readonly search: string
  readonly size: number
  readonly indexMs: number
  /** Null when a scan takes longer than the server allows. */
  readonly scanMs: number | null
}

/** CPU time of a create, that of the database server included, in microseconds. */
export interface SearchCreate {
  readonly engine: Engine
  readonly withoutIndex: number
  readonly withIndex: number
}

/** The admin app with a number of documents: milliseconds from navigation until a screen is usable, and for the next page. */
export interface AdminSize {
  readonly size: number
  readonly listMs: number
  readonly pageMs: number
  readonly documentMs: number
}

/** Milliseconds from a key press to the next paint, in a document with a number of entries in its dynamic zone. */
/** Milliseconds from a key press to the next paint. */
export interface KeyPresses {
  readonly entries: number
  readonly medianMs: number
  readonly at95Ms: number
  /** The slowest of the first key presses, which begin as soon as the form is there; the median of several documents. */
  readonly firstMs: number
}

export interface AdminFigures {
  /** Scripts until the first list is usable, compressed with gzip. */
  readonly firstLoadBytes: number
  readonly sizes: readonly AdminSize[]
  readonly keyPresses: readonly KeyPresses[]
}

export interface Results {
  readonly day: string
  readonly version: string
  readonly machine: ReturnType<typeof machine>
  readonly generator: string
  readonly connections: number
  readonly rounds: number
  /** Rounds of workloads that have a target; absent in older results, which used `rounds` for all. */
  readonly targetRounds?: number
  readonly seconds: number
  readonly workloads?: readonly WorkloadResult[]
  readonly start?: { readonly octavo: Start; readonly bare: Start; readonly firstStartMs: number }
  readonly changes?: readonly ChangeCost[]
  readonly indexes?: readonly IndexFigure[]
  readonly search?: {
    readonly figures: readonly SearchFigure[]
    readonly creates: readonly SearchCreate[]
  }
  readonly admin?: AdminFigures | null
  readonly growth?: { readonly figures: readonly GrowthFigure[]; readonly filled: readonly Filled[] }
}

export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
})

/** The median. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The mean of the lowest quarter: what else runs on a machine can only add to the CPU time of a request. */
export function meanOfLowest(values: readonly number[]): number {
  const lowest = [...values].sort((a, b) => a - b).slice(0, Math.max(1, Math.floor(values.length / 4)))
  return lowest.reduce((sum, value) => sum + value, 0) / lowest.length
}

/** What a run comes to, as it is kept in a file. */
import { cpus, totalmem } from 'node:os'
import type { Measure } from './load.ts'
import type { Engine } from './options.ts'

/** One round of load. */
export interface Round extends Measure {
  /** Microseconds of processor time that a request cost the server; null where the system does not tell. */
  readonly processor: number | null
}

/** A workload on a server and beside it on the bare one, with the same bytes: the rounds in the middle. */
export interface Measured {
  readonly bytes: number
  readonly bare: Round
  readonly own: Round
  /** What is left of the bare rate: the middle of the shares of all pairs of rounds. */
  readonly share: number
}

export interface Figure extends Measured {
  readonly workload: string
  readonly title: string
  readonly engine: Engine | 'other'
  readonly cache: 'off' | 'on'
  readonly workers: number
}

/** A workload at one size of what grows. */
export interface GrowthFigure extends Measured {
  readonly grows: 'documents' | 'types'
  readonly size: number
  readonly workload: string
  readonly title: string
  readonly engine: Engine
}

/** What it took to have a size. */
export interface Filled {
  readonly grows: 'documents' | 'types'
  readonly size: number
  readonly engine: Engine
  readonly filledInSeconds: number
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number
  readonly memoryMB: number | null
}

export interface Start {
  /** Milliseconds from the start of the process to its first answer: the middle of several starts. */
  readonly startMs: number
  /** MB, some seconds after the first answer; null where the system does not tell. */
  readonly idleMB: number | null
}

export interface Results {
  readonly day: string
  readonly version: string
  readonly machine: ReturnType<typeof machine>
  readonly generator: string
  readonly connections: number
  readonly rounds: number
  /** Of workloads that have a bar to reach; absent in results of before there were more of them. */
  readonly barRounds?: number
  readonly seconds: number
  readonly workloads?: readonly Figure[]
  readonly start?: { readonly octavo: Start; readonly bare: Start; readonly firstStartMs: number }
  readonly growth?: { readonly figures: readonly GrowthFigure[]; readonly filled: readonly Filled[] }
}

export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
})

/** The value in the middle. */
export function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

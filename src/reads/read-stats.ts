/** What reads tell about themselves while they run: how often something remembered served, and which were slow. */
import type { ContentType } from '../model/model.ts'
import type { Statement } from '../store/statement.ts'

/** How often something was found where it is remembered, and how often it was not. */
export interface Tally {
  hits: number
  misses: number
}

/** A read that took long. */
export interface SlowRead {
  readonly type: ContentType
  /** The document that was asked for; null for a list and for a single type. */
  readonly id: string | null
  readonly rawQuery: string
  readonly statement: Statement
  readonly milliseconds: number
}

/** One for all states of the model, so that figures go on when the model changes. */
export interface ReadStats {
  /** Requests that were parsed and compiled before. */
  readonly urls: Tally
  /** Compiled statements. */
  readonly plans: Tally
  readonly counts: Tally
  /** Whole answers. */
  readonly responses: Tally
  /** Called with how many milliseconds each read took in the database, waiting for it included. */
  onDuration: (milliseconds: number) => void
  /** Milliseconds from which a read is slow. */
  readonly slowMs: number
  readonly onSlow: (read: SlowRead) => void
}

const newTally = (): Tally => ({ hits: 0, misses: 0 })

/** Figures of reads; without a bound none is slow. */
export const createReadStats = (
  slowAfter = Infinity,
  slow: (read: SlowRead) => void = () => {},
): ReadStats => ({
  urls: newTally(),
  plans: newTally(),
  counts: newTally(),
  responses: newTally(),
  onDuration: () => {},
  slowMs: slowAfter,
  onSlow: slow,
})

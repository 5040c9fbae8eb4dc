/** Writes that took long, told in the log: what was done with which document, never with what values. */
import type { FastifyBaseLogger } from 'fastify'
import type { SlowWrite } from '../../documents/slow-writes.ts'

export interface SlowWriteLog {
  /** How many there were. */
  readonly count: number
  readonly report: (write: SlowWrite) => void
}

/** Tells of slow writes in the log. */
export function createSlowWriteLog(log: () => Pick<FastifyBaseLogger, 'warn'> | null): SlowWriteLog {
  let count = 0
  return {
    get count() {
      return count
    },
    report({ writes, milliseconds, waited, failed }) {
      count++
      const [only] = writes
      const what =
        only && writes.length === 1
          ? { action: only.action, contentType: only.type, document: only.documentId ?? undefined }
          : {
              action: 'batch',
              contentTypes: [...new Set(writes.map(({ type }) => type))],
              writes: writes.length,
            }
      const times = { ms: tenths(milliseconds), ...(waited !== null && { waitedMs: tenths(waited) }) }
      log()?.warn({ ...what, ...times, ...(failed && { failed }) }, 'A write was slow')
    },
  }
}

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10

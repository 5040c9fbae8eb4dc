/** Logs slow writes: the action and the document, without values. */
import type { FastifyBaseLogger } from 'fastify'
import type { SlowWrite } from '../../documents/slow-writes.ts'

export interface SlowWriteLog {
  readonly count: number
  readonly report: (write: SlowWrite) => void
}

export function createSlowWriteLog(log: () => Pick<FastifyBaseLogger, 'warn'> | null): SlowWriteLog {
  let count = 0
  return {
    get count() {
      return count
    },
    report({ writes, milliseconds, waited, failed }) {
      count++
      const [only] = writes
      const target =
        only && writes.length === 1
          ? { action: only.action, contentType: only.type, document: only.documentId ?? undefined }
          : {
              action: 'batch',
              contentTypes: [...new Set(writes.map(({ type }) => type))],
              writes: writes.length,
            }
      const times = { ms: tenths(milliseconds), ...(waited !== null && { waitedMs: tenths(waited) }) }
      log()?.warn({ ...target, ...times, ...(failed && { failed }) }, 'Slow write')
    },
  }
}

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10

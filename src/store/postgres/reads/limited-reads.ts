/**
 * Keeps reads within the limits of their caller: the server stops those that take too long and refuses those with too many
 * bytes before it sends them. Reads that are not known to be fast share a part of the connections, and one caller gets
 * only a part of these.
 */
import { LRUCache } from 'lru-cache'
import { errors } from '../../../errors.ts'
import { type ExpectedTime, noteSlow, noteTime } from '../../reads/expected-time.ts'
import { createFairShare } from '../../reads/fair-share.ts'
import { NO_LIMITS, type ReadLimits } from '../../reads/read-limits.ts'
import type { Row, Statement } from '../../statement.ts'
import type { RefusedReads } from '../../store.ts'
import { isStatementTimeout, isTooLarge } from '../failures.ts'

export interface LimitedReadsOptions {
  readonly poolSize: number
  readonly maxWaiting: number
  readonly waitTimeout: number
  /** The milliseconds after which a read is stopped, whatever its own limit; Infinity for never. */
  readonly statementTimeout: number
}

/** Sends a statement with a time limit in milliseconds. `onStart` is called when it has a connection. */
export type SendWithin = (
  statement: Statement,
  milliseconds: number,
  onStart: () => void,
) => Promise<readonly Row[]>

export interface LimitedReads {
  /** Reads one row, or all with `isAll`. Both must have the column `data` if the bytes are limited. */
  read(statement: Statement, isAll: boolean, limits: ReadLimits, send: SendWithin): Promise<readonly Row[]>
  readonly refused: RefusedReads
}

interface KnownStatement extends ExpectedTime {
  /** The statement that fails when its rows have too many bytes. */
  text: string | null
}

/** The microseconds from which on a read is slow. */
const SLOW_READ = 20_000
const KNOWN_STATEMENTS = 1_000
/** The parts of all connections that slow reads can have, all together and those of one caller. */
const PARTS = { slow: 0.6, caller: 0.4 }

export function createLimitedReads(options: LimitedReadsOptions): LimitedReads {
  const { poolSize, maxWaiting, waitTimeout, statementTimeout } = options
  const known = new LRUCache<string, KnownStatement>({ max: KNOWN_STATEMENTS })
  const partOf = (part: number) => Math.max(Math.floor(poolSize * part), 1)
  const share = createFairShare({
    size: partOf(PARTS.slow),
    perCaller: partOf(PARTS.caller),
    maxWaiting,
    waitTimeout,
  })
  const refused = { time: 0, bytes: 0 }

  function knownStatement(sql: string): KnownStatement {
    let found = known.get(sql)
    if (!found) {
      found = { expectedTime: 0, lastTime: 0, text: null }
      known.set(sql, found)
    }
    return found
  }

  return {
    read(statement, isAll, limits, send) {
      if (limits === NO_LIMITS) return send(statement, statementTimeout, () => {})
      const shape = knownStatement(statement.sql)
      const milliseconds = Math.min(limits.milliseconds, statementTimeout)
      const limited = withByteLimit(shape, statement, isAll, limits.bytes)
      const run = async () => {
        let start = performance.now()
        const onStart = () => {
          start = performance.now()
        }
        try {
          const rows = await send(limited, milliseconds, onStart)
          noteTime(shape, (performance.now() - start) * 1000)
          return rows
        } catch (error) {
          if (isStatementTimeout(error)) {
            noteSlow(shape, Math.max(milliseconds * 1000, SLOW_READ))
            if (limits.milliseconds > statementTimeout) throw error
            refused.time++
            throw errors.readTooSlow(milliseconds)
          }
          if (!isTooLarge(error)) throw error
          noteTime(shape, (performance.now() - start) * 1000)
          refused.bytes++
          throw errors.responseTooLarge(limits.bytes)
        }
      }
      const isFast = shape.lastTime > 0 && shape.expectedTime < SLOW_READ
      return isFast ? run() : share.run(limits.caller(), run)
    },
    get refused() {
      return { ...refused, share: share.rejected }
    },
  }
}

function withByteLimit(
  shape: KnownStatement,
  { sql, parameters }: Statement,
  isAll: boolean,
  bytes: number,
): Statement {
  if (bytes === Infinity) return { sql, parameters }
  shape.text ??= limitBytes(sql, isAll, `$${parameters.length + 1}::bigint`)
  return { sql: shape.text, parameters: [...parameters, bytes] }
}

/**
 * A statement that divides by zero when its rows have more bytes than the limit: SQL has no other way to fail, and a
 * function of our own would have to be created first. OFFSET makes the server compute the rows only once. Bytes of several
 * rows are added up from row to row, so that the statement ends with the first row that exceeds the limit.
 */
function limitBytes(sql: string, isAll: boolean, limit: string): string {
  const fits = (bytes: string) => `1 / case when ${bytes} > ${limit} then 0 else 1 end = 1`
  const total = 'sum(octet_length(q.data)) over (rows unbounded preceding) as bytes'
  return isAll
    ? `select * from (select q.*, ${total} from (${sql}) as q) as r where ${fits('r.bytes')}`
    : `select * from (${sql} offset 0) as r where ${fits('octet_length(r.data)')}`
}

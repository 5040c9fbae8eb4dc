/**
 * Keeps reads within the limits of their caller: the server stops those that take too long, and refuses those with too many
 * bytes before it sends them. Slow reads share a few connections, of which one caller gets only a part. Reads of medium length
 * and new statements share a few others. Whatever is not known to be slow is stopped early and then repeated as a slow read,
 * so that no other read waits for it.
 */
import { errors } from '../../../errors.ts'
import { createSizedCache } from '../../../sized-cache.ts'
import { type ExpectedTime, noteSlow, noteTime } from '../../reads/expected-time.ts'
import { createFairShare } from '../../reads/fair-share.ts'
import { NO_LIMITS, type ReadLimits } from '../../reads/read-limits.ts'
import type { Row, Statement } from '../../statement.ts'
import type { RefusedReads } from '../../store.ts'
import { isStatementTimeout, isTooLarge } from '../failures.ts'

export interface LimitedReadsOptions {
  readonly poolSize: number
  /** How many slow reads run at the same time. */
  readonly slowReads: number
  readonly maxWaiting: number
  readonly waitTimeout: number
  /** The milliseconds after which a read is stopped, whatever its own limit; Infinity for never. */
  readonly statementTimeout: number
}

export interface SendOptions {
  /** The time limit in milliseconds. */
  readonly milliseconds: number
  /** The microseconds that the statement will take, if it is short enough for others to wait for it on its connection. */
  readonly quickTime?: number | null
  /** Called with the milliseconds that the statement took, as far as that is known, before the read settles. */
  onTime?(milliseconds: number): void
}

export type SendWithin = (statement: Statement, options: SendOptions) => Promise<readonly Row[]>

export interface LimitedReads {
  /** Reads one row, or all with `isAll`. Both must have the column `data` if the bytes are limited. */
  read(statement: Statement, isAll: boolean, limits: ReadLimits, send: SendWithin): Promise<readonly Row[]>
  readonly refused: RefusedReads
}

interface KnownStatement extends ExpectedTime {
  /** The statement that fails when its rows have too many bytes. */
  text: string | null
  /** The microseconds of the slowest run; each later run reduces it. */
  slowest: number
}

/** The microseconds from which on reads count as of medium length, or as slow. */
const MEDIUM_READ = 20_000
const SLOW_READ = 100_000
/** The milliseconds after which a read that is not known to be slow is stopped. A busy machine can make a fast one take half of it. */
const STOPPED_AFTER = 300
const KNOWN_BYTES = 16_777_216
const KNOWN_OBJECT_BYTES = 500
/** The part of all connections that reads of medium length can have. */
const MEDIUM_PART = 0.3

export function createLimitedReads(options: LimitedReadsOptions): LimitedReads {
  const { poolSize, slowReads, maxWaiting, waitTimeout, statementTimeout } = options
  /** By their text. With its limit of bytes, it is in memory twice. */
  const known = createSizedCache<KnownStatement>({ maxBytes: KNOWN_BYTES, bytesOf: () => KNOWN_OBJECT_BYTES })
  const mediumReads = Math.min(Math.floor(poolSize * MEDIUM_PART), poolSize - slowReads - 1)
  const medium = createFairShare({ size: Math.max(mediumReads, 1), maxWaiting, waitTimeout })
  const slow = createFairShare({ size: slowReads, maxWaiting, waitTimeout })
  const refused = { time: 0, bytes: 0 }

  function knownStatement(sql: string): KnownStatement {
    let found = known.get(sql)
    if (!found) {
      found = { expectedTime: 0, lastTime: 0, text: null, slowest: 0 }
      known.set(sql, found)
    }
    return found
  }

  async function sendTimed(
    shape: KnownStatement,
    statement: Statement,
    milliseconds: number,
    send: SendWithin,
  ): Promise<readonly Row[]> {
    let time = 0
    const onTime = (taken: number) => {
      time = taken * 1000
    }
    try {
      const quickTime = isQuick(shape) ? timeOf(shape) : null
      const rows = await send(statement, { milliseconds, quickTime, onTime })
      note(shape, time)
      return rows
    } catch (error) {
      if (isTooLarge(error)) note(shape, time)
      // One that was fast is tried once more before it counts as slow: other values may have been the cause, or a stall.
      else if (isStatementTimeout(error)) {
        noteSlow(shape, isFast(shape) ? MEDIUM_READ : milliseconds * 1000)
        shape.slowest = milliseconds * 1000
      }
      throw error
    }
  }

  function refusalOf(error: unknown, limits: ReadLimits): unknown {
    if (isTooLarge(error)) {
      refused.bytes++
      return errors.responseTooLarge(limits.bytes)
    }
    if (!isStatementTimeout(error) || limits.milliseconds > statementTimeout) return error
    refused.time++
    return errors.readTooSlow(limits.milliseconds)
  }

  return {
    async read(statement, isAll, limits, send) {
      if (limits === NO_LIMITS) return send(statement, { milliseconds: statementTimeout })
      const shape = knownStatement(statement.sql)
      const limited = withByteLimit(shape, statement, isAll, limits.bytes)
      const most = Math.min(limits.milliseconds, statementTimeout)
      const soon = Math.min(most, STOPPED_AFTER)
      const runShort = () => sendTimed(shape, limited, soon, send)
      try {
        if (timeOf(shape) < SLOW_READ)
          try {
            return await (isFast(shape) ? runShort() : medium.run(limits, runShort))
          } catch (error) {
            if (!isStatementTimeout(error) || soon === most) throw error
          }
        return await slow.run(limits, () => sendTimed(shape, limited, most, send))
      } catch (error) {
        throw refusalOf(error, limits)
      }
    },
    get refused() {
      return { ...refused, share: slow.rejected + medium.rejected }
    },
  }
}

/** The microseconds that a statement takes; 0 if it is new. The second time, only the first is known. */
const timeOf = ({ expectedTime, lastTime }: ExpectedTime) => expectedTime || lastTime

const isFast = (statement: ExpectedTime) => statement.lastTime > 0 && timeOf(statement) < MEDIUM_READ

/** A statement that was slow with other values is not quick for some time, because a caller may alternate between them. */
const isQuick = (shape: KnownStatement) => isFast(shape) && shape.slowest < MEDIUM_READ

/** Notes the microseconds that a statement has taken. */
function note(shape: KnownStatement, time: number) {
  noteTime(shape, time)
  shape.slowest = Math.max(time, shape.slowest * 0.9)
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

/** The transaction of one job in a batch. The job sees it as its own, and it ends with the job. */
import type { RowInsert } from '../../statement.ts'
import type { Transaction } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import { insertOperations } from './appended-rows.ts'
import type { BatchPart } from './batch.ts'
import { reserveEntryIds } from './batch-statements.ts'
import type { IdleTimeout } from './idle-timeout.ts'
import type { Operation } from './operation.ts'

export interface JobTransaction {
  readonly transaction: Transaction
  readonly touched: ReadonlySet<string>
  /**
   * Sends the operations that are still held back; throws if any operation has failed, even if the job ignored it. Returns
   * the rows that were appended after all operations, which are still to be inserted.
   */
  settle(): Promise<readonly RowInsert[]>
  /** Nothing can be sent any more. Returns the first failure of an operation, otherwise the one given. */
  end(failure?: unknown): unknown
}

/** Reserved ids of component entries: taken from the database in blocks, handed out from memory. */
export interface EntryIds {
  next: number
  left: number
}

const ENTRY_ID_BLOCK = 1024

export function openJob(part: BatchPart, idle: IdleTimeout, entryIds: EntryIds): JobTransaction {
  const touched = new Set<string>()
  const failures: unknown[] = []
  let held: Operation[] = []
  let appended: RowInsert[] = []
  let hasSent = false
  let hasEnded = false
  let hasReserved = false

  function refuseIfOver() {
    if (hasEnded) throw new Error('The transaction has ended')
    if (failures.length > 0) throw failures[0]
  }

  /** Puts appended rows before the operations that follow. */
  function holdAppended() {
    held.push(...appended.flatMap(insertOperations))
    appended = []
  }

  function send(operation: Operation) {
    holdAppended()
    return sendHeld(operation)
  }

  async function sendHeld(...operations: readonly Operation[]) {
    refuseIfOver()
    const all = [...held, ...operations]
    held = []
    hasSent = true
    idle.pause()
    try {
      return await part.send(all)
    } catch (error) {
      failures.push(error)
      throw error
    } finally {
      idle.start()
    }
  }

  const transaction: Transaction = {
    dialect: sqliteDialect,
    all: (statement) => send({ ...statement, rows: true }),
    // Sent with the next statement whose rows are awaited: long writes then need few messages to their thread.
    run(statement) {
      refuseIfOver()
      holdAppended()
      held.push({ ...statement, rows: false })
    },
    append(insert) {
      refuseIfOver()
      if (insert.rows.length > 0) appended.push(insert)
    },
    async reserveEntryIds(count) {
      if (entryIds.left < count) {
        const block = Math.max(count, ENTRY_ID_BLOCK)
        const [row] = await send(reserveEntryIds(block))
        entryIds.next = Number(row?.value) - block + 1
        entryIds.left = block
        hasReserved = true
      }
      const first = entryIds.next
      entryIds.next += count
      entryIds.left -= count
      return first
    },
    // Writes already run one at a time.
    lock() {},
    touch: (table) => void touched.add(table),
    // Statements have run when they return, and the commit is shared with other writes.
    complete() {},
  }

  return {
    transaction,
    touched,
    async settle() {
      // The transaction may not be open yet.
      if (!hasSent && held.length === 0) holdAppended()
      if (held.length > 0) await sendHeld()
      refuseIfOver()
      return appended
    },
    end(failure) {
      hasEnded = true
      if (failure !== undefined && hasReserved) entryIds.left = 0
      return failures[0] ?? failure
    },
  }
}

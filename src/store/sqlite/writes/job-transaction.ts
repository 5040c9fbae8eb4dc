/** The transaction as one job of a batch sees it: as if it were alone, and over when it has ended. */
import type { Transaction } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import type { Part } from './batch.ts'
import { reserve, STATE } from './batch-statements.ts'
import type { Idleness } from './idle-timeout.ts'
import type { Operation } from './operation.ts'
import type { Contents } from './table-contents.ts'

export interface JobTransaction {
  readonly transaction: Transaction
  readonly touched: ReadonlySet<string>
  /** Sends what is still held back, and throws what has failed even if the job did not look. */
  settle(): Promise<void>
  /** Nothing can be sent any more. Gives the first failure of what was sent, or else the one given. */
  end(failure?: unknown): unknown
}

/** Ids of component entries that no row has yet: asked for many at a time, and given out from memory. */
export interface EntryIds {
  next: number
  left: number
}

/** What the jobs of a batch share. */
export interface Shared {
  /** What was run and need not be run again before the COMMIT. */
  readonly settled: Set<string>
  readonly entryIds: EntryIds
  readonly contents: Contents | null
  /** Whether the transaction is open and `contents` are those it began with: nobody else can write any more. */
  isCurrent: boolean
}

const ENTRY_ID_BLOCK = 1024

export function openJob(part: Part, idle: Idleness, shared: Shared): JobTransaction {
  const { settled, entryIds, contents } = shared
  const touched = new Set<string>()
  const failures: unknown[] = []
  let held: Operation[] = []
  let once: string[] = []
  let ended = false
  let hasReserved = false

  function check() {
    if (ended) throw new Error('The transaction has ended')
    if (failures.length > 0) throw failures[0]
  }

  async function send(...operations: readonly Operation[]) {
    check()
    const all = [...held, ...operations]
    held = []
    idle.pause()
    try {
      const rows = await part.send(all)
      for (const key of once) settled.add(key)
      once = []
      return rows
    } catch (error) {
      failures.push(error)
      throw error
    } finally {
      idle.start()
    }
  }

  async function beCurrent() {
    const [row] = await send(STATE)
    contents?.expect(row?.state)
    shared.isCurrent = true
  }

  // What this job writes may be taken back: nothing that it finds there is for others.
  const untouched = (table: string) => (touched.has(table) ? null : (contents?.of(table) ?? null))

  const transaction: Transaction = {
    dialect: sqliteDialect,
    all: (statement) => send({ ...statement, rows: true }),
    // Sent with the next statement whose rows are awaited: most writes need few round trips between threads.
    run(statement) {
      check()
      held.push({ ...statement, rows: false })
    },
    runOnce(statement) {
      const key = JSON.stringify([statement.sql, statement.parameters])
      if (settled.has(key)) return
      transaction.run(statement)
      once.push(key)
    },
    async reserveEntryIds(count) {
      if (entryIds.left < count) {
        const block = Math.max(count, ENTRY_ID_BLOCK)
        const [row] = await send(reserve(block))
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
    contentToken: (table) =>
      shared.isCurrent || !contents ? untouched(table) : beCurrent().then(() => untouched(table)),
    touch(table) {
      touched.add(table)
      contents?.changes(table)
    },
  }

  return {
    transaction,
    touched,
    async settle() {
      if (held.length > 0) await send()
      check()
    },
    end(failure) {
      ended = true
      if (failure !== undefined && hasReserved) entryIds.left = 0
      return failures[0] ?? failure
    },
  }
}

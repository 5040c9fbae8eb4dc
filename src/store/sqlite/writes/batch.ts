/**
 * The statements between one BEGIN and its COMMIT. They belong to several jobs, each of which can be undone alone.
 *
 * With a savepoint for each job, SQLite would copy every page that a job changes, for the few jobs that fail: with 16 creates
 * at a time, each took a fifth more CPU time. So jobs have none. When a job that has written fails, the transaction begins again
 * with what the others have written. From then on each job of the batch has a savepoint, so that this happens only once.
 */
import type { Row, RowInsert } from '../../statement.ts'
import { AppendedRows, insertOperations } from './appended-rows.ts'
import { BEGIN, COMMIT, RELEASE, RESTART, ROLLBACK, ROLLBACK_TO, SAVEPOINT } from './batch-statements.ts'
import { type Execute, isReadOnly, type Operation, OperationFailure } from './operation.ts'

export interface Batch {
  /** Why the whole transaction was lost; null while it is not. */
  readonly lost: LostTransaction | null
  readonly isOpen: boolean
  /** Adds the part of one more job; the previous part has been kept or undone. */
  addPart(): BatchPart
  /** Commits what was kept; nothing is when it fails. */
  commit(last: readonly Operation[]): Promise<void>
  /** Never fails: the next transaction rolls back first. */
  rollback(): Promise<void>
}

/** What one job does in a batch. */
export interface BatchPart {
  /** Executes operations and returns the rows of the last one. Nothing may be sent after a failure. */
  send(operations: readonly Operation[]): Promise<readonly Row[]>
  /** `appended` are inserted before the commit, and before any operation that names their table. */
  keep(appended: readonly RowInsert[]): void
  /** Takes effect before anything else is executed. */
  undo(): void
}

interface LostTransaction {
  readonly cause: unknown
  /** Whether the BEGIN itself has failed. */
  readonly neverOpened: boolean
}

/** The most operations that are executed again: they are held in memory until the commit, and must not take long. */
const MAX_REPEATED = 1_000

/** A batch that begins with its first operation. */
export function createBatch(execute: Execute): Batch {
  let isOpen = false
  let lost: LostTransaction | null = null
  /** The ends of jobs, executed with the next operations. */
  let pending: Operation[] = []
  const appended = new AppendedRows()
  /** What the jobs before have written; null if each further job has a savepoint. */
  let kept: Operation[] | null = []

  function addPart(): BatchPart {
    const hasSavepoint = kept === null
    let hasSent = false
    /** What this job has written, if it has no savepoint. */
    let own: Operation[] = []
    let hasWritten = false
    /** Rows of other jobs that were inserted after the savepoint. */
    let insertedInside: readonly RowInsert[] = []

    function record(operations: readonly Operation[]) {
      const writes = operations.filter((operation) => !isReadOnly(operation))
      if (writes.length > 0) hasWritten = true
      if (own.length <= MAX_REPEATED) own = own.concat(writes)
    }

    return {
      async send(operations) {
        const opens = !isOpen
        const inserted = appended.areNeededBy(operations) ? appended.take() : []
        const insertions = inserted.flatMap(insertOperations)
        if (hasSavepoint && hasSent) insertedInside = [...insertedInside, ...inserted]
        kept?.push(...insertions)
        const before = [
          ...(opens ? [BEGIN] : pending),
          ...insertions,
          ...(hasSavepoint && !hasSent ? [SAVEPOINT] : []),
        ]
        isOpen = true
        pending = []
        hasSent = true
        if (!hasSavepoint) record(operations)
        try {
          const executed = execute([...before, ...operations], opens)
          const rows = executed instanceof Promise ? await executed : executed
          return rows.at(-1) ?? []
        } catch (error) {
          const failure = error instanceof OperationFailure ? error : null
          const cause = failure ? failure.cause : error
          // The operations before those of this job belong to others: the batch cannot go on without them.
          const canGoOn = failure?.open && failure.failed >= before.length
          if (!canGoOn) lost ??= { cause, neverOpened: opens && failure?.failed === 0 }
          if (!canGoOn && failure?.open) await rollback()
          throw cause
        }
      },
      keep(rows) {
        if (hasSavepoint && hasSent) pending.push(RELEASE)
        kept?.push(...own)
        if (kept && kept.length > MAX_REPEATED) kept = null
        appended.add(rows)
      },
      undo() {
        if (lost) return
        if (hasSavepoint && hasSent) pending.push(ROLLBACK_TO, RELEASE)
        appended.putBack(insertedInside)
        if (!hasWritten) return
        pending = [RESTART, ...(kept ?? [])]
        kept = null
      },
    }
  }

  const rollback = async () => {
    try {
      await execute([ROLLBACK], false)
    } catch {}
  }

  return {
    addPart,
    rollback,
    async commit(last) {
      try {
        await execute([...pending, ...appended.take().flatMap(insertOperations), ...last, COMMIT], false)
      } catch (error) {
        if (!(error instanceof OperationFailure)) throw error
        if (error.open) await rollback()
        throw error.cause
      }
    },
    get isOpen() {
      return isOpen
    },
    get lost() {
      return lost
    },
  }
}

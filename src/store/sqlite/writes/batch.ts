/** The statements between one BEGIN and its COMMIT. They belong to several jobs; a savepoint lets each be undone alone. */
import type { Row, RowInsert } from '../../statement.ts'
import { AppendedRows, insertOperations } from './appended-rows.ts'
import { BEGIN, COMMIT, RELEASE, ROLLBACK, ROLLBACK_TO, SAVEPOINT } from './batch-statements.ts'
import { type Execute, type Operation, OperationFailure } from './operation.ts'

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

/** A batch that begins with its first operation. */
export function createBatch(execute: Execute): Batch {
  let isOpen = false
  let lost: LostTransaction | null = null
  /** The ends of jobs, executed with the next operations. */
  let pending: Operation[] = []
  const appended = new AppendedRows()

  function addPart(): BatchPart {
    let hasSent = false
    /** Rows of other jobs that were inserted after the savepoint. */
    let insertedInside: readonly RowInsert[] = []
    return {
      async send(operations) {
        const opens = !isOpen
        const inserted = appended.areNeededBy(operations) ? appended.take() : []
        if (hasSent) insertedInside = [...insertedInside, ...inserted]
        const before = [
          ...(opens ? [BEGIN] : pending),
          ...inserted.flatMap(insertOperations),
          ...(hasSent ? [] : [SAVEPOINT]),
        ]
        isOpen = true
        pending = []
        hasSent = true
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
      keep(own) {
        if (hasSent) pending.push(RELEASE)
        appended.add(own)
      },
      undo() {
        if (hasSent && !lost) pending.push(ROLLBACK_TO, RELEASE)
        appended.putBack(insertedInside)
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

/**
 * What is written between one BEGIN and its COMMIT: by several jobs, each of which can be taken back without the others.
 *
 * A savepoint for each of them would copy every page that a job changes, for the sake of the few that fail. So they go
 * without: when one fails that has written, the transaction begins anew with what the others have written. From then on
 * every job of the batch has its savepoint, so that this happens once at most.
 */
import type { Row } from '../../statement.ts'
import { BEGIN, COMMIT, RELEASE, RESTART, ROLLBACK, ROLLBACK_TO, SAVEPOINT } from './batch-statements.ts'
import { type Execute, type Operation, OperationFailure, onlyReads } from './operation.ts'

export interface Batch {
  /** Why the engine gave up the whole transaction, when it did, and whether it did not even let it begin. */
  readonly lost: Lost | null
  readonly isOpen: boolean
  /** The part of one more job; the one before has been kept or taken back. */
  part(): Part
  /** Commits what was kept; nothing is when it fails. */
  commit(last: readonly Operation[]): Promise<void>
  /** Never fails: whoever writes next rolls back first. */
  rollback(): Promise<void>
}

/** What one job does in a batch. */
export interface Part {
  /** Executes operations and gives the rows of the last of them. Nothing may be sent after a failure. */
  send(operations: readonly Operation[]): Promise<readonly Row[]>
  keep(): void
  /** Takes effect before anything else is executed. */
  takeBack(): void
}

interface Lost {
  readonly cause: unknown
  readonly atOnce: boolean
}

/** As many are written again at most: it must not take long, and they are held in memory until the commit. */
const MOST_AGAIN = 1_000

/** A batch that begins with its first operation. */
export function createBatch(execute: Execute): Batch {
  let isOpen = false
  let lost: Lost | null = null
  /** Ends of jobs, executed along with the next operations. */
  let pending: Operation[] = []
  /** What was written by the jobs that were kept; null when every further job has a savepoint. */
  let kept: Operation[] | null = []

  function part(): Part {
    const isSaved = kept === null
    let own: Operation[] = []
    let hasSent = false
    let hasWritten = false

    function note(operations: readonly Operation[]) {
      const writes = operations.filter((operation) => !onlyReads(operation))
      if (writes.length > 0) hasWritten = true
      if (own.length <= MOST_AGAIN) own = own.concat(writes)
    }

    return {
      async send(operations) {
        const opens = !isOpen
        const before = [...(opens ? [BEGIN] : pending), ...(isSaved && !hasSent ? [SAVEPOINT] : [])]
        isOpen = true
        pending = []
        hasSent = true
        if (!isSaved) note(operations)
        try {
          const executed = execute([...before, ...operations], opens)
          const rows = executed instanceof Promise ? await executed : executed
          return rows.at(-1) ?? []
        } catch (error) {
          const failure = error instanceof OperationFailure ? error : null
          const cause = failure ? failure.cause : error
          // What comes before is of others: without it there is nothing to go on with.
          const goesOn = failure?.open && failure.failed >= before.length
          if (!goesOn) lost ??= { cause, atOnce: opens && failure?.failed === 0 }
          if (!goesOn && failure?.open) await rollback()
          throw cause
        }
      },
      keep() {
        if (isSaved && hasSent) pending.push(RELEASE)
        kept?.push(...own)
        if (kept && kept.length > MOST_AGAIN) kept = null
      },
      takeBack() {
        if (lost) return
        if (isSaved && hasSent) pending.push(ROLLBACK_TO, RELEASE)
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
    part,
    rollback,
    async commit(last) {
      try {
        await execute([...pending, ...last, COMMIT], false)
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

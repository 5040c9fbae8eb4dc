/**
 * The thread for what takes long: migrations, and moving what was written from the log into the file. It executes what
 * it is sent and knows nothing else; what it means is decided by `group-commit.ts` on the main thread.
 */

import { createExecutor, type Executed, openForWriting, type WritingOptions } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { narrow } from '../rows.ts'
import type { Operation } from '../writes/operation.ts'
import { serveRequests } from './thread-entry.ts'

/** Operations to execute in order, or the wish to empty the log. */
export type WriterWish =
  | { readonly operations: readonly Operation[]; readonly opens: boolean }
  | { readonly checkpoint: true }

serveRequests((options: WritingOptions) => {
  const database = openForWriting(options)
  const execute = createExecutor(database)
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

  function emptyLog(): Executed {
    // In the middle of a write of its own it cannot; whoever wants it done comes again when that has ended.
    if (database.isTransaction) return { rows: [] }
    try {
      return { rows: [checkpoint.all().map(narrow)] }
    } catch (error) {
      return { failed: 0, failure: failureOf(error), open: false }
    }
  }

  return {
    reply: (wish: WriterWish): Executed =>
      'operations' in wish ? execute(wish.operations, wish.opens) : emptyLog(),
    close: () => database.close(),
  }
})

/**
 * The thread for long work: migrations, and moving the log into the database. It executes what it is sent;
 * `group-commit.ts` on the main thread decides what that is.
 */
import { createExecutor, type Executed, openForWriting, type WritingOptions } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { narrow } from '../rows.ts'
import type { Operation } from '../writes/operation.ts'
import { serveRequests } from './thread-entry.ts'

export type WriterRequest =
  | { readonly operations: readonly Operation[]; readonly opens: boolean }
  | { readonly emptyWal: true }

serveRequests((options: WritingOptions) => {
  const database = openForWriting(options)
  const execute = createExecutor(database)
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

  function emptyWal(): Executed {
    // Not possible within a write of this connection; the main thread tries again after it.
    if (database.isTransaction) return { rows: [] }
    try {
      return { rows: [checkpoint.all().map(narrow)] }
    } catch (error) {
      return { failed: 0, failure: failureOf(error), open: false }
    }
  }

  return {
    reply: (request: WriterRequest): Executed =>
      'operations' in request ? execute(request.operations, request.opens) : emptyWal(),
    close: () => database.close(),
  }
})

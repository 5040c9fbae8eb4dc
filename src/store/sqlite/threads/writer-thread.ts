/**
 * The thread for long work: migrations, creating indexes, and moving the log into the database. It executes what it is sent;
 * `group-commit.ts` on the main thread decides what that is.
 */
import type { IndexDefinition } from '../../store.ts'
import { createExecutor, type Executed, openForWriting, type WritingOptions } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { handOver } from '../indexes/hand-over.ts'
import { narrow } from '../rows.ts'
import type { Operation } from '../writes/operation.ts'
import { serveRequests } from './thread-entry.ts'

export type WriterRequest =
  | { readonly operations: readonly Operation[]; readonly opens: boolean }
  | { readonly emptyWal: true }
  | { readonly handOver: IndexDefinition }

serveRequests((options: WritingOptions) => {
  const database = openForWriting(options)
  const execute = createExecutor(database)
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

  const emptyWal = () =>
    // Not possible within a write of this connection; the main thread tries again after it.
    database.isTransaction ? [] : checkpoint.all().map(narrow)

  return {
    reply(request: WriterRequest): Executed {
      if ('operations' in request) return execute(request.operations, request.opens)
      try {
        if ('emptyWal' in request) return { rows: [emptyWal()] }
        handOver(database, request.handOver)
        return { rows: [] }
      } catch (error) {
        return { failed: 0, failure: failureOf(error), open: false }
      }
    },
    close: () => database.close(),
  }
})

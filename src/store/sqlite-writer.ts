/**
 * The thread for what takes long: migrations, and moving what was written from the log into the file. It executes what
 * it is sent and knows nothing else; what it means is decided by `group-commit.ts` on the main thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Operation } from './operation.ts'
import { createExecutor, type Executed, openForWriting, type WritingOptions } from './sqlite-connection.ts'
import { failureOf, type SqliteFailure } from './sqlite-failures.ts'

/** Operations to execute in order, or the wish to empty the log. */
export type WriterRequest = { readonly id: number } & (
  | { readonly operations: readonly Operation[]; readonly opens: boolean }
  | { readonly checkpoint: true }
)

export type WriterReply = { readonly id: number } & Executed

/** Sent once, when the connection is open or could not be opened. */
export interface WriterOpened {
  readonly failure: SqliteFailure | null
}

function serve(options: WritingOptions, port: NonNullable<typeof parentPort>) {
  const database = openForWriting(options)
  const execute = createExecutor(database)
  const answer = (request: WriterRequest): WriterReply => {
    if ('operations' in request) return { id: request.id, ...execute(request.operations, request.opens) }
    // In the middle of a write of its own it cannot; whoever wants it done comes again when that has ended.
    if (!database.isTransaction) database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    return { id: request.id, rows: [] }
  }
  port.on('message', (requests: readonly WriterRequest[] | 'close') => {
    if (requests === 'close') {
      database.close()
      port.close()
    } else port.postMessage(requests.map(answer))
  })
}

if (parentPort) {
  const port = parentPort
  const opened = (failure: SqliteFailure | null) => port.postMessage({ failure } satisfies WriterOpened)
  try {
    serve(workerData, port)
    opened(null)
  } catch (error) {
    opened(failureOf(error))
  }
}

/** What a database thread runs: the other side of `thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { failureOf, type SqliteFailure } from '../failures.ts'

/** Sent once, when the connection is open or could not be opened. */
export interface Opened {
  readonly failure: SqliteFailure | null
}

export interface Service<Request, Reply> {
  readonly reply: (request: Request) => Reply
  readonly close: () => void
}

/** Opens the service with the data of the main thread, and replies to requests in their order until it is closed. */
export function serveRequests<Data, Request, Reply>(open: (data: Data) => Service<Request, Reply>): void {
  const port = parentPort
  if (!port) return
  const reportOpened = (failure: SqliteFailure | null) => port.postMessage({ failure } satisfies Opened)
  try {
    const { reply, close } = open(workerData)
    port.on('message', (request: Request | 'close') => {
      if (request !== 'close') return port.postMessage(reply(request))
      close()
      port.close()
    })
    reportOpened(null)
  } catch (error) {
    reportOpened(failureOf(error))
  }
}

/** What a database thread runs: the other side of `thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { failureOf, type SqliteFailure } from '../failures.ts'

/** Sent once, when the connection is open or could not be opened. */
export interface Opened {
  readonly failure: SqliteFailure | null
}

/** Replies wait this many milliseconds for the next ones, to share a message with them. */
const MAX_REPLY_DELAY = 0.4

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
    const replyToAll = (requests: readonly Request[]) => {
      let replies: Reply[] = []
      let start = performance.now()
      for (const request of requests) {
        replies.push(reply(request))
        if (performance.now() - start < MAX_REPLY_DELAY) continue
        port.postMessage(replies)
        replies = []
        start = performance.now()
      }
      if (replies.length > 0) port.postMessage(replies)
    }
    port.on('message', (requests: readonly Request[] | 'close') => {
      if (requests !== 'close') return replyToAll(requests)
      close()
      port.close()
    })
    reportOpened(null)
  } catch (error) {
    reportOpened(failureOf(error))
  }
}

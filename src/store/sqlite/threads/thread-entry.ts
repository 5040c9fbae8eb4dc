/** The other side of `thread.ts`: what a thread runs. */
import { parentPort, workerData } from 'node:worker_threads'
import { failureOf, type SqliteFailure } from '../failures.ts'

/** Sent once, when the connection is open or could not be opened. */
export interface Opened {
  readonly failure: SqliteFailure | null
}

export interface Service<Wish, Reply> {
  readonly answer: (wish: Wish) => Reply
  readonly close: () => void
}

/** For so many milliseconds answers wait for the next ones: a message costs as much as a short read. */
const TOGETHER = 0.4

/** Opens the service with what the main thread has given, and answers until it is told to close. */
export function serve<Data, Wish, Reply>(open: (data: Data) => Service<Wish, Reply>): void {
  const port = parentPort
  if (!port) return
  const opened = (failure: SqliteFailure | null) => port.postMessage({ failure } satisfies Opened)
  try {
    const { answer, close } = open(workerData)
    const answerAll = (wishes: readonly Wish[]) => {
      let replies: Reply[] = []
      let since = performance.now()
      for (const wish of wishes) {
        replies.push(answer(wish))
        if (performance.now() - since < TOGETHER) continue
        port.postMessage(replies)
        replies = []
        since = performance.now()
      }
      if (replies.length > 0) port.postMessage(replies)
    }
    port.on('message', (wishes: readonly Wish[] | 'close') => {
      if (wishes !== 'close') return answerAll(wishes)
      close()
      port.close()
    })
    opened(null)
  } catch (error) {
    opened(failureOf(error))
  }
}

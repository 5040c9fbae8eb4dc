/** The other side of `thread.ts`: what a thread runs. */
import { parentPort, workerData } from 'node:worker_threads'
import { failureOf, type SqliteFailure } from './sqlite-failures.ts'

/** Sent once, when the connection is open or could not be opened. */
export interface Opened {
  readonly failure: SqliteFailure | null
}

export interface Service<Wish, Reply> {
  readonly answer: (wish: Wish) => Reply
  readonly close: () => void
}

/** Opens the service with what the main thread has given, and answers until it is told to close. */
export function serve<Data, Wish, Reply>(open: (data: Data) => Service<Wish, Reply>): void {
  const port = parentPort
  if (!port) return
  const opened = (failure: SqliteFailure | null) => port.postMessage({ failure } satisfies Opened)
  try {
    const { answer, close } = open(workerData)
    port.on('message', (wishes: readonly Wish[] | 'close') => {
      if (wishes !== 'close') for (const wish of wishes) port.postMessage(answer(wish))
      else {
        close()
        port.close()
      }
    })
    opened(null)
  } catch (error) {
    opened(failureOf(error))
  }
}

/**
 * The main thread's side of a thread that has its own connection and replies to requests in their order. The requests of
 * one turn of the event loop share a message, which costs as much as a fast read.
 */
import { Worker } from 'node:worker_threads'
import { errors } from '../../../errors.ts'
import { startError } from '../failures.ts'
import type { Opened } from './thread-entry.ts'

export interface Thread<Request, Reply> {
  /** A slow request gets its own message, so that no other reply waits for it. */
  request(request: Request, isSlow?: boolean): Promise<Reply>
  /** Ends after the replies to all requests. */
  close(): Promise<void>
  /** Rejects all open requests with `error`. Resolves when the thread has ended, which waits for its current statement. */
  abandon(error: unknown): Promise<void>
}

export interface ThreadOptions {
  /** What it does for the database, for messages: such as `writer`. */
  readonly name: string
  /** The file that the thread runs, beside this one, without its extension. */
  readonly entry: string
  /** Given to the thread when it opens its connection. */
  readonly data: { readonly path: string }
  /** Called when it ends without `close` or `abandon`, after its open requests were rejected. */
  readonly onDied: (cause: unknown) => void
}

/** Starts a thread; a file that it cannot open is a StartError. */
export async function startThread<Request, Reply>({
  name,
  entry,
  data,
  onDied,
}: ThreadOptions): Promise<Thread<Request, Reply>> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./${entry}.${extension}`, import.meta.url), { workerData: data })
  const open: { resolve: (reply: Reply) => void; reject: (error: unknown) => void }[] = []
  let unsent: Request[] = []
  const send = () => {
    if (unsent.length > 0) worker.postMessage(unsent)
    unsent = []
  }
  let cause: unknown
  worker.on('error', (error) => {
    cause = error
  })
  const { failure } = await new Promise<Opened>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', () => reject(cause ?? new Error(`The ${name} thread ended while it started`)))
  })
  if (failure) {
    await worker.terminate()
    throw startError(data.path, failure)
  }
  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) open.shift()?.resolve(reply)
    if (open.length === 0) worker.unref()
  })
  let isEnding = false
  worker.once('exit', () => {
    const stopped = errors.unavailable(
      1,
      `The ${name} thread of the database has stopped; another is starting`,
    )
    stopped.cause = cause
    for (const { reject } of open.splice(0)) reject(stopped)
    if (!isEnding) onDied(cause ?? 'the thread has ended')
  })
  // Only an open request keeps the process alive. Adding a message listener refs the worker, so this comes last.
  worker.unref()

  return {
    request: (request, isSlow = false) =>
      new Promise((resolve, reject) => {
        open.push({ resolve, reject })
        worker.ref()
        if (isSlow) send()
        unsent.push(request)
        if (isSlow) send()
        else if (unsent.length === 1) setImmediate(send)
      }),
    close() {
      isEnding = true
      worker.ref()
      send()
      worker.postMessage('close')
      return new Promise((resolve) => worker.once('exit', () => resolve()))
    },
    async abandon(error) {
      isEnding = true
      for (const { reject } of open.splice(0)) reject(error)
      worker.unref()
      await worker.terminate()
    },
  }
}

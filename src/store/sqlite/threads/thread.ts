/** The main thread's side of a thread that has a connection of its own and does what it is asked, one after the other. */
import { Worker } from 'node:worker_threads'
import { errors } from '../../../errors.ts'
import { StartError } from '../../errors.ts'
import { startMessage } from '../failures.ts'
import type { Opened } from './thread-entry.ts'

export interface Thread<Wish, Reply> {
  /** What takes long is asked for `apart`, so that the answers to what was asked before do not wait for it. */
  ask(wish: Wish, apart?: boolean): Promise<Reply>
  /** Ends when what was asked before is answered. */
  close(): Promise<void>
  /** Refuses what is not answered yet, and resolves when the thread has ended: with what it is doing, not before. */
  abandon(error: unknown): Promise<void>
}

export interface ThreadOptions {
  /** What it is to the database, for messages: such as `writer`. */
  readonly name: string
  /** The file that the thread runs, beside this one, without its extension. */
  readonly entry: string
  /** Given to the thread when it opens its connection. */
  readonly data: { readonly path: string }
  /** Called when it ends without having been told to, after what it owed was refused. */
  readonly died: (cause: unknown) => void
}

/** Starts a thread; a file that it cannot open is a StartError. */
export async function startThread<Wish, Reply>({
  name,
  entry,
  data,
  died,
}: ThreadOptions): Promise<Thread<Wish, Reply>> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./${entry}.${extension}`, import.meta.url), { workerData: data })
  // Answers come in the order of the questions.
  const waiting: { resolve: (reply: Reply) => void; reject: (error: unknown) => void }[] = []
  let outgoing: Wish[] = []
  let cause: unknown
  worker.on('error', (error) => {
    cause = error
  })

  /** What is asked for in one turn of the event loop travels in one message, which costs as much as a short statement. */
  function post(wish: Wish) {
    outgoing.push(wish)
    if (outgoing.length > 1) return
    worker.ref()
    setImmediate(flush)
  }
  function flush() {
    if (outgoing.length > 0) worker.postMessage(outgoing)
    outgoing = []
  }

  const { failure } = await new Promise<Opened>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', () =>
      reject(cause ?? new Error(`The ${name} of the database ended while it started`)),
    )
  })
  if (failure) {
    await worker.terminate()
    throw new StartError(startMessage(data.path, failure))
  }
  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) waiting.shift()?.resolve(reply)
    if (waiting.length === 0) worker.unref()
  })
  let told = false
  worker.once('exit', () => {
    const broken = errors.unavailable(1, `The ${name} of the database has stopped; another is starting`)
    broken.cause = cause
    for (const { reject } of waiting.splice(0)) reject(broken)
    if (!told) died(cause ?? 'its thread has ended')
  })
  // Only a question keeps the process alive. Listening to messages has made the worker hold it: last, let go.
  worker.unref()

  return {
    ask: (wish, apart = false) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (apart) flush()
        post(wish)
        if (apart) flush()
      }),
    close() {
      told = true
      worker.ref()
      flush()
      worker.postMessage('close')
      return new Promise((resolve) => worker.once('exit', () => resolve()))
    },
    async abandon(error) {
      told = true
      for (const { reject } of waiting.splice(0)) reject(error)
      worker.unref()
      await worker.terminate()
    },
  }
}

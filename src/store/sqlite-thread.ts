/**
 * The main thread's side of the thread for what takes long. When the thread dies, what was under way fails without
 * being acknowledged, and another thread takes its place.
 */
import { Worker } from 'node:worker_threads'
import { errors } from '../errors.ts'
import { StartError } from './failure.ts'
import { type Execute, type Operation, OperationFailure } from './operation.ts'
import type { WritingOptions } from './sqlite-connection.ts'
import { messageOf, startMessage, translate } from './sqlite-failures.ts'
import type { WriterOpened, WriterReply, WriterRequest } from './sqlite-writer.ts'

export interface Writer {
  readonly execute: Execute
  /** Moves what is in the log into the file, as far as nobody still reads the older state. */
  emptyLog(): Promise<void>
  close(): Promise<void>
}

type Wish =
  | { readonly operations: readonly Operation[]; readonly opens: boolean }
  | { readonly checkpoint: true }

interface Thread {
  ask(wish: Wish): Promise<WriterReply>
  close(): Promise<void>
}

/** Milliseconds before the next thread: the first at once, then ever later while they keep dying. */
const PAUSE = { first: 100, most: 30_000 }
/** A thread that has lived this long has not died of its start. */
const SETTLED = 60_000

/** Starts the thread; a file that it cannot open is a StartError. */
export async function startWriter(options: WritingOptions, notice: (words: string) => void): Promise<Writer> {
  let closed = false
  let pause = 0
  let born = performance.now()
  let thread: Thread | null = await startThread(options, replace)

  function replace(cause: unknown) {
    thread = null
    if (closed) return
    notice(`The writer of the database has stopped and is started again: ${messageOf(cause)}`)
    if (performance.now() - born > SETTLED) pause = 0
    setTimeout(begin, pause).unref()
    pause = Math.min(Math.max(PAUSE.first, pause * 2), PAUSE.most)
  }

  async function begin() {
    born = performance.now()
    try {
      const next = await startThread(options, replace)
      if (closed) await next.close()
      else thread = next
    } catch (error) {
      replace(error)
    }
  }

  async function ask(wish: Wish) {
    if (!thread) throw errors.unavailable(1, 'The writer of the database has stopped; another is starting')
    const reply = await thread.ask(wish)
    if ('rows' in reply) return reply.rows
    throw new OperationFailure(reply.failed, reply.open, translate(reply.failure))
  }

  return {
    execute: (operations, opens) => ask({ operations, opens }),
    async emptyLog() {
      await ask({ checkpoint: true })
    },
    async close() {
      closed = true
      await thread?.close()
    },
  }
}

/** Starts a thread; `died` is called when it ends without having been told to, after what it owed was refused. */
async function startThread(workerData: WritingOptions, died: (cause: unknown) => void): Promise<Thread> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./sqlite-writer.${extension}`, import.meta.url), {
    workerData,
  })
  const waiting = new Map<
    number,
    { resolve: (reply: WriterReply) => void; reject: (error: unknown) => void }
  >()
  let requests = 0
  let outgoing: WriterRequest[] = []
  let cause: unknown
  worker.on('error', (error) => {
    cause = error
  })

  /** What is asked for in one go travels in one message: a message between threads costs more than a statement. */
  function post(request: WriterRequest) {
    outgoing.push(request)
    if (outgoing.length > 1) return
    worker.ref()
    queueMicrotask(() => {
      worker.postMessage(outgoing)
      outgoing = []
    })
  }

  const { failure } = await new Promise<WriterOpened>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', () => reject(cause ?? new Error('The writer of the database ended while it started')))
  })
  if (failure) {
    await worker.terminate()
    throw new StartError(startMessage(workerData.path, failure))
  }
  worker.on('message', (replies: readonly WriterReply[]) => {
    for (const reply of replies) {
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      caller?.resolve(reply)
    }
    if (waiting.size === 0) worker.unref()
  })
  let told = false
  worker.once('exit', () => {
    const broken = errors.unavailable(1, 'The writer of the database has stopped; another is starting')
    broken.cause = cause
    for (const { reject } of waiting.values()) reject(broken)
    waiting.clear()
    if (!told) died(cause ?? 'its thread has ended')
  })
  // Only a write under way keeps the process alive. Listening to messages has made the worker hold it: last, let go.
  worker.unref()

  return {
    ask(wish) {
      const request: WriterRequest = { id: ++requests, ...wish }
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        post(request)
      })
    },
    close: () =>
      new Promise<void>((resolve) => {
        told = true
        worker.ref()
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      }),
  }
}

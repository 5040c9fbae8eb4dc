/**
 * The main thread's side of the writer: hands operations to the thread that owns the writing connection. When the
 * thread dies, what was under way fails without being acknowledged, and another thread takes its place.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errors } from '../errors.ts'
import { StartError } from './failure.ts'
import { type Execute, type Operation, OperationFailure } from './group-commit.ts'
import { messageOf, notWritable, startMessage, translate } from './sqlite-failures.ts'
import type { WriterData, WriterOpened, WriterReply, WriterRequest } from './sqlite-writer.ts'

export interface Writer {
  readonly execute: Execute
  close(): Promise<void>
}

interface Thread {
  ask(operations: readonly Operation[], opens: boolean): Promise<WriterReply>
  close(): Promise<void>
}

/** Milliseconds before the next thread: the first at once, then ever later while they keep dying. */
const PAUSE = { first: 100, most: 30_000 }
/** A thread that has lived this long has not died of its start. */
const SETTLED = 60_000

/** Opens (or makes) the database file for writing; one that cannot be opened is a StartError. */
export async function startWriter(
  data: WriterData,
  notice: (words: string) => void = () => {},
): Promise<Writer> {
  const { path } = data
  makeWritable(path)
  let closed = false
  let pause = 0
  let born = performance.now()
  let thread: Thread | null = await startThread(data, replace)

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
      const next = await startThread(data, replace)
      if (closed) await next.close()
      else thread = next
    } catch (error) {
      replace(error)
    }
  }

  return {
    async execute(operations, opens) {
      if (!thread) throw errors.unavailable(1, 'The writer of the database has stopped; another is starting')
      const reply = await thread.ask(operations, opens)
      if ('rows' in reply) return reply.rows
      throw new OperationFailure(reply.failed, reply.open, translate(reply.failure))
    },
    async close() {
      closed = true
      await thread?.close()
    },
  }
}

/** Starts a thread; `died` is called when it ends without having been told to, after what it owed was refused. */
async function startThread(workerData: WriterData, died: (cause: unknown) => void): Promise<Thread> {
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
    ask(operations, opens) {
      const request: WriterRequest = { id: ++requests, opens, operations }
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

/** SQLite would open a file that it may only read, and fail at the first write. */
function makeWritable(path: string) {
  const directory = dirname(path)
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new StartError(`Cannot make the folder of the database ${path}: ${messageOf(error)}`)
  }
  try {
    accessSync(directory, constants.W_OK)
    if (existsSync(path)) accessSync(path, constants.W_OK)
  } catch {
    throw new StartError(notWritable(path))
  }
}

/**
 * The main thread's side of the writer thread, which runs long writes. When the thread dies, the writes in progress fail
 * without being acknowledged, and another thread takes over.
 */
import { errors, messageOf } from '../../../errors.ts'
import type { IndexDefinition } from '../../store.ts'
import type { Executed, WritingOptions } from '../connection.ts'
import { translate } from '../failures.ts'
import { type Execute, OperationFailure } from '../writes/operation.ts'
import { startThread, type Thread } from './thread.ts'
import type { WriterRequest } from './writer-thread.ts'

export interface Writer {
  readonly execute: Execute
  /**
   * Moves the log into the database, except for pages that a reader still needs. Resolves with the number of pages of
   * the log that have been moved.
   */
  emptyWal(): Promise<number>
  /** Finishes the creation of an index: see `hand-over.ts`. */
  handOver(index: IndexDefinition): Promise<void>
  close(): Promise<void>
}

/** Milliseconds before the next thread: the first starts immediately, the others ever later while they keep dying. */
const RESTART_DELAY = { first: 100, most: 30_000 }
/** A thread that has lived this long has not died of its start. */
const STABLE_AFTER = 60_000

/** Starts the thread; a file that it cannot open is a StartError. */
export async function startWriter(
  options: WritingOptions,
  notice: (message: string) => void,
): Promise<Writer> {
  let closed = false
  let delay = 0
  let startedAt = performance.now()
  const start = () =>
    startThread<WriterRequest, Executed>({
      name: 'writer',
      entry: 'writer-thread',
      data: options,
      onDied: replace,
    })
  let thread: Thread<WriterRequest, Executed> | null = await start()

  function replace(cause: unknown) {
    thread = null
    if (closed) return
    notice(`The writer thread of the database has stopped and is restarted: ${messageOf(cause)}`)
    if (performance.now() - startedAt > STABLE_AFTER) delay = 0
    setTimeout(restart, delay).unref()
    delay = Math.min(Math.max(RESTART_DELAY.first, delay * 2), RESTART_DELAY.most)
  }

  async function restart() {
    if (closed) return
    startedAt = performance.now()
    try {
      const next = await start()
      if (closed) await next.close()
      else thread = next
    } catch (error) {
      replace(error)
    }
  }

  async function send(request: WriterRequest) {
    if (!thread)
      throw errors.unavailable(1, 'The writer thread of the database has stopped; another is starting')
    const reply = await thread.request(request)
    if ('rows' in reply) return reply.rows
    throw new OperationFailure(reply.failed, reply.open, translate(reply.failure))
  }

  /** For what is not an operation of a transaction. */
  const request = (task: WriterRequest) =>
    send(task).catch((error: unknown) => {
      throw error instanceof OperationFailure ? error.cause : error
    })

  return {
    execute: (operations, opens) => send({ operations, opens }),
    async emptyWal() {
      const [[row] = []] = await request({ emptyWal: true })
      return Number(row?.checkpointed ?? 0)
    },
    async handOver(index) {
      await request({ handOver: index })
    },
    async close() {
      closed = true
      await thread?.close()
    },
  }
}

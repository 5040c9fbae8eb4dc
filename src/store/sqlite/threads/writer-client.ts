/**
 * The main thread's side of the thread for what takes long. When the thread dies, what was under way fails without
 * being acknowledged, and another thread takes its place.
 */
import { errors, messageOf } from '../../../errors.ts'
import type { Executed, WritingOptions } from '../connection.ts'
import { translate } from '../failures.ts'
import { type Execute, OperationFailure } from '../writes/operation.ts'
import { startThread, type Thread } from './thread.ts'
import type { WriterWish } from './writer-thread.ts'

export interface Writer {
  readonly execute: Execute
  /**
   * Moves what is in the log into the file, as far as nobody still reads the older state. Resolves with how many pages
   * of the log are in the file by then.
   */
  emptyLog(): Promise<number>
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
  const start = () =>
    startThread<WriterWish, Executed>({
      name: 'writer',
      entry: 'writer-thread',
      data: options,
      onDied: replace,
    })
  let thread: Thread<WriterWish, Executed> | null = await start()

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
      const next = await start()
      if (closed) await next.close()
      else thread = next
    } catch (error) {
      replace(error)
    }
  }

  async function ask(wish: WriterWish) {
    if (!thread) throw errors.unavailable(1, 'The writer of the database has stopped; another is starting')
    const reply = await thread.request(wish)
    if ('rows' in reply) return reply.rows
    throw new OperationFailure(reply.failed, reply.open, translate(reply.failure))
  }

  return {
    execute: (operations, opens) => ask({ operations, opens }),
    async emptyLog() {
      const [[row] = []] = await ask({ checkpoint: true }).catch((error: unknown) => {
        throw error instanceof OperationFailure ? error.cause : error
      })
      return Number(row?.checkpointed ?? 0)
    },
    async close() {
      closed = true
      await thread?.close()
    },
  }
}

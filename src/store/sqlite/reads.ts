/**
 * Reads of SQLite. Most take less time than a message between threads and are made at once, on a connection of the main
 * thread. Those that take long are made in a thread, where they hold up nobody; and so are those in between while one
 * core has more to do than it can.
 */
import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { errors, messageOf } from '../../errors.ts'
import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { Row, SqlValue, Statement } from '../statement.ts'
import type { Pool } from '../store.ts'
import { failureOf, translate } from './failures.ts'
import { createSelect, type Reading } from './select.ts'
import { createOffers, createPlaces, type Offers } from './threads/offers.ts'
import type { ReaderOptions, ReaderReply, ReaderWish } from './threads/reader-thread.ts'
import { startThread, type Thread } from './threads/thread.ts'

export interface ReadsOptions {
  /** Whether this process has the machine for itself, so that another core may be free. */
  readonly alone: boolean
  /** Whether more is asked for at this moment than the read in question. */
  readonly isBusy: () => boolean
  /** Called when something was read that may be newer than what this process has seen. */
  readonly seen: () => void
  readonly notice: (words: string) => void
  /** How many reads may wait in the thread, and for how many milliseconds; past it, what takes long is refused. */
  readonly maxWaiting: number
  readonly waitTimeout: number
  /** After how many milliseconds a read in the thread is given up; 0 for never. */
  readonly timeout: number
  readonly times?: Partial<Times>
}

/** Microseconds. */
export interface Times {
  /** What takes less is made here: it would not be worth the message. */
  readonly short: number
  /** What takes more is made in the thread, whoever else is there. */
  readonly long: number
  /** So much work may wait in the thread; then what is not long is better made here. */
  readonly backlog: number
}

interface Reader {
  readonly thread: Thread<ReaderWish, ReaderReply>
  readonly offers: Offers
}
type Wish = Omit<ReaderWish, 'place'>
type Answer = Extract<ReaderReply, { readonly took: number }>
type Wanted<Result> = (answer: Answer) => Result

export interface Reads {
  rows(statement: Statement): MaybePromise<readonly Row[]>
  row(statement: Statement): MaybePromise<readonly SqlValue[] | null>
  /** The thread, when it runs. */
  pools(): readonly Pool[]
  close(): Promise<void>
}

const TIMES: Times = { short: 80, long: 2_000, backlog: 10_000 }
/** Milliseconds after which another thread is tried when one has died or could not start. */
const PAUSE = 10_000
/** SQLite goes on with what was given up. So many threads may do that; then there is no more for what takes long. */
const ABANDONED = 2

export function openReads(
  path: string,
  database: DatabaseSync,
  { alone, isBusy, seen, notice, maxWaiting, waitTimeout, timeout, times }: ReadsOptions,
): Reads {
  const { short, long, backlog: most } = { ...TIMES, ...times }
  const here = createSelect(database)
  const spreads = alone && availableParallelism() > 1
  let reader: Reader | null = null
  let starting: Promise<Reader | null> | null = null
  let notBefore = 0
  let waiting = 0
  let backlog = 0
  let abandoned = 0

  function died(cause: unknown) {
    reader = null
    starting = null
    notBefore = performance.now() + PAUSE
    notice(`The thread for long reads has stopped: ${messageOf(cause)}`)
    return null
  }

  function start() {
    if (starting || performance.now() < notBefore) return
    const data: ReaderOptions = { path, places: createPlaces() }
    const options = { name: 'reader', entry: 'reader-thread', data, died }
    starting = startThread<ReaderWish, ReaderReply>(options).then((thread) => {
      reader = { thread, offers: createOffers(data.places) }
      return reader
    }, died)
  }

  function giveUp() {
    if (!reader || waiting === 0) return
    abandoned++
    const ended = () => abandoned--
    reader.thread.abandon(errors.unavailable(1, 'The read took too long')).then(ended, ended)
    notice(`A read took longer than ${timeout} ms and was given up`)
    reader = null
    starting = null
  }
  // One timer for all, started anew with each answer.
  const patience = timeout > 0 ? setTimeout(giveUp, timeout).unref() : null

  /** The thread, when a read is to be made there. While it starts, only what takes long waits for it. */
  function readerFor(takes: number): MaybePromise<Reader | null> {
    if (takes < short) return null
    const isLong = takes >= long
    if (!isLong && !(spreads && backlog < most && (waiting > 0 || isBusy()))) return null
    if (isLong && (waiting >= maxWaiting || backlog > waitTimeout * 1000))
      throw errors.unavailable(1, 'Too many reads are waiting')
    if (reader) return reader
    if (isLong && abandoned >= ABANDONED) throw errors.unavailable(5, 'Too many reads take too long')
    start()
    return isLong ? starting : null
  }

  /** Asks the thread; null when the read was made here meanwhile. */
  async function ask(
    { thread }: Reader,
    wish: ReaderWish,
    reading: Reading<unknown>,
  ): Promise<Answer | null> {
    const began = performance.now()
    if (waiting === 0) patience?.refresh()
    waiting++
    try {
      const reply = await thread.ask(wish, reading.takes >= long)
      if (reply === 'taken') return null
      if ('failure' in reply) throw translate(reply.failure)
      note(reading, reply.took)
      return reply
    } catch (error) {
      note(reading, (performance.now() - began) * 1000)
      throw error
    } finally {
      waiting--
      patience?.refresh()
      seen()
    }
  }

  /** Has a read made in the thread, or here when there is time for it before the thread comes to it. */
  function spread<Result>(among: Reader, reading: Reading<Result>, wish: Wish, wanted: Wanted<Result>) {
    return new Promise<Result>((resolve, reject) => {
      let load = reading.takes
      backlog += load
      const lighten = () => {
        backlog -= load
        load = 0
      }
      const take = () => {
        lighten()
        try {
          resolve(readHere(reading, wish))
        } catch (error) {
          reject(error)
        }
        seen()
      }
      const offer = reading.takes >= long ? null : among.offers.offer(take)
      ask(among, { ...wish, place: offer?.place ?? null }, reading)
        .then((answer) => answer && resolve(wanted(answer)), reject)
        .finally(() => {
          lighten()
          if (offer) among.offers.end(offer)
        })
    })
  }

  function readHere<Result>(reading: Reading<Result>, { parameters }: Wish): Result {
    const began = performance.now()
    const result = translating(() => reading.read(parameters))
    note(reading, (performance.now() - began) * 1000)
    return result
  }

  function read<Result>(
    prepare: (sql: string) => Reading<Result>,
    wish: Wish,
    wanted: Wanted<Result>,
  ): MaybePromise<Result> {
    const reading = translating(() => prepare(wish.sql))
    return andThen(readerFor(reading.takes), (chosen) =>
      chosen ? spread(chosen, reading, wish, wanted) : readHere(reading, wish),
    )
  }

  return {
    rows: ({ sql, parameters }) => read(here.rows, { sql, parameters, all: true }, ({ rows }) => rows),
    row: ({ sql, parameters }) => read(here.row, { sql, parameters, all: false }, ({ row }) => row),
    pools: () => (reader ? [{ name: 'reader', size: 1, idle: waiting > 0 ? 0 : 1, waiting }] : []),
    async close() {
      if (patience) clearTimeout(patience)
      notBefore = Number.POSITIVE_INFINITY
      await starting
      await reader?.thread.close()
    },
  }
}

/** Follows what a statement takes. The better of two times counts: one bad moment of the machine says nothing of it. */
function note(reading: Reading<unknown>, took: number) {
  reading.takes += (Math.min(took, reading.took) - reading.takes) / 4
  reading.took = took
}

function translating<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw translate(failureOf(error), error)
  }
}

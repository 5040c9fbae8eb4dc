/**
 * Writes that share a commit: jobs run one after the other, until there are no more or the batch is full; then one COMMIT
 * makes them all durable. A job that fails leaves the others alone.
 */
import { errors } from '../errors.ts'
import { type Batch, createBatch } from './batch.ts'
import { bumpVersions, reserve } from './batch-statements.ts'
import { type Idleness, watchIdleness } from './idleness.ts'
import type { Execute, Operation } from './operation.ts'
import type { Transaction } from './store.ts'
import type { Turn } from './turns.ts'

export interface GroupCommit {
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Resolves when everything queued has been written. */
  drained(): Promise<void>
  readonly commits: number
  /** Writes that wait for those before them. */
  readonly waiting: number
}

interface Job {
  /** Does the work and gives the function that acknowledges it. */
  readonly run: (transaction: Transaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** Jobs that share a commit. */
interface Round {
  readonly batch: Batch
  /** What was run and need not be run again before the COMMIT. */
  readonly settled: Set<string>
  idle: Idleness
  readonly touched: Set<string>
  readonly done: { readonly acknowledge: () => void; readonly reject: (error: unknown) => void }[]
}

export interface Bounds {
  /** Writes that may wait; past it they are refused. */
  readonly queue: number
  /** Writes that may share a commit, and for how many milliseconds a batch takes in new ones. */
  readonly jobs: number
  readonly milliseconds: number
  /** For how many milliseconds a write may leave the connection idle before it is given up. */
  readonly patience: number
}

/** What goes on around batches; nothing unless given. */
export interface Surroundings {
  /** The turn in which a batch is written. */
  readonly turn?: Turn
  /** Waits until others have had their turn and writes that arrive together are there. */
  readonly gather?: () => Promise<void>
  /** Waits until what was just committed is on the disk; meanwhile the next batch may begin. */
  readonly durable?: () => Promise<void>
  /** Whether a batch takes in writes until the one before it is on the disk: the disk is not ready for it any sooner. */
  readonly lingers?: boolean
}

const ENTRY_ID_BLOCK = 1024
/** So many milliseconds of writes are made in one go; then whoever reads has a turn, and further writes may arrive. */
const STRETCH = 0.25

/** A queue of writes over one connection. */
export function createGroupCommit(
  execute: Execute,
  bounds: Bounds,
  { turn, gather, durable, lingers = false }: Surroundings = {},
): GroupCommit {
  const queue: Job[] = []
  const settling = new Set<Promise<void>>()
  const entryIds = { next: 0, left: 0 }
  let running: Promise<void> | null = null
  let commits = 0
  let arrived = () => {}

  async function drain() {
    while (queue.length > 0) {
      await gather?.()
      await (turn ? runInTurn(turn) : runBatch())
    }
    running = null
  }

  /** Resolves with the next write. */
  const arrival = () =>
    new Promise<void>((resolve) => {
      arrived = resolve
    })

  async function runInTurn(turn: Turn) {
    try {
      await turn.take()
    } catch (error) {
      for (const { reject } of queue.splice(0)) reject(error)
      return
    }
    try {
      await runBatch()
    } finally {
      turn.give()
    }
  }

  async function runBatch() {
    const round: Round = {
      batch: createBatch(execute),
      settled: new Set(),
      idle: watchIdleness(bounds.patience),
      touched: new Set(),
      done: [],
    }
    const until = performance.now() + bounds.milliseconds
    const isFull = () => round.done.length >= bounds.jobs || performance.now() >= until
    let since = performance.now()
    for (let next = queue.shift(); next; next = queue.shift()) {
      await runJob(round, next)
      if (round.batch.lost || isFull()) break
      if (gather && performance.now() - since > STRETCH) {
        await gather()
        since = performance.now()
      }
      if (queue.length === 0 && lingers && settling.size > 0) await Promise.race([...settling, arrival()])
    }
    round.idle.stop()
    await finish(round)
  }

  async function runJob(round: Round, job: Job) {
    const part = round.batch.part()
    const touched = new Set<string>()
    const failures: unknown[] = []
    let buffered: Operation[] = []
    let ended = false
    let reserved = false
    let once: string[] = []
    const { idle } = round
    idle.start()

    const send = async (...operations: readonly Operation[]) => {
      if (ended) throw new Error('The transaction has ended')
      if (failures.length > 0) throw failures[0]
      const all = [...buffered, ...operations]
      buffered = []
      idle.pause()
      try {
        const rows = await part.send(all)
        for (const key of once) round.settled.add(key)
        once = []
        return rows
      } catch (error) {
        failures.push(error)
        throw error
      } finally {
        idle.start()
      }
    }

    const transaction: Transaction = {
      engine: 'sqlite',
      all: (statement) => send({ ...statement, rows: true }),
      // Sent with the next statement whose rows are awaited: most writes need few round trips between threads.
      run(statement) {
        if (ended) throw new Error('The transaction has ended')
        if (failures.length > 0) throw failures[0]
        buffered.push({ ...statement, rows: false })
      },
      runOnce(statement) {
        const key = JSON.stringify([statement.sql, statement.parameters])
        if (round.settled.has(key)) return
        transaction.run(statement)
        once.push(key)
      },
      async reserveEntryIds(count) {
        if (entryIds.left < count) {
          const block = Math.max(count, ENTRY_ID_BLOCK)
          const [row] = await send(reserve(block))
          entryIds.next = Number(row?.value) - block + 1
          entryIds.left = block
          reserved = true
        }
        const first = entryIds.next
        entryIds.next += count
        entryIds.left -= count
        return first
      },
      // Writes already run one at a time.
      lock() {},
      touch: (table) => void touched.add(table),
    }

    try {
      const acknowledge = await Promise.race([job.run(transaction), idle.exceeded])
      if (buffered.length > 0) await send()
      if (failures.length > 0) throw failures[0]
      part.keep()
      for (const table of touched) round.touched.add(table)
      round.done.push({ acknowledge, reject: job.reject })
    } catch (error) {
      part.takeBack()
      if (reserved) entryIds.left = 0
      job.reject(failures.length > 0 ? failures[0] : error)
    } finally {
      ended = true
      // Whoever comes next has a patience of their own.
      if (idle.isExceeded()) round.idle = watchIdleness(bounds.patience)
      else idle.pause()
    }
  }

  /** Commits what the jobs have done and acknowledges it, or refuses it all. */
  async function finish({ batch, touched, done }: Round) {
    const refuse = (error: unknown) => {
      entryIds.left = 0
      for (const { reject } of done) reject(error)
    }
    // Who waited while the database let nobody begin has waited long enough.
    if (batch.lost?.atOnce) for (const { reject } of queue.splice(0)) reject(batch.lost.cause)
    if (batch.lost) return refuse(batch.lost.cause)
    if (batch.isOpen && done.length === 0) await batch.rollback()
    else if (batch.isOpen) {
      try {
        await batch.commit(touched.size > 0 ? [bumpVersions(touched)] : [])
        commits++
      } catch (error) {
        return refuse(error)
      }
    }
    const acknowledge = () => {
      for (const { acknowledge } of done) acknowledge()
    }
    if (!durable || !batch.isOpen) return acknowledge()
    const settled = durable()
      .then(acknowledge, refuse)
      .finally(() => settling.delete(settled))
    settling.add(settled)
  }

  return {
    write<Result>(work: (transaction: Transaction) => Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        if (queue.length >= bounds.queue) {
          reject(errors.unavailable(1, 'Too many writes are waiting'))
          return
        }
        const run = async (transaction: Transaction) => {
          const result = await work(transaction)
          return () => resolve(result)
        }
        queue.push({ run, reject })
        arrived()
        running ??= drain()
      })
    },
    async drained() {
      while (running) await running
      await Promise.all(settling)
    },
    get commits() {
      return commits
    },
    get waiting() {
      return queue.length
    },
  }
}

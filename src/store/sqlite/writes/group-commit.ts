/**
 * Writes that share a commit. Jobs run one after the other until the queue is empty or the batch is full; one COMMIT
 * then makes all of them durable. A job that fails does not affect the others.
 */
import { errors } from '../../../errors.ts'
import type { Transaction } from '../../store.ts'
import { type Batch, createBatch } from './batch.ts'
import { bumpVersions, indexRows } from './batch-statements.ts'
import { type IdleTimeout, watchIdleTime } from './idle-timeout.ts'
import { type EntryIds, openJob } from './job-transaction.ts'
import type { Execute } from './operation.ts'
import type { WriteLock } from './write-lock.ts'

export interface GroupCommit {
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Resolves when everything queued has been written. */
  drained(): Promise<void>
  readonly commits: number
  /** The number of writes that wait for those before them. */
  readonly waiting: number
}

interface Job {
  /** Does the work and returns the function that acknowledges it. */
  readonly run: (transaction: Transaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** The jobs that share a commit. */
interface Round {
  readonly batch: Batch
  idle: IdleTimeout
  readonly touched: Set<string>
  readonly done: { readonly acknowledge: () => void; readonly reject: (error: unknown) => void }[]
}

export interface Bounds {
  /** How many writes may wait; more are refused. */
  readonly queue: number
  /** How many writes may share a commit, and for how many milliseconds a batch accepts new ones. */
  readonly jobs: number
  readonly milliseconds: number
  /** The milliseconds that a write may leave the connection idle before it is aborted. */
  readonly patience: number
}

export interface GroupCommitOptions {
  /** Held while a batch is written. */
  readonly lock?: WriteLock
  /** Lets the event loop run once, so that reads have their turn and concurrent writes can join. */
  readonly gather?: () => Promise<void>
  /** Waits until the last commit is on disk; the next batch may start meanwhile. */
  readonly durable?: () => Promise<void>
}

/** Jobs run for this many milliseconds before reads have their turn and further writes may join. */
const TIME_SLICE = 0.25

/** A queue of writes on one connection. */
export function createGroupCommit(
  execute: Execute,
  bounds: Bounds,
  { lock, gather, durable }: GroupCommitOptions = {},
): GroupCommit {
  const queue: Job[] = []
  /** Commits that are not on disk yet. */
  const unsettled = new Set<Promise<void>>()
  const entryIds: EntryIds = { next: 0, left: 0 }
  let running: Promise<void> | null = null
  let commits = 0

  async function drain() {
    while (queue.length > 0) {
      await gather?.()
      await (lock ? runBatchLocked(lock) : runBatch())
    }
    running = null
  }

  async function runBatchLocked(lock: WriteLock) {
    try {
      await lock.acquire()
    } catch (error) {
      for (const { reject } of queue.splice(0)) reject(error)
      return
    }
    try {
      await runBatch()
    } finally {
      lock.release()
    }
  }

  async function runBatch() {
    const round: Round = {
      batch: createBatch(execute),
      idle: watchIdleTime(bounds.patience),
      touched: new Set(),
      done: [],
    }
    const end = performance.now() + bounds.milliseconds
    const isFull = () => round.done.length >= bounds.jobs || performance.now() >= end
    let sliceStart = performance.now()
    for (let next = queue.shift(); next; next = queue.shift()) {
      await runJob(round, next)
      if (round.batch.lost || isFull()) break
      if (gather && performance.now() - sliceStart > TIME_SLICE) {
        await gather()
        sliceStart = performance.now()
      }
    }
    round.idle.stop()
    await finish(round)
  }

  async function runJob(round: Round, job: Job) {
    const { batch, idle } = round
    const part = batch.addPart()
    const { transaction, touched, settle, end } = openJob(part, idle, entryIds)
    idle.start()
    try {
      const acknowledge = await Promise.race([job.run(transaction), idle.exceeded])
      part.keep(await settle())
      end()
      for (const table of touched) round.touched.add(table)
      round.done.push({ acknowledge, reject: job.reject })
    } catch (error) {
      part.undo()
      job.reject(end(error))
    }
    // The next job has its own time.
    if (idle.isExceeded()) round.idle = watchIdleTime(bounds.patience)
    else idle.pause()
  }

  /** Commits what the jobs have done and acknowledges it, or rejects all of them. */
  async function finish({ batch, touched, done }: Round) {
    const rejectAll = (error: unknown) => {
      entryIds.left = 0
      for (const { reject } of done) reject(error)
    }
    // Those in the queue have waited as long for the transaction to open.
    if (batch.lost?.neverOpened) for (const { reject } of queue.splice(0)) reject(batch.lost.cause)
    if (batch.lost) return rejectAll(batch.lost.cause)
    if (batch.isOpen && done.length === 0) await batch.rollback()
    else if (batch.isOpen) {
      try {
        await batch.commit(touched.size > 0 ? [indexRows(touched, 'many'), bumpVersions(touched)] : [])
        commits++
      } catch (error) {
        return rejectAll(error)
      }
    }
    const acknowledge = () => {
      for (const { acknowledge } of done) acknowledge()
    }
    if (!durable || !batch.isOpen) return acknowledge()
    const settled = durable()
      .then(acknowledge, rejectAll)
      .finally(() => unsettled.delete(settled))
    unsettled.add(settled)
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
        running ??= drain()
      })
    },
    async drained() {
      while (running) await running
      await Promise.all(unsettled)
    },
    get commits() {
      return commits
    },
    get waiting() {
      return queue.length
    },
  }
}

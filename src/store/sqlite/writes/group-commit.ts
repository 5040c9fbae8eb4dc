/**
 * Writes that share a commit: jobs run one after the other, until there are no more or the batch is full; then one COMMIT
 * makes them all durable. A job that fails leaves the others alone.
 */
import { errors } from '../../../errors.ts'
import type { Transaction } from '../../store.ts'
import { type Batch, createBatch } from './batch.ts'
import { bumpVersions } from './batch-statements.ts'
import { type Idleness, watchIdleness } from './idle-timeout.ts'
import { type EntryIds, openJob, type Shared } from './job-transaction.ts'
import type { Execute } from './operation.ts'
import type { Contents } from './table-contents.ts'
import type { WriteLock } from './write-lock.ts'

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
interface Round extends Shared {
  readonly batch: Batch
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
  readonly turn?: WriteLock
  /** Waits until others have had their turn and writes that arrive together are there. */
  readonly gather?: () => Promise<void>
  /** Waits until what was just committed is on the disk; meanwhile the next batch may begin. */
  readonly durable?: () => Promise<void>
  /** Whether a batch waits for further writes while the one before it is on its way to the disk, behind which it must wait anyway. */
  readonly lingers?: boolean
  /** What tables hold; for a connection that stays the same, by which alone it can be told. */
  readonly contents?: Contents
}

/** So many milliseconds of writes are made in one go; then whoever reads has a turn, and further writes may arrive. */
const STRETCH = 0.25

/** A queue of writes over one connection. */
export function createGroupCommit(
  execute: Execute,
  bounds: Bounds,
  { turn, gather, durable, lingers = false, contents }: Surroundings = {},
): GroupCommit {
  const queue: Job[] = []
  const settling = new Set<Promise<void>>()
  const entryIds: EntryIds = { next: 0, left: 0 }
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

  async function runInTurn(turn: WriteLock) {
    try {
      await turn.acquire()
    } catch (error) {
      for (const { reject } of queue.splice(0)) reject(error)
      return
    }
    try {
      await runBatch()
    } finally {
      turn.release()
    }
  }

  async function runBatch() {
    const round: Round = {
      batch: createBatch(execute),
      settled: new Set(),
      entryIds,
      contents: contents ?? null,
      isCurrent: false,
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
    const { batch, idle } = round
    const part = batch.part()
    const { transaction, touched, settle, end } = openJob(part, idle, round)
    idle.start()
    try {
      const acknowledge = await Promise.race([job.run(transaction), idle.exceeded])
      await settle()
      part.keep()
      end()
      for (const table of touched) round.touched.add(table)
      round.done.push({ acknowledge, reject: job.reject })
    } catch (error) {
      part.takeBack()
      job.reject(end(error))
    }
    // Whoever comes next has a patience of their own.
    if (idle.isExceeded()) round.idle = watchIdleness(bounds.patience)
    else idle.pause()
  }

  /** Commits what the jobs have done and acknowledges it, or refuses it all. */
  async function finish({ batch, touched, done }: Round) {
    const refuse = (error: unknown) => {
      entryIds.left = 0
      contents?.forget()
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

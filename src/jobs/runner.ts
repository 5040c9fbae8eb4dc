/**
 * Runs the jobs of a process: takes those that are due, a few at a time, and sleeps until the next is due or a job is
 * stored. Any number of processes can do so on one database.
 */
import { randomUUID } from 'node:crypto'
import { messageOf } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { enqueueRepeating } from './enqueue.ts'
import { defaultRetry, type JobKind, LeaseLost, type TakenJob } from './job.ts'
import { JOBS } from './tables.ts'
import { endJob, extendLease, giveUpJob, nextDue, repeatJob, retryJob, takeDue } from './take.ts'

export interface JobRunnerOptions {
  readonly store: Store
  readonly kinds: readonly JobKind[]
  readonly log: {
    warn(details: object, message: string): void
    error(details: object, message: string): void
  }
  /** Maximum jobs that run at a time. */
  readonly maxConcurrent?: number
}

export interface JobRunner {
  /** Counts since the start of the process, by kind. */
  readonly stats: ReadonlyMap<string, JobStats>
  /** Takes no more jobs, and resolves when those in progress have ended. */
  close(): Promise<void>
}

export interface JobStats {
  running: number
  succeeded: number
  failed: number
}

const MAX_CONCURRENT = 8
const LEASE_MS = 30_000
/** How often a sleeping process checks, in memory, whether another one has stored a job. */
const CHECK_MS = 200
/** The longest sleep: a clock may be set, and a notification may be lost. */
const MAX_SLEEP_MS = 30_000
const MAX_ERROR_LENGTH = 1_000

/** Stores the jobs that repeat, and starts to run jobs; later, if the database is unavailable. The table exists already. */
export async function startJobs({
  store,
  kinds,
  log,
  maxConcurrent = MAX_CONCURRENT,
}: JobRunnerOptions): Promise<JobRunner> {
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]))
  const names = [...byKind.keys()]
  const stats = new Map(
    names.map((name): [string, JobStats] => [name, { running: 0, succeeded: 0, failed: 0 }]),
  )
  const holder = randomUUID()
  const running = new Set<Promise<void>>()
  let closed = false
  let knownVersion = -1
  let wakeAt = 0
  let hasStoredRepeating = false
  let taking: Promise<void> | null = null

  /** Runs a job and stores how it ended. */
  async function run(job: TakenJob, kind: JobKind, counts: JobStats): Promise<void> {
    const { leaseMs = LEASE_MS } = kind
    const held = { ...job, holder }
    const extending = setInterval(() => {
      extendLease(store, held, leaseMs).catch((error: unknown) =>
        log.warn({ err: error, job: job.id, kind: job.kind }, 'The lease of a job could not be extended'),
      )
    }, leaseMs / 3)
    extending.unref()
    counts.running++
    try {
      await kind.run(job)
      counts.succeeded++
      await (kind.every ? repeatJob(store, held, Date.now() + kind.every) : endJob(store, held))
    } catch (error) {
      if (error instanceof LeaseLost) return
      counts.failed++
      await fail(job, kind, error)
    } finally {
      clearInterval(extending)
      counts.running--
    }
  }

  async function fail(job: TakenJob, kind: JobKind, error: unknown) {
    const held = { ...job, holder }
    const message = messageOf(error).slice(0, MAX_ERROR_LENGTH)
    // A job that repeats is never given up.
    const pause = (kind.retryAfter ?? defaultRetry)(job.attempt) ?? kind.every ?? null
    const details = { err: error, job: job.id, kind: job.kind, attempt: job.attempt }
    if (pause === null) {
      log.error(details, 'A job has failed and will not be tried again')
      await giveUpJob(store, held, message)
    } else {
      log.warn(details, 'A job has failed and will be tried again')
      await retryJob(store, held, Date.now() + pause, message)
    }
  }

  function start(job: TakenJob) {
    const kind = byKind.get(job.kind)
    const counts = stats.get(job.kind)
    if (!kind || !counts) return
    const task = run(job, kind, counts)
      // The lease ends, and the job is taken again.
      .catch((error: unknown) =>
        log.warn({ err: error, job: job.id }, 'The end of a job could not be stored'),
      )
      .finally(() => {
        running.delete(task)
        wakeAt = 0
      })
    running.add(task)
  }

  /** Finds out when to look again; returns whether a job is due now. */
  async function isOneDue(): Promise<boolean> {
    knownVersion = store.tableVersion(JOBS)
    const due = (await nextDue(store, names)) ?? Number.POSITIVE_INFINITY
    const now = Date.now()
    wakeAt = Math.min(due, now + MAX_SLEEP_MS)
    return due <= now
  }

  async function storeRepeating() {
    await store.write(async (transaction) => {
      transaction.lock([JOBS])
      for (const { kind, every } of kinds) if (every) enqueueRepeating(transaction, kind, every)
      transaction.touch(JOBS)
    })
    hasStoredRepeating = true
  }

  async function takeJobs() {
    if (!hasStoredRepeating) await storeRepeating()
    const isDue = await isOneDue()
    const room = maxConcurrent - running.size
    if (!isDue || room <= 0 || closed) return
    const leaseMs = Math.max(...kinds.map((kind) => kind.leaseMs ?? LEASE_MS))
    for (const job of await takeDue(store, holder, kinds, leaseMs, room)) start(job)
    wakeAt = 0
  }

  /** The database is unavailable, which requests report. */
  const tryLater = () => {
    wakeAt = Date.now() + MAX_SLEEP_MS / 10
  }

  await storeRepeating().then(isOneDue).catch(tryLater)
  const timer = setInterval(() => {
    if (closed || taking || running.size >= maxConcurrent) return
    if (Date.now() < wakeAt && store.tableVersion(JOBS) === knownVersion) return
    taking = takeJobs()
      .catch(tryLater)
      .finally(() => {
        taking = null
      })
  }, CHECK_MS)
  timer.unref()

  return {
    stats,
    async close() {
      closed = true
      clearInterval(timer)
      await taking
      await Promise.all(running)
    },
  }
}

/**
 * The primary process: starts the workers, grants them the write lock, replaces those that crash or hang, and reloads
 * them one by one on request. It serves no requests itself, so that little can make it fail.
 */
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../project/config/config.ts'
import { createSiblingsFile } from '../../store/postgres/versions/sibling-processes.ts'
import { listenProblem, UsageError } from '../error-message.ts'
import type { Log } from './log.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { createMetricsCollector } from './metrics.ts'
import { sendTo, shutDownWorkerProcess, startWorkerProcess, type WorkerProcess } from './worker-process.ts'
import { createLockQueue } from './write-lock-queue.ts'

export interface PrimaryOptions {
  readonly count: number
  readonly server: Config['server']
  readonly log: Log
}

export interface Primary {
  /** Address that the workers listen on. */
  readonly address: string
  /** Replaces every worker, one by one; a new worker serves before the old one shuts down. */
  reload(): Promise<void>
  /** Shuts all workers down after they have completed their requests. */
  stop(): Promise<void>
}

/** A worker that has run for this long did not crash at startup. */
const STABLE_AFTER_MS = 10_000
const RESTART_DELAY_MS = { first: 200, max: 30_000 }
/** The number of crashes in a row, with no worker listening, after which the server gives up. */
const MAX_CRASHES = 5
/** The number of unanswered pings after which a worker counts as stuck. */
const MAX_UNANSWERED_PINGS = 4
/** Time for a worker to close its resources after the grace period. */
const CLOSE_TIMEOUT_MS = 5_000

/** Starts the workers; resolves when all of them listen. Fails with the reason if the first one cannot start. */
export async function startWorkers({ count, server, log }: PrimaryOptions): Promise<Primary> {
  const port = server.port === 0 ? await findFreePort(server.host) : server.port
  const workers = new Set<WorkerProcess>()
  const writeLock = createLockQueue<WorkerProcess>((worker) =>
    sendTo(worker, { octavo: 'write-lock-granted' }),
  )
  const collector = createMetricsCollector<WorkerProcess>((worker, collection) =>
    sendTo(worker, { octavo: 'request-metrics', collection }),
  )
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-workers-'))
  const siblings = path.join(folder, randomUUID())
  // Twice as many slots: during a reload each worker and its replacement run at the same time.
  createSiblingsFile(siblings, 2 * count)
  cluster.schedulingPolicy = cluster.SCHED_RR
  let isStopping = false
  let crashes = 0
  // Passed to new workers, which would otherwise acknowledge writes after another worker's disk failure.
  let durabilityFailed = false

  const freeSlot = () => {
    const used = new Set([...workers].map(({ slot }) => slot))
    let slot = 0
    while (used.has(slot)) slot++
    return slot
  }

  function start(isFirst = false): WorkerProcess {
    const worker = startWorkerProcess(
      { slot: freeSlot(), siblings, isFirst, port, durabilityFailed },
      onMessage,
    )
    workers.add(worker)
    void worker.exited.then(() => {
      workers.delete(worker)
      writeLock.remove(worker)
    })
    return worker
  }

  function onMessage(worker: WorkerProcess, message: FromWorker) {
    switch (message.octavo) {
      case 'request-write-lock':
        return writeLock.request(worker)
      case 'release-write-lock':
        return writeLock.release(worker)
      case 'durability-failed':
        durabilityFailed = true
        return sendToOthers(worker, { octavo: 'durability-failed' })
      case 'counts':
        return sendToOthers(worker, { octavo: 'counts', counts: message.counts })
      case 'request-all-metrics':
        return void sendAllMetrics(worker, message.request)
      case 'metrics':
        return collector.receive(worker, message.collection, message.metrics)
    }
  }

  function sendToOthers(sender: WorkerProcess, message: ToWorker) {
    for (const worker of workers) if (worker !== sender) sendTo(worker, message)
  }

  async function sendAllMetrics(worker: WorkerProcess, request: number) {
    const collected = await collector.collect([...workers].filter(({ isListening }) => isListening))
    const ordered = [...collected].sort(([one], [other]) => one.slot - other.slot)
    const metrics = ordered.map(([{ slot }, own]) => [String(slot), own] as const)
    sendTo(worker, { octavo: 'all-metrics', request, metrics })
  }

  /** Replaces this worker, and every replacement, when it crashes. */
  async function supervise(worker: WorkerProcess) {
    const reason = await worker.exited
    if (worker.isShuttingDown || isStopping) return
    const ranMs = performance.now() - worker.startedAt
    crashes = ranMs < STABLE_AFTER_MS ? crashes + 1 : 1
    if (crashes >= MAX_CRASHES && ![...workers].some(({ isListening }) => isListening)) {
      log.error(`No worker stays alive: ${reason}`)
      process.exit(1)
    }
    const delay =
      crashes === 1 ? 0 : Math.min(RESTART_DELAY_MS.first * 2 ** (crashes - 2), RESTART_DELAY_MS.max)
    const next = delay === 0 ? 'starting a new one' : `starting a new one in ${delay} ms`
    log.error(`Worker ${pidOf(worker)} crashed after ${Math.round(ranMs)} ms (${reason}); ${next}`)
    await sleep(delay)
    if (!isStopping) void supervise(start())
  }

  const shutDown = (worker: WorkerProcess) =>
    shutDownWorkerProcess(worker, server.graceSeconds * 1000 + CLOSE_TIMEOUT_MS, () =>
      log.warn(`Worker ${pidOf(worker)} did not shut down in time and is killed`),
    )

  async function replaceAll() {
    const old = [...workers].filter(({ isShuttingDown }) => !isShuttingDown)
    for (const worker of old) {
      const replacement = start()
      if ((await replacement.listening) === null) {
        log.error(`Reload aborted, a new worker cannot start: ${await replacement.exited}`)
        return
      }
      if (isStopping) return
      // If the old worker crashed meanwhile, it has been replaced already.
      if (workers.has(worker)) void supervise(replacement)
      await shutDown(workers.has(worker) ? worker : replacement)
    }
    log.info(`Reloaded ${old.length} workers`)
  }

  let reloading: Promise<void> | null = null
  let isReloadRequested = false
  async function reloadUntilCurrent() {
    do {
      isReloadRequested = false
      await replaceAll()
    } while (isReloadRequested)
    reloading = null
  }

  /** Pings all workers and kills those that have not responded for too long. */
  function ping() {
    for (const worker of workers) {
      if (!worker.isListening) continue
      // Counted, not timed: while the machine sleeps no pings are sent.
      if (worker.unansweredPings === MAX_UNANSWERED_PINGS) {
        log.error(
          `Worker ${pidOf(worker)} has not responded for ${server.stuckSeconds} seconds and is killed`,
        )
        worker.worker.process.kill('SIGKILL')
      } else sendTo(worker, { octavo: 'ping' })
      worker.unansweredPings += 1
    }
  }
  const pingTimer =
    server.stuckSeconds > 0 ? setInterval(ping, (server.stuckSeconds * 1000) / MAX_UNANSWERED_PINGS) : null

  async function stop() {
    isStopping = true
    if (pingTimer) clearInterval(pingTimer)
    await Promise.all([...workers].map(shutDown))
    rmSync(folder, { recursive: true, force: true })
  }

  const first = start(true)
  const address = await first.listening
  if (address === null) {
    await stop()
    throw new UsageError(first.startFailure ?? 'The first worker crashed while starting')
  }
  void supervise(first)
  const others = Array.from({ length: count - 1 }, () => start())
  for (const other of others) void supervise(other)
  await Promise.all(others.map(({ listening }) => listening))
  return {
    address,
    reload() {
      isReloadRequested = reloading !== null
      reloading ??= reloadUntilCurrent()
      return reloading
    },
    stop,
  }
}

const pidOf = ({ worker }: WorkerProcess) => worker.process.pid

async function findFreePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening').catch((error: unknown) => {
    throw listenProblem(error, host, 0)
  })
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

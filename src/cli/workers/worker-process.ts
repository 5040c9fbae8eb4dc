/** A worker process as the primary process sees it: starting it, sending it messages, shutting it down. */
import cluster, { type Worker } from 'node:cluster'
import { closeUnacknowledgedConnections } from './connections.ts'
import {
  type FromWorker,
  isFromWorker,
  type ToWorker,
  WORKER_START_VARIABLE,
  type WorkerStart,
} from './messages.ts'

export interface WorkerProcess {
  readonly worker: Worker
  readonly slot: number
  readonly startedAt: number
  /** Resolves with its address once it listens, or with null if it exits first. */
  readonly listening: Promise<string | null>
  /** Resolves with the reason for its exit. */
  readonly exited: Promise<string>
  isListening: boolean
  /** Number of pings since its last message. */
  unansweredPings: number
  isShuttingDown: boolean
  /** Why it could not start. */
  startFailure: string | null
}

export function startWorkerProcess(
  start: WorkerStart,
  onMessage: (process: WorkerProcess, message: FromWorker) => void,
): WorkerProcess {
  const worker = cluster.fork({ [WORKER_START_VARIABLE]: JSON.stringify(start) })
  closeUnacknowledgedConnections(worker)
  const exited = Promise.withResolvers<string>()
  const listening = Promise.withResolvers<string | null>()
  const process: WorkerProcess = {
    worker,
    slot: start.slot,
    startedAt: performance.now(),
    listening: listening.promise,
    exited: exited.promise,
    isListening: false,
    unansweredPings: 0,
    isShuttingDown: false,
    startFailure: null,
  }
  worker.on('message', (message: unknown) => {
    if (!isFromWorker(message)) return
    process.unansweredPings = 0
    if (message.octavo === 'listening') {
      process.isListening = true
      listening.resolve(message.address)
    } else if (message.octavo === 'start-failed') process.startFailure = message.reason
    else onMessage(process, message)
  })
  worker.on('error', () => {})
  worker.on('exit', (code, signal) => {
    listening.resolve(null)
    exited.resolve(process.startFailure ?? `it exited with ${signal ?? `code ${code}`}`)
  })
  return process
}

/** Sends a message; ignored by a worker that is disconnected, whose exit is noticed anyway. */
export function sendTo({ worker }: WorkerProcess, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** Shuts a worker down. After the timeout it is killed, and `onTimeout` called. */
export async function shutDownWorkerProcess(
  process: WorkerProcess,
  timeoutMs: number,
  onTimeout: () => void,
): Promise<void> {
  if (!process.isShuttingDown) {
    process.isShuttingDown = true
    if (process.isListening) sendTo(process, { octavo: 'shut-down' })
    // It does not handle messages yet, and has no requests to complete.
    else process.worker.process.kill('SIGTERM')
  }
  const timer = setTimeout(() => {
    onTimeout()
    process.worker.process.kill('SIGKILL')
  }, timeoutMs)
  await process.exited
  clearTimeout(timer)
}

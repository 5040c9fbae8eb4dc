/** Has pictures worked on in a process of their own, some at a time, behind everything else the machine has to do. */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'
import { limitConcurrency } from '../../concurrency-limit.ts'
import { errors } from '../../errors.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import type { FileType } from '../files/file-types.ts'
import type { Stage, StagedFile } from '../storage/staging.ts'
import type { ImageJob, ImageResult } from './image-process.ts'
import type { ProcessedImage } from './process-image.ts'

export interface ImageQueue {
  /** The process, while there is one. */
  readonly pid: number | undefined
  /** Reads a picture and makes what is stored of it. Refuses what is not a readable picture or is too large. */
  process(received: StagedFile, type: FileType, name: string, stage: Stage): Promise<ProcessedImage>
  close(): void
}

/** A picture that takes longer would take for ever. */
const TIMEOUT_MS = 120_000

/** The process ends when it has had nothing to do for so long. */
const IDLE_MS = 30_000

/** The process ended before it answered. */
class ProcessExited extends Error {}

/** What the process needs of the environment; what decodes strangers' files has no business with secrets. */
const PASSED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP']

const environment = (atOnce: number): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    PASSED_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  ),
  // As many threads as pictures, one heap for all of them, and large blocks given back at once: else each thread would
  // keep what its largest picture took.
  UV_THREADPOOL_SIZE: String(atOnce),
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
})

/** A job that the process has not answered yet. */
interface Pending {
  readonly by: ChildProcess
  resolve(result: ImageResult): void
  reject(error: Error): void
}

/** Starts the process when there is a picture, and again when it has ended. */
export function createImageQueue(config: UploadConfig['images']): ImageQueue {
  const atOnce = config.concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const few = limitConcurrency(atOnce)
  const pending = new Map<number, Pending>()
  let child: ChildProcess | null = null
  let numbers = 0
  let idle: NodeJS.Timeout | undefined

  const start = (): ChildProcess => {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const started = fork(new URL(`./image-process.${extension}`, import.meta.url), {
      execArgv: ['--max-semi-space-size=1', '--optimize-for-size'],
      env: environment(atOnce),
    })
    if (started.pid) setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    started.on('message', (result: ImageResult) => pending.get(result.number)?.resolve(result))
    started.on('error', () => started.kill())
    started.on('exit', () => {
      if (child === started) child = null
      for (const { by, reject } of pending.values()) if (by === started) reject(new ProcessExited())
    })
    return started
  }

  const stop = () => {
    child?.kill('SIGKILL')
    child = null
  }

  /** Hands a job to the process and waits for its result. */
  const ask = async (job: ImageJob): Promise<ImageResult> => {
    clearTimeout(idle)
    child ??= start()
    const by = child
    // The process keeps this one alive only while there is something to wait for.
    by.ref()
    by.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<ImageResult>()
    const timeout = setTimeout(stop, TIMEOUT_MS)
    pending.set(job.number, { by, resolve, reject })
    try {
      by.send(job)
      return await promise
    } finally {
      clearTimeout(timeout)
      pending.delete(job.number)
      if (pending.size === 0) {
        idle = setTimeout(stop, IDLE_MS).unref()
        by.unref()
        by.channel?.unref()
      }
    }
  }

  return {
    get pid() {
      return child?.pid
    },
    process: (received, type, name, stage) =>
      few(async () => {
        const paths = Array.from({ length: Object.keys(config.formats).length + 2 }, stage.reserve)
        const job = { number: ++numbers, received, type, name, config, paths }
        // Another picture may have brought the process down; who was with it gets a second chance.
        const result = await ask(job)
          .catch(() => ask(job))
          .catch(() => null)
        if (result === null) throw errors.invalid(`${name} cannot be read as a picture`)
        if ('refusal' in result) throw errors.invalid(result.refusal)
        if ('failure' in result) throw new Error(result.failure)
        return result.picture
      }),
    close() {
      clearTimeout(idle)
      stop()
    },
  }
}

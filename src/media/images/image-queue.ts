/** Processes images in a child process of low priority, a few at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'
import { limitConcurrency } from '../../concurrency-limit.ts'
import { errors } from '../../errors.ts'
import type { UploadConfig } from '../../project/config/config.ts'
import type { FileType } from '../files/file-types.ts'
import { diskFull } from '../storage/disk-failures.ts'
import type { Stage, StagedFile } from '../storage/staging.ts'
import type { ImageJob, ImageResult } from './image-process.ts'
import type { ImageEdit, ProcessedImage } from './process-image.ts'

export interface ImageQueue {
  /** Of the child process, while it runs. */
  readonly pid: number | undefined
  /** Throws a 400 for an image that is unreadable or too large, and a 503 when the disk is full. */
  process(
    received: StagedFile,
    type: FileType,
    name: string,
    stage: Stage,
    edit?: ImageEdit,
  ): Promise<ProcessedImage>
  close(): void
}

const TIMEOUT_MS = 120_000

/** How long an idle process is kept. */
const IDLE_MS = 30_000

/** The child process exited before it returned a result. */
class ProcessExited extends Error {}

/** The only environment variables passed on: a process that decodes untrusted files gets no secrets. */
const PASSED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP']

const environment = (concurrency: number): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    PASSED_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  ),
  // One thread per image, one malloc arena, and large blocks released immediately: otherwise each thread would retain the
  // memory of its largest image.
  UV_THREADPOOL_SIZE: String(concurrency),
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
})

interface Pending {
  readonly by: ChildProcess
  resolve(result: ImageResult): void
  reject(error: Error): void
}

/** Starts the process when it is needed. */
export function createImageQueue(config: UploadConfig['images']): ImageQueue {
  const concurrency = config.concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const limited = limitConcurrency(concurrency)
  const pending = new Map<number, Pending>()
  let child: ChildProcess | null = null
  let numbers = 0
  let idle: NodeJS.Timeout | undefined

  const start = (): ChildProcess => {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const started = fork(new URL(`./image-process.${extension}`, import.meta.url), {
      execArgv: ['--max-semi-space-size=1', '--optimize-for-size'],
      env: environment(concurrency),
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

  const run = async (job: ImageJob): Promise<ImageResult> => {
    clearTimeout(idle)
    child ??= start()
    const by = child
    // The child keeps the server process alive only while a job is pending.
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
    process: (received, type, name, stage, edit) =>
      limited(async () => {
        const paths = Array.from({ length: Object.keys(config.formats).length + 3 }, stage.reserve)
        const job = { number: ++numbers, received, type, name, config, paths, edit: edit ?? null }
        // Retried once: another image may have crashed the process.
        const result = await run(job)
          .catch(() => run(job))
          .catch(() => null)
        if (result === null) throw errors.invalid(`${name} is not a readable image`)
        if ('refusal' in result) throw errors.invalid(result.refusal)
        if ('failure' in result) throw result.isDiskFull ? diskFull() : new Error(result.failure)
        return result.image
      }),
    close() {
      clearTimeout(idle)
      stop()
    },
  }
}

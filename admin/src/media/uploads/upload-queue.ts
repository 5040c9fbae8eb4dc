/** Uploads files a few at a time. Each can be cancelled, and tried again when it has failed. */
import type { UploadOptions } from '../../api/media.ts'
import type { MediaFile } from '../../api/types.ts'

export type UploadState = 'waiting' | 'uploading' | 'processing' | 'done' | 'failed' | 'cancelled'

export interface Upload {
  readonly id: number
  readonly name: string
  readonly folder: string
  readonly state: UploadState
  /** From 0 to 1. */
  readonly progress: number
  readonly error: string | null
}

export interface UploadQueue {
  readonly uploads: readonly Upload[]
  subscribe(listener: () => void): () => void
  add(files: readonly File[], folder: string): void
  cancel(id: number): void
  retry(id: number): void
  /** Resolves when every upload has ended; fails if one that is pending now fails. */
  settled(): Promise<void>
  /** Removes what has ended from the list. */
  clear(): void
}

export interface UploadQueueOptions {
  /** Why a file is not sent at all; null if it is. */
  readonly refusalOf?: (file: File) => string | null
  readonly onUploaded: (file: MediaFile) => void
  readonly send: (file: File, options: UploadOptions) => Promise<MediaFile>
  readonly messageOf: (error: unknown) => string
}

/** Files that are uploaded at the same time. */
const CONCURRENT = 3

const isPending = ({ state }: Upload) =>
  state === 'waiting' || state === 'uploading' || state === 'processing'

export function createUploadQueue({
  refusalOf = () => null,
  onUploaded,
  send,
  messageOf,
}: UploadQueueOptions): UploadQueue {
  let uploads: readonly Upload[] = []
  let numbers = 0
  let running = 0
  const files = new Map<number, File>()
  const aborts = new Map<number, AbortController>()
  const listeners = new Set<() => void>()

  const set = (next: readonly Upload[]) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, values: Partial<Upload>) =>
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)))
  const stateOf = (id: number) => uploads.find((upload) => upload.id === id)?.state

  const run = async ({ id, folder }: Upload, file: File) => {
    const abort = new AbortController()
    aborts.set(id, abort)
    change(id, { state: 'uploading', progress: 0, error: null })
    try {
      const stored = await send(file, {
        folder,
        signal: abort.signal,
        onProgress: (progress) =>
          stateOf(id) !== 'cancelled' &&
          change(id, { progress, state: progress >= 1 ? 'processing' : 'uploading' }),
      })
      files.delete(id)
      onUploaded(stored)
      change(id, { state: 'done', progress: 1 })
    } catch (error) {
      if (!abort.signal.aborted) change(id, { state: 'failed', error: messageOf(error) })
    }
    aborts.delete(id)
  }

  const startNext = () => {
    const next = uploads.find(({ state }) => state === 'waiting')
    const file = next && files.get(next.id)
    if (!file || running >= CONCURRENT) return
    running += 1
    void run(next, file).finally(() => {
      running -= 1
      startNext()
    })
    startNext()
  }

  return {
    get uploads() {
      return uploads
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(chosen, folder) {
      const added = chosen.map((file): Upload => {
        const id = ++numbers
        const error = refusalOf(file)
        if (error === null) files.set(id, file)
        return {
          id,
          name: file.name,
          folder,
          state: error === null ? 'waiting' : 'failed',
          progress: 0,
          error,
        }
      })
      set([...uploads, ...added])
      startNext()
    },
    cancel(id) {
      const upload = uploads.find((each) => each.id === id)
      if (!upload || !isPending(upload)) return
      change(id, { state: 'cancelled' })
      aborts.get(id)?.abort()
      startNext()
    },
    retry(id) {
      if (!files.has(id)) return
      change(id, { state: 'waiting', progress: 0, error: null })
      startNext()
    },
    settled: () =>
      new Promise((resolve, reject) => {
        const awaited = new Set(uploads.filter(isPending).map(({ id }) => id))
        const check = () => {
          if (uploads.some(isPending)) return
          listeners.delete(check)
          const failed = uploads.find(({ id, state }) => awaited.has(id) && state === 'failed')
          if (failed) reject(new Error(`${failed.name}: ${failed.error}`))
          else resolve()
        }
        listeners.add(check)
        check()
      }),
    clear() {
      for (const upload of uploads) if (!isPending(upload)) files.delete(upload.id)
      set(uploads.filter(isPending))
    },
  }
}

export const canRetry = ({ state }: Upload) => state === 'failed' || state === 'cancelled'

export const isRunning = isPending

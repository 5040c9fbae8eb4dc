/**
 * Temporary files of uploads in progress, in a folder on the same disk as the stored files, so that a finished file is
 * moved into place atomically. Staged files are deleted unless they were moved.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDiskFailure, notStored } from './disk-failures.ts'

/** Files of a crashed process are deleted when they are older than any request can be. */
const STALE_AFTER = 6 * 3_600_000

export interface StagedFile {
  readonly path: string
  readonly size: number
}

/** The temporary files of one request. */
export interface Stage {
  /** Writes a stream to a new temporary file. Throws a 503 when the disk is full or has failed. */
  receive(stream: Readable): Promise<StagedFile>
  /** The path of a new temporary file. */
  reserve(): string
  /** Deletes what was not moved. What cannot be deleted is left to `removeStale`: the request has its result. */
  clear(): Promise<void>
}

export interface Staging {
  open(): Stage
  /** Deletes files that a crashed process left; returns how many. */
  removeStale(now?: number): Promise<number>
}

export function createStaging(folder: string): Staging {
  // Each time, because the folder may be deleted while the server runs.
  const prepare = () => mkdir(folder, { recursive: true })
  return {
    open() {
      const paths: string[] = []
      const reserve = () => {
        const path = join(folder, randomUUID())
        paths.push(path)
        return path
      }
      return {
        reserve,
        async receive(stream) {
          const path = reserve()
          // The stream may fail before the pipeline listens to it, which then reports the error.
          stream.on('error', () => {})
          try {
            await prepare()
            await pipeline(stream, createWriteStream(path, { flags: 'wx' }))
            return { path, size: (await stat(path)).size }
          } catch (error) {
            throw isDiskFailure(error) ? notStored(error) : error
          }
        },
        async clear() {
          await Promise.allSettled(paths.splice(0).map((path) => rm(path, { force: true })))
        },
      }
    },
    async removeStale(now = Date.now()) {
      await prepare()
      let removed = 0
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => null)
        if (!found || now - found.mtimeMs < STALE_AFTER) continue
        await rm(path, { force: true })
        removed += 1
      }
      return removed
    },
  }
}

/**
 * Deletes stored bytes that no record refers to any more. A job is stored with the change of the record, so they are
 * deleted even if the storage fails or the process ends right after it.
 */
import { randomUUID } from 'node:crypto'
import { cancel, enqueue } from '../../jobs/enqueue.ts'
import type { JobKind } from '../../jobs/job.ts'
import { isObject } from '../../project/values.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { Storage } from '../storage/storage.ts'
import { keysInUse } from './unused.ts'

const DELETE_JOB = 'files.delete'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** In minutes, then in hours: storage that fails is tried for a day. */
const MAX_ATTEMPTS = 30

/** Deletes the bytes when the transaction is committed. It never rejects: what fails is left to the job. */
export type DeleteBytes = () => Promise<void>

export interface StoredBytesOptions {
  readonly store: Store
  readonly storage: Pick<Storage, 'delete'>
  readonly log: { warn(message: string): void }
}

export interface StoredBytes {
  /** Makes the deletion of these keys a part of the transaction. */
  deleteAfter(transaction: Transaction, keys: readonly string[]): DeleteBytes
}

export function createStoredBytes({ store, storage, log }: StoredBytesOptions): StoredBytes {
  return {
    deleteAfter(transaction, keys) {
      if (keys.length === 0) return async () => {}
      const key = randomUUID()
      const runAt = new Date(Date.now() + MINUTE)
      enqueue(transaction, { kind: DELETE_JOB, key, payload: { keys }, runAt })
      return async () => {
        try {
          await storage.delete(keys)
          await store.write(async (after) => cancel(after, DELETE_JOB, key))
        } catch (error) {
          log.warn(`Deleting stored files failed, and is tried again: ${error}`)
        }
      }
    },
  }
}

export interface DeleteJobsOptions extends Pick<StoredBytesOptions, 'store' | 'storage'> {
  readonly layout: () => Layout
}

/** Runs what `deleteAfter` has stored. A file that was imported again in the meantime keeps its bytes. */
export const deleteJobs = ({ store, storage, layout }: DeleteJobsOptions): JobKind => ({
  kind: DELETE_JOB,
  async run({ payload }) {
    const keys = keysOfJob(payload)
    const used = await keysInUse(store, layout(), keys)
    await storage.delete(keys.filter((key) => !used.has(key)))
  },
  retryAfter: (attempts) => (attempts < MAX_ATTEMPTS ? Math.min(MINUTE * 2 ** (attempts - 1), HOUR) : null),
})

function keysOfJob(payload: unknown): string[] {
  const keys = isObject(payload) ? payload.keys : null
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}

/** Keeps stored bytes and records consistent: bytes are stored before their record and deleted after it. */
import { UnknownOutcome } from '../../store/errors.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { notStored } from '../storage/disk-failures.ts'
import type { Storage } from '../storage/storage.ts'
import { recordedHashes } from './records.ts'
import { createStoredBytes, type StoredBytes } from './stored-bytes.ts'

/** Files to store, and the hash by which their record is found. */
interface StorableFile {
  readonly attributes: { readonly hash: string }
  readonly contents: readonly { readonly key: string; readonly path: string }[]
}

export interface FileLifecycle extends StoredBytes {
  /** Stores files, then runs the transaction that writes their records: both, or neither. */
  storeThen<Result>(
    prepared: readonly StorableFile[],
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result>
}

export interface FileLifecycleOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly storage: Storage
  readonly log: { warn(message: string): void }
}

export function createFileLifecycle({ store, layout, storage, log }: FileLifecycleOptions): FileLifecycle {
  const put = (key: string, path: string) =>
    storage.put(key, path).catch((error: unknown) => {
      log.warn(`Storing a file failed: ${error}`)
      throw notStored(error)
    })

  const discard = async (keys: readonly string[]) => {
    await storage.delete(keys).catch((error: unknown) => log.warn(`Deleting stored files failed: ${error}`))
  }

  /**
   * A failed commit may still have happened, so only bytes without a record are deleted. `octavo media sweep` finds what
   * cannot be deleted.
   */
  const discardUnrecorded = async (prepared: readonly StorableFile[]) => {
    const hashes = prepared.map(({ attributes }) => attributes.hash)
    const recorded = await recordedHashes(store, layout(), hashes).catch(() => new Set(hashes))
    const unrecorded = prepared.filter(({ attributes }) => !recorded.has(attributes.hash))
    await discard(unrecorded.flatMap(({ contents }) => contents.map(({ key }) => key)))
  }

  return {
    async storeThen(prepared, work) {
      const contents = prepared.flatMap((file) => file.contents)
      try {
        for (const { key, path } of contents) await put(key, path)
        return await store.write(work)
      } catch (error) {
        // A commit that is still in progress shows no record yet; `octavo media sweep` removes what stays without one.
        if (!(error instanceof UnknownOutcome)) await discardUnrecorded(prepared)
        throw error
      }
    },
    ...createStoredBytes({ store, storage, log }),
  }
}

/** Bytes in storage and the records that lead to them, kept in step: bytes come first, and go last. */
import { errors } from '../../errors.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { PreparedFile } from '../prepare.ts'
import type { Storage } from '../storage/storage.ts'
import { recordedHashes } from './records.ts'

export interface FileLifecycle {
  /** Stores prepared files, then does the work that makes records lead to them: both, or neither. */
  storeThen<Result>(
    prepared: readonly PreparedFile[],
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result>
  /** Removes bytes that no record leads to. What fails here is found by the sweep of unused files. */
  discard(keys: readonly string[]): Promise<void>
}

export interface FileLifecycleOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly storage: Storage
  readonly log: { warn(message: string): void }
}

/** Seconds after which a caller may try again to store a file. */
const RETRY_SECONDS = 30

export function createFileLifecycle({ store, layout, storage, log }: FileLifecycleOptions): FileLifecycle {
  /** Storage that fails is no fault of the caller, who may try again. */
  const putAway = (key: string, path: string) =>
    storage.put(key, path).catch((error: unknown) => {
      log.warn(`A file could not be stored: ${error}`)
      throw errors.unavailable(RETRY_SECONDS, 'The file could not be stored; please try again later')
    })

  const discard = async (keys: readonly string[]) => {
    await storage
      .delete(keys)
      .catch((error: unknown) => log.warn(`Stored files could not be removed: ${error}`))
  }

  /** A commit whose confirmation was lost may have happened: bytes go only when there is no record of them. */
  const discardUnrecorded = async (prepared: readonly PreparedFile[]) => {
    const hashes = prepared.map(({ attributes }) => attributes.hash)
    const recorded = await recordedHashes(store, layout(), hashes).catch(() => new Set(hashes))
    const lost = prepared.filter(({ attributes }) => !recorded.has(attributes.hash))
    await discard(lost.flatMap(({ contents }) => contents.map(({ key }) => key)))
  }

  return {
    async storeThen(prepared, work) {
      const contents = prepared.flatMap((file) => file.contents)
      try {
        for (const { key, path } of contents) await putAway(key, path)
        return await store.write(work)
      } catch (error) {
        await discardUnrecorded(prepared)
        throw error
      }
    },
    discard,
  }
}

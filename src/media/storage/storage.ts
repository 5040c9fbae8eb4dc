/**
 * What a storage provider implements. A provider is one file in this folder that exports a `StorageProvider`, and one
 * line in `providers.ts`; nothing else in the server knows its name.
 */
import type { Readable } from 'node:stream'
import type { Setting } from '../../project/config/setting.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'

export interface StorageProvider<Settings> {
  /** What its section of the configuration, `upload.<key>`, must look like. */
  readonly settings: Setting<Settings>
  /** `folder` is `upload.directory` as an absolute path. */
  open(settings: Settings, folder: string): MaybePromise<Storage>
}

export interface StoredFile {
  readonly key: string
  readonly modifiedAt: Date
}

/** Whether storage works, for `octavo doctor`. */
export interface StorageStatus {
  readonly message: string
  /** What to do about it; null when storage works. */
  readonly remedy: string | null
}

/** The storage does not have what a record refers to. */
export class MissingContents extends Error {
  override readonly name = 'MissingContents'

  constructor(key: string, cause: unknown) {
    super(`${key} is not in the storage`, { cause })
  }
}

/** The bytes of files, by key. A key names the same bytes forever. */
export interface Storage {
  /** The `provider` of file records. */
  readonly name: string
  /** The folder whose files the server itself sends; null when clients fetch them elsewhere. */
  readonly folder: string | null
  /** Moves or copies the file at `path`; it is durable when the promise resolves. */
  put(key: string, path: string): Promise<void>
  /** Deletes files; ignores keys that do not exist. */
  delete(keys: readonly string[]): Promise<void>
  /** The url that goes into the file record. */
  urlOf(key: string): string
  /** A url that expires; null when files are public. */
  readonly sign: ((key: string) => Promise<string>) | null
  list(): AsyncIterable<StoredFile>
  /** Throws MissingContents if the key does not exist. */
  read(key: string): Promise<Readable>
  check(): Promise<StorageStatus>
  close(): void
}

/** The path below which the server sends stored files, or redirects to them. */
export const UPLOADS_PATH = '/uploads/'

/** A key never gets other bytes, so clients need not revalidate. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'

export const keyOfUrl = (url: string) => url.slice(url.lastIndexOf('/') + 1)

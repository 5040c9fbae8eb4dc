/** Where the bytes of files are kept. `disk.ts` and `s3.ts` implement it. */
import type { Readable } from 'node:stream'

export interface StoredFile {
  readonly key: string
  readonly modifiedAt: Date
}

export interface Storage {
  /** Its name in file records. */
  readonly provider: string
  /** Moves or copies the file at `path` under `key`; durable when the promise resolves. */
  put(key: string, path: string, mime: string): Promise<void>
  /** Removes files; those that are not there do no harm. */
  remove(keys: readonly string[]): Promise<void>
  /** The address that goes into the file record. */
  urlOf(key: string): string
  /** An address that works for a while, when files are not public. */
  sign: ((key: string) => Promise<string>) | null
  /** Every stored file. */
  list(): AsyncIterable<StoredFile>
  /** The bytes of a file. */
  read(key: string): Promise<Readable>
  close(): void
}

/** The name in storage of the file that a record's address leads to. */
export const keyOfUrl = (url: string) => url.slice(url.lastIndexOf('/') + 1)

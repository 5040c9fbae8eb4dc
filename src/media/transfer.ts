/** Exports and imports stored files: their bytes in chunks, and their records with the urls of another storage. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ArchiveError, type ArchiveLine, type Fields } from '../documents/transfer/archive-line.ts'
import { type ContentType, FILE } from '../model/model.ts'
import { isObject } from '../project/values.ts'
import { sql } from '../store/sql.ts'
import type { ReadRows } from '../store/store.ts'
import { columnOf, type Layout } from '../store/tables/layout.ts'
import { isStorageKey } from './files/names.ts'
import { fileType } from './files/records.ts'
import type { Staging } from './storage/staging.ts'
import { keyOfUrl, type Storage } from './storage/storage.ts'

const BATCH = 200
/** A multiple of three, so that base64 needs no padding between chunks. */
const CHUNK_BYTES = 192 * 1024

/** The storage keys of every file and its formats, file by file. */
export async function* storedKeys(read: ReadRows, layout: Layout): AsyncGenerator<readonly string[]> {
  const [url, formats, original] = ['url', 'formats', 'original'].map((name) => sql.id(columnOf(name)))
  for (let after = 0; ; ) {
    const rows = await read(
      sql`select id, ${url} as url, ${formats} as formats, ${original} as original from ${sql.table(fileType(layout).table)}
        where id > ${after} order by id limit ${sql.lit(BATCH)}`,
    )
    for (const row of rows)
      yield [row.url, ...formatUrls(JSON.parse(String(row.formats ?? 'null'))), row.original ?? '']
        .map((value) => keyOfUrl(String(value)))
        .filter(isStorageKey)
    if (rows.length < BATCH) return
    after = Number(rows.at(-1)?.id)
  }
}

const formatUrls = (formats: unknown): unknown[] =>
  isObject(formats) ? Object.values(formats).map((format) => (isObject(format) ? format.url : '')) : []

/** The bytes of a stored file as lines of an archive; the last one has the digest. Throws when the file is missing. */
export async function* byteLines(storage: Storage, key: string): AsyncGenerator<Fields> {
  const digest = createHash('sha256')
  let buffered = Buffer.alloc(0)
  for await (const bytes of await storage.read(key)) {
    buffered = Buffer.concat([buffered, Buffer.from(bytes)])
    digest.update(bytes)
    while (buffered.length >= CHUNK_BYTES) {
      yield { kind: 'bytes', file: key, base64: buffered.subarray(0, CHUNK_BYTES).toString('base64') }
      buffered = buffered.subarray(CHUNK_BYTES)
    }
  }
  yield { kind: 'bytes', file: key, base64: buffered.toString('base64'), sha256: digest.digest('hex') }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export function parseChunk(line: ArchiveLine) {
  const key = line.string('file')
  if (!isStorageKey(key)) throw line.error('has an invalid storage key')
  return {
    key,
    bytes: Buffer.from(line.string('base64', BASE64), 'base64'),
    sha256: line.stringOrNull('sha256', /^[0-9a-f]{64}$/),
  }
}

export type FileChunk = ReturnType<typeof parseChunk>

/**
 * Stores files as their chunks arrive. A key always has the same bytes, so overwriting is harmless. `storing` is called
 * before a file is stored.
 */
export async function storeFiles(
  storage: Storage,
  staging: Staging,
  chunks: AsyncIterable<FileChunk>,
  storing: (key: string) => Promise<void>,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  for (let first = await iterator.next(); !first.done; first = await iterator.next()) {
    const stage = staging.open()
    try {
      const { key } = first.value
      const staged = await stage.receive(Readable.from(bytesOfFile(first.value, iterator)))
      await storing(key)
      await storage.put(key, staged.path)
    } finally {
      await stage.clear()
    }
  }
}

async function* bytesOfFile(first: FileChunk, iterator: AsyncIterator<FileChunk>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  for (let chunk = first; ; ) {
    digest.update(chunk.bytes)
    yield chunk.bytes
    if (chunk.sha256 !== null) {
      if (digest.digest('hex') !== chunk.sha256)
        throw new ArchiveError(`The file ${chunk.key} in the archive is corrupt: its digest does not match`)
      return
    }
    const next = await iterator.next()
    if (next.done || next.value.key !== first.key)
      throw new ArchiveError(`The file ${first.key} in the archive is incomplete`)
    chunk = next.value
  }
}

/** Gives file records the urls of this storage; other content-types are unchanged. */
export const withUrlsOf =
  (storage: Storage) =>
  ({ uid }: ContentType, values: Fields): Fields => {
    if (uid !== FILE || typeof values.url !== 'string') return values
    const relocated = (url: unknown) =>
      typeof url === 'string' && isStorageKey(keyOfUrl(url)) ? storage.urlOf(keyOfUrl(url)) : url
    const { formats } = values
    return {
      ...values,
      url: relocated(values.url),
      provider: storage.name,
      ...(isObject(formats) && {
        formats: Object.fromEntries(
          Object.entries(formats).map(([name, format]) => [
            name,
            isObject(format) ? { ...format, url: relocated(format.url) } : format,
          ]),
        ),
      }),
    }
  }

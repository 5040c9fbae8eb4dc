/** Stored files outside of their storage: their bytes in pieces, and their records made to fit another storage. */
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
/** A multiple of three, so that pieces of base64 need no padding in the middle. */
const CHUNK_BYTES = 192 * 1024

/** The names in storage of every file and its formats, some at a time, as the records of the moment have them. */
export async function* storedKeys(read: ReadRows, layout: Layout): AsyncGenerator<readonly string[]> {
  const [url, formats] = [sql.id(columnOf('url')), sql.id(columnOf('formats'))]
  for (let after = 0; ; ) {
    const rows = await read(
      sql`select id, ${url} as url, ${formats} as formats from ${sql.table(fileType(layout).table)}
        where id > ${after} order by id limit ${sql.lit(BATCH)}`,
    )
    for (const row of rows)
      yield [row.url, ...formatUrls(JSON.parse(String(row.formats ?? 'null')))]
        .map((address) => keyOfUrl(String(address)))
        .filter(isStorageKey)
    if (rows.length < BATCH) return
    after = Number(rows.at(-1)?.id)
  }
}

const formatUrls = (formats: unknown): unknown[] =>
  isObject(formats) ? Object.values(formats).map((format) => (isObject(format) ? format.url : '')) : []

/** The bytes of a stored file as the fields of lines; the last one carries their digest. Throws when it is not there. */
export async function* byteLines(storage: Storage, key: string): AsyncGenerator<Fields> {
  const digest = createHash('sha256')
  let waiting = Buffer.alloc(0)
  for await (const chunk of await storage.read(key)) {
    waiting = Buffer.concat([waiting, Buffer.from(chunk)])
    digest.update(chunk)
    while (waiting.length >= CHUNK_BYTES) {
      yield { kind: 'bytes', file: key, base64: waiting.subarray(0, CHUNK_BYTES).toString('base64') }
      waiting = waiting.subarray(CHUNK_BYTES)
    }
  }
  yield { kind: 'bytes', file: key, base64: waiting.toString('base64'), sha256: digest.digest('hex') }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** A piece of a file, as a line has it. */
export function parseChunk(line: ArchiveLine) {
  const key = line.string('file')
  if (!isStorageKey(key)) throw line.error('has an invalid file name')
  return {
    key,
    bytes: Buffer.from(line.string('base64', BASE64), 'base64'),
    sha256: line.stringOrNull('sha256', /^[0-9a-f]{64}$/),
  }
}

export type FileChunk = ReturnType<typeof parseChunk>

/**
 * Puts files into storage, piece by piece as they come. A name stands for the same bytes for ever, so one that is
 * there already may be put again. Answers with how many there were.
 */
export async function storeFiles(
  storage: Storage,
  staging: Staging,
  pieces: AsyncIterable<FileChunk>,
  stored: () => void,
): Promise<number> {
  const coming = pieces[Symbol.asyncIterator]()
  let count = 0
  for (let first = await coming.next(); !first.done; first = await coming.next()) {
    const stage = staging.open()
    try {
      const { key } = first.value
      const staged = await stage.receive(Readable.from(bytesOfFile(first.value, coming)))
      await storage.put(key, staged.path)
      count++
      stored()
    } finally {
      await stage.clear()
    }
  }
  return count
}

async function* bytesOfFile(first: FileChunk, coming: AsyncIterator<FileChunk>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  for (let piece = first; ; ) {
    digest.update(piece.bytes)
    yield piece.bytes
    if (piece.sha256 !== null) {
      if (digest.digest('hex') !== piece.sha256)
        throw new ArchiveError(`The bytes of ${piece.key} in the archive are not those that were exported`)
      return
    }
    const next = await coming.next()
    if (next.done || next.value.key !== first.key)
      throw new ArchiveError(`The archive lacks a part of the file ${first.key}`)
    piece = next.value
  }
}

/** The values of a file record with the addresses it has in this storage; those of other types as they are. */
export const withUrlsOf =
  (storage: Storage) =>
  ({ uid }: ContentType, values: Fields): Fields => {
    if (uid !== FILE || typeof values.url !== 'string') return values
    const address = (url: unknown) =>
      typeof url === 'string' && isStorageKey(keyOfUrl(url)) ? storage.urlOf(keyOfUrl(url)) : url
    const { formats } = values
    return {
      ...values,
      url: address(values.url),
      provider: storage.name,
      ...(isObject(formats) && {
        formats: Object.fromEntries(
          Object.entries(formats).map(([name, format]) => [
            name,
            isObject(format) ? { ...format, url: address(format.url) } : format,
          ]),
        ),
      }),
    }
  }

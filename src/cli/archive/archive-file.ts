/** Reads and writes archive files: compressed lines of JSON. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ArchiveError, ArchiveLine, type Fields } from '../../documents/transfer/archive-line.ts'
import { messageOf } from '../../errors.ts'
import { UsageError } from '../error-message.ts'
import { linesOf } from './lines.ts'

export interface LineWriter {
  /** Resolves when there is room for the next line. */
  write(fields: Fields): Promise<void>
}

/**
 * Writes an archive. The file gets its name only when it is complete and on disk, and only its owner may read it. Until then
 * its name is random, so that two exports to the same file do not mix, and no link that others have put there is followed.
 */
export async function writeArchive(file: string, work: (writer: LineWriter) => Promise<void>): Promise<void> {
  const existing = await stat(file).catch(() => null)
  if (existing?.isDirectory()) throw new UsageError(`${file} is a folder: pass the path of a file`)
  const partial = `${file}.${randomBytes(6).toString('hex')}.part`
  const target = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
  await once(target, 'open').catch((failure: unknown) => {
    throw new UsageError(`Cannot write ${file}: ${messageOf(failure)}`)
  })
  try {
    await compressInto(target, work)
    await rename(partial, file)
  } catch (failure) {
    await rm(partial, { force: true })
    throw failure
  }
}

async function compressInto(target: WriteStream, work: (writer: LineWriter) => Promise<void>): Promise<void> {
  const gzip = createGzip()
  const written = pipeline(gzip, target)
  // Awaited below; until then a failure must not count as an unhandled rejection.
  written.catch(() => {})
  try {
    await work({
      async write(fields) {
        if (!gzip.write(`${JSON.stringify(fields)}\n`)) await Promise.race([once(gzip, 'drain'), written])
      },
    })
    gzip.end()
  } catch (failure) {
    gzip.destroy()
    throw failure
  }
  await written
}

/** The lines of an archive, or only those of some kinds. */
export async function* readArchive(
  file: string,
  includes?: (kind: string) => boolean,
): AsyncGenerator<ArchiveLine> {
  let number = 0
  for await (const text of textsOf(file)) {
    number++
    if (includes && !includes(/^\{"kind":"([^"]*)"/.exec(text)?.[1] ?? '')) continue
    yield new ArchiveLine(parse(text, number), `Line ${number}`)
  }
}

function parse(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ArchiveError(`Line ${number} of the archive is not JSON`)
  }
}

async function* textsOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  const done = pipeline(source, gunzip)
  done.catch(() => {})
  try {
    yield* linesOf(gunzip)
  } catch (failure) {
    throw archiveErrorOf(file, failure)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

export function archiveErrorOf(file: string, failure: unknown): unknown {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  if (code === 'ENOENT') return new ArchiveError(`File not found: ${file}`)
  if (code.startsWith('Z_BUF')) return new ArchiveError(`The archive ${file} is incomplete`)
  if (code.startsWith('Z_')) return new ArchiveError(`${file} is damaged or is not an archive`)
  if (code.startsWith('E')) return new ArchiveError(`Cannot read ${file}: ${code}`)
  return failure
}

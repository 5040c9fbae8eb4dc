/** An archive as a file: lines of JSON, compressed, one after the other in both directions. */
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ArchiveError, type Fields, Line } from '../../documents/transfer/archive-line.ts'
import { messageOf } from '../../errors.ts'
import { UsageError } from '../error-message.ts'

/** No line of ours comes near; a longer one would only fill the memory. */
const LONGEST_LINE = 256 * 1024 * 1024

export interface LineWriter {
  /** Resolves when the line is on its way and there is room for the next. */
  write(fields: Fields): Promise<void>
}

/**
 * Writes an archive: the file appears under its name when `work` is done, complete and on disk, or not at all. Only its
 * owner may read it.
 */
export async function writeArchive(file: string, work: (writer: LineWriter) => Promise<void>): Promise<void> {
  const place = await stat(file).catch(() => null)
  if (place?.isDirectory()) throw new UsageError(`${file} is a folder: name a file for the archive`)
  const part = `${file}.part`
  const target = createWriteStream(part, { mode: 0o600, flush: true })
  await once(target, 'open').catch((failure: unknown) => {
    throw new UsageError(`Cannot write ${file}: ${messageOf(failure)}`)
  })
  try {
    await compressInto(target, work)
    await rename(part, file)
  } catch (failure) {
    await rm(part, { force: true })
    throw failure
  }
}

async function compressInto(target: WriteStream, work: (writer: LineWriter) => Promise<void>): Promise<void> {
  const gzip = createGzip()
  const written = pipeline(gzip, target)
  // Waited for below; until then a failure must not count as one that nobody sees.
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

/** The lines of an archive, or those of the kinds asked for. */
export async function* readArchive(file: string, wanted?: (kind: string) => boolean): AsyncGenerator<Line> {
  let number = 0
  for await (const text of textsOf(file)) {
    number++
    if (wanted && !wanted(/^\{"kind":"([^"]*)"/.exec(text)?.[1] ?? '')) continue
    yield new Line(parsed(text, number), `Line ${number}`)
  }
}

function parsed(text: string, number: number): unknown {
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
    let waiting: Buffer[] = []
    let length = 0
    for await (const chunk of gunzip) {
      let rest = Buffer.from(chunk)
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield Buffer.concat([...waiting, rest.subarray(0, end)]).toString()
        waiting = []
        length = 0
        rest = rest.subarray(end + 1)
      }
      waiting.push(rest)
      length += rest.length
      if (length > LONGEST_LINE) throw new ArchiveError('The archive has a line that is too long to be ours')
    }
    if (length > 0) yield Buffer.concat(waiting).toString()
  } catch (failure) {
    throw unreadable(file, failure)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

function unreadable(file: string, failure: unknown): unknown {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  if (code === 'ENOENT') return new ArchiveError(`There is no file ${file}`)
  if (code.startsWith('Z_BUF'))
    return new ArchiveError(`The archive ${file} is cut off: part of it is missing`)
  if (code.startsWith('Z_')) return new ArchiveError(`${file} is damaged or is not an archive of Octavo`)
  if (code.startsWith('E')) return new ArchiveError(`Cannot read ${file}: ${code}`)
  return failure
}

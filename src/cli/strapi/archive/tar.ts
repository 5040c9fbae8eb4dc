/**
 * Reads tar archives as a stream: one file after the other, in constant memory. Not with `tar-stream`, which accepts an archive
 * that was cut off between two files, and reads extended headers of any length.
 */
import { ArchiveError } from '../../../documents/transfer/archive-line.ts'
import { ByteReader } from './byte-reader.ts'

export interface PackedFile {
  /** With forward slashes, relative to the root of the archive. */
  readonly path: string
  readonly size: number
  /** To be read before the next file is requested; what is not read is skipped. */
  readonly bytes: AsyncIterable<Uint8Array>
}

const BLOCK = 512
/** Extended headers hold a name; a longer one is an attack or damage. */
const MAX_EXTENDED_HEADER = 1024 * 1024

/** Whether bytes are the start of a tar archive. */
export const isTar = (head: Buffer) => head.length >= BLOCK && readChecksum(head) === checksumOf(head)

/** The regular files of a tar archive. Throws an ArchiveError if it is damaged or incomplete. */
export async function* filesOfTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<PackedFile> {
  const reader = new ByteReader(chunks)
  let longName: string | null = null
  let longSize: number | null = null
  try {
    for (;;) {
      const header = await reader.take(BLOCK)
      if (header.length < BLOCK) throw incomplete()
      if (header.every((byte) => byte === 0)) return
      if (readChecksum(header) !== checksumOf(header))
        throw new ArchiveError('The archive is damaged: a tar header has a wrong checksum')
      const size = longSize ?? readNumber(header.subarray(124, 136))
      const kind = String.fromCharCode(header[156] ?? 0)
      switch (kind) {
        case 'x': {
          const fields = paxFields(await extendedHeader(reader, size))
          longName = fields.get('path') ?? longName
          const paxSize = fields.get('size')
          longSize = paxSize === undefined ? null : Number(paxSize)
          break
        }
        case 'L':
          longName = textUpToNul(await extendedHeader(reader, size))
          break
        case '0':
        case '\0': {
          const content = new Content(reader, size)
          yield { path: normalize(longName ?? nameIn(header)), size, bytes: content.bytes() }
          await content.skip()
          longName = null
          longSize = null
          break
        }
        default:
          await new Content(reader, size).skip()
          longName = null
          longSize = null
      }
    }
  } finally {
    await reader.close()
  }
}

const incomplete = () => new ArchiveError('The archive is incomplete: it ends before the end of the tar file')

const padded = (size: number) => Math.ceil(size / BLOCK) * BLOCK

/** The bytes of one file, followed by padding up to the next block. */
class Content {
  readonly #reader: ByteReader
  readonly #size: number
  #read = 0

  constructor(reader: ByteReader, size: number) {
    this.#reader = reader
    this.#size = size
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#reader.pieces(this.#size - this.#read)) {
      this.#read += piece.length
      yield piece
    }
    if (this.#read < this.#size) throw incomplete()
  }

  /** Skips what was not read. */
  async skip(): Promise<void> {
    for await (const piece of this.#reader.pieces(padded(this.#size) - this.#read)) this.#read += piece.length
    if (this.#read < padded(this.#size)) throw incomplete()
  }
}

async function extendedHeader(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > MAX_EXTENDED_HEADER) throw new ArchiveError('The archive has a tar header that is too long')
  const bytes = await reader.take(padded(size))
  if (bytes.length < padded(size)) throw incomplete()
  return bytes.subarray(0, size)
}

/** Records of the form `<length> <key>=<value>\n`. */
function paxFields(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>()
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(32, start)
    const length = Number(bytes.subarray(start, space).toString())
    if (space < 0 || !Number.isSafeInteger(length) || length <= 0)
      throw new ArchiveError('The archive is damaged: an extended tar header is invalid')
    const [, key = '', value = ''] =
      /^([^=]*)=([\s\S]*)\n$/.exec(bytes.subarray(space + 1, start + length).toString()) ?? []
    fields.set(key, value)
    start += length
  }
  return fields
}

function nameIn(header: Buffer): string {
  const prefix =
    header.subarray(257, 262).toString() === 'ustar' ? textUpToNul(header.subarray(345, 500)) : ''
  const name = textUpToNul(header.subarray(0, 100))
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Exports made on Windows may have backslashes; archives packed by hand start with `./`. */
const normalize = (path: string) => path.replaceAll('\\', '/').replace(/^(\.\/)+/, '')

function textUpToNul(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString()
}

/** An octal number, or a binary one if the first bit is set. */
function readNumber(field: Buffer): number {
  const first = field[0] ?? 0
  const number =
    first & 0x80
      ? field.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x7f)
      : Number.parseInt(textUpToNul(field).trim() || '0', 8)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new ArchiveError('The archive is damaged: a tar header has an invalid size')
}

const readChecksum = (header: Buffer) =>
  Number.parseInt(textUpToNul(header.subarray(148, 156)).trim() || '-1', 8)

/** The sum of all bytes, with the checksum itself counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (let index = 0; index < BLOCK; index++) sum += index >= 148 && index < 156 ? 32 : (header[index] ?? 0)
  return sum
}

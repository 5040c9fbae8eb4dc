/** Splits a stream of bytes into lines of text. */
import { ArchiveError } from '../../documents/transfer/archive-line.ts'

/** Far more than any line needs; a longer one would only fill the memory. */
const MAX_LINE_LENGTH = 256 * 1024 * 1024

export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const last = rest.subarray(0, end)
      yield textOf(pending.length === 0 ? last : Buffer.concat([...pending, last]))
      pending = []
      length = 0
      rest = rest.subarray(end + 1)
    }
    if (rest.length === 0) continue
    pending.push(rest)
    length += rest.length
    if (length > MAX_LINE_LENGTH) throw new ArchiveError('The archive has a line that is too long')
  }
  if (length > 0) yield textOf(Buffer.concat(pending))
}

const textOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

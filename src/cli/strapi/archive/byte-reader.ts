/** Reads a stream of bytes in pieces of a wanted length. */

export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** The next `length` bytes; fewer at the end of the stream. */
  async take(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.pieces(length)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** The next `length` bytes as they arrive; fewer at the end of the stream. */
  async *pieces(length: number): AsyncGenerator<Uint8Array> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next()
        if (next.done) return
        this.#rest = next.value
      }
      const piece = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(piece.length)
      missing -= piece.length
      yield piece
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}

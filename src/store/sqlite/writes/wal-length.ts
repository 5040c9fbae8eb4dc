/**
 * The length of the log, read from its file. A pragma could report it, but before SQLite 3.51 only by moving the log
 * into the database, which takes long. The format (https://www.sqlite.org/fileformat2.html#walformat) is a header
 * followed by pages with a header each. Both contain two numbers (salts) that change when the log starts again from its
 * beginning: a page belongs to the current log if its salts are those of the file header.
 */
import { readSync } from 'node:fs'

export interface WalLength {
  /** Whether enough pages wait in the log that it should be emptied. */
  isLong(): boolean
  /** The first `pages` pages have been moved into the database. */
  noteEmptied(pages: number): void
  /** It could not be emptied; it is tried again when the log has grown by as much once more. */
  noteFailed(): void
}

const HEADER = 32
const PAGE_HEADER = 24
const PAGE_SIZE_AT = 8
const SALTS_AT = 16
const PAGE_SALTS_AT = 8

/** Follows the log in an open file. It is long when `maxPages` of its pages have not been moved yet. */
export function followWalLength(file: number, maxPages: number): WalLength {
  const header = Buffer.alloc(HEADER)
  const page = Buffer.alloc(PAGE_HEADER)
  let salts = 0n
  let longFrom = maxPages

  /** Whether the file is long enough to fill the buffer. */
  const canRead = (into: Buffer, position: number) =>
    readSync(file, into, 0, into.length, position) === into.length

  /** Whether there is a log. After it has started again, none of its pages have been moved. */
  function refresh(): boolean {
    if (!canRead(header, 0)) return false
    const current = header.readBigUInt64BE(SALTS_AT)
    if (current !== salts) longFrom = maxPages
    salts = current
    return true
  }

  return {
    isLong() {
      if (!refresh()) return false
      const pageLength = PAGE_HEADER + header.readUInt32BE(PAGE_SIZE_AT)
      return (
        canRead(page, HEADER + (longFrom - 1) * pageLength) && page.readBigUInt64BE(PAGE_SALTS_AT) === salts
      )
    },
    noteEmptied(pages) {
      refresh()
      longFrom = pages + maxPages
    },
    noteFailed() {
      longFrom += maxPages
    },
  }
}

/** The size of rows, most of which is the JSON of documents. */
import type { SqlValue } from '../statement.ts'

const MAX_BYTES_PER_CHARACTER = 3

/** Whether the texts of a row have more bytes than a limit. Counted only where the length alone does not decide. */
export function exceedsBytes(row: readonly SqlValue[], limit: number): boolean {
  let characters = 0
  for (const value of row) if (typeof value === 'string') characters += value.length
  if (characters * MAX_BYTES_PER_CHARACTER <= limit) return false
  return characters > limit || bytesOf(row) > limit
}

/** The bytes of the texts of a row. */
export function bytesOf(row: readonly SqlValue[]): number {
  let bytes = 0
  for (const value of row) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes
}

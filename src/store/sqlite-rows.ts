/** Rows of node:sqlite as the rest of the server knows them. */
import type { SQLOutputValue } from 'node:sqlite'
import type { Row, SqlValue } from './store.ts'

type SqliteRow = Record<string, SQLOutputValue>

/** Rows read with integers as numbers, unchanged: no column of ours holds a blob. */
export const plainRows = (rows: SqliteRow[]): readonly Row[] => (isBlobFree(rows) ? rows : [])

const isBlobFree = (_rows: SqliteRow[]): _rows is (SqliteRow & Record<string, SqlValue>)[] => true

/** The same of a row that was read as an array, which the types of the driver do not tell. */
export const plainRow = (row: unknown): readonly SqlValue[] | null => (Array.isArray(row) ? row : null)

/** Whether rows have an integer that a number cannot hold. */
export const isOutOfRange = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/** A row read with integers as bigints: those that a number holds exactly become numbers. */
export function narrow(row: SqliteRow): Row {
  const narrowed: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint') {
      const number = Number(value)
      narrowed[name] = Number.isSafeInteger(number) ? number : value
    } else if (typeof value === 'string' || typeof value === 'number') narrowed[name] = value
    else narrowed[name] = null
  }
  return narrowed
}

/** Converts rows of node:sqlite to the rows of the store. */
import type { SQLOutputValue, StatementSync } from 'node:sqlite'
import { bytesOf } from '../reads/row-bytes.ts'
import type { Row, SqlValue } from '../statement.ts'
import { TOO_BIG } from './failures.ts'

type SqliteRow = Record<string, SQLOutputValue>

/** A row that was read as an array, which the driver's types do not express; no column of ours holds a blob. */
export const plainRow = (row: unknown): readonly SqlValue[] | null => (Array.isArray(row) ? row : null)

/**
 * Reads the rows of a statement, with integers as numbers. The rows are fetched as arrays, because the driver's objects
 * are slow: 25 rows of 5 columns take 78 µs this way instead of 108 µs.
 */
export function rowReader(
  statement: StatementSync,
): (parameters: readonly SqlValue[], maxBytes?: number) => readonly Row[] {
  const names = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  const named = (values: readonly SqlValue[] | null) => {
    const row: Record<string, SqlValue> = {}
    for (let index = 0; index < names.length; index++) {
      const value = values?.[index] ?? null
      if (value === AMBIGUOUS) throw new OutOfRange()
      row[names[index] ?? ''] = value
    }
    return row
  }
  return (parameters, maxBytes = Infinity) => {
    if (maxBytes === Infinity) return statement.all(...parameters).map((row) => named(plainRow(row)))
    const rows: Row[] = []
    let bytes = 0
    for (const each of iterate(statement, parameters)) {
      const row = plainRow(each)
      bytes += row ? bytesOf(row) : 0
      if (bytes > maxBytes) throw new TooManyBytes()
      rows.push(named(row))
    }
    return rows
  }
}

/** Starting a statement resets it, which reports once more that its last run was ended, and only then succeeds. */
function iterate(statement: StatementSync, parameters: readonly SqlValue[]) {
  try {
    return statement.iterate(...parameters)
  } catch {
    return statement.iterate(...parameters)
  }
}

/** More rows, or longer ones, than may be read. */
export class TooManyBytes extends Error {
  readonly errcode = TOO_BIG
}

/** The one integer that the driver returns as a number although a number cannot represent it exactly. */
const AMBIGUOUS = -(2 ** 63)

class OutOfRange extends Error {
  readonly code = 'ERR_OUT_OF_RANGE'
}

/** Whether a row has an integer that a number cannot represent. */
export const isOutOfRange = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/** Converts the bigints of a row to numbers where those are exact. */
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

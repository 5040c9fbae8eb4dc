/** Rows of node:sqlite as the rest of the server knows them. */
import type { SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Row, SqlValue } from '../statement.ts'

type SqliteRow = Record<string, SQLOutputValue>

/** A row that was read as an array, which the types of the driver do not tell; no column of ours holds a blob. */
export const plainRow = (row: unknown): readonly SqlValue[] | null => (Array.isArray(row) ? row : null)

/**
 * What reads the rows of a statement, with integers as numbers. The driver makes objects that are slow to make and slow
 * to read, so it is asked for arrays; the text of the statement names its columns, which stay the same.
 */
export function rowReader(statement: StatementSync): (parameters: readonly SqlValue[]) => readonly Row[] {
  const names = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  const named = (values: readonly SqlValue[] | null) => {
    const row: Record<string, SqlValue> = {}
    for (let index = 0; index < names.length; index++) {
      const value = values?.[index] ?? null
      if (value === UNTOLD) throw new OutOfRange()
      row[names[index] ?? ''] = value
    }
    return row
  }
  return (parameters) => statement.all(...parameters).map((row) => named(plainRow(row)))
}

/** The one integer that the driver hands over as a number although a number does not tell it from its neighbours. */
const UNTOLD = -(2 ** 63)

class OutOfRange extends Error {
  readonly code = 'ERR_OUT_OF_RANGE'
}

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

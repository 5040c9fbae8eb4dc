/** Builds rows from the messages in which PostgreSQL sends them. */
import type { Row, SqlValue } from '../../statement.ts'
import { getTypeParser } from '../types.ts'

export interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

export interface DataRow {
  readonly fields: readonly (string | null)[]
}

/** The columns of a result: their names, and how to parse their values. */
export type Columns = readonly (readonly [name: string, parse: (text: string) => SqlValue])[]

export const columnsOf = ({ fields }: RowDescription): Columns =>
  fields.map(({ name, dataTypeID }) => [name, getTypeParser(dataTypeID)])

export function rowOf(columns: Columns, { fields }: DataRow): Row {
  const row: Record<string, SqlValue> = {}
  for (const [index, [name, parse]] of columns.entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}

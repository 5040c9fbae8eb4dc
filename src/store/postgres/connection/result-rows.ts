/** Builds rows from the messages in which PostgreSQL sends them. */
import pg from 'pg'
import type { Row, SqlValue } from '../../statement.ts'
import { getTypeParser } from '../types.ts'

export interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

export interface DataRow {
  readonly fields: readonly (string | null)[]
}

/** The columns of a result. */
export interface Columns {
  /** Their names, and how to parse their values. */
  readonly parsers: readonly (readonly [name: string, parse: (text: string) => SqlValue])[]
  /**
   * Whether all of them are text, which has the same bytes in the text format and in the binary format. In the latter the
   * server sends it without converting it first: lists are served 13 % faster.
   */
  readonly areText: boolean
}

export const columnsOf = ({ fields }: RowDescription): Columns => ({
  parsers: fields.map(({ name, dataTypeID }) => [name, getTypeParser(dataTypeID)]),
  areText: fields.every(({ dataTypeID }) => dataTypeID === pg.types.builtins.TEXT),
})

export function rowOf(columns: Columns | null, { fields }: DataRow): Row {
  const row: Record<string, SqlValue> = {}
  for (const [index, [name, parse]] of (columns?.parsers ?? []).entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}

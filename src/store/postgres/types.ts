/** Parses values from PostgreSQL. JSON and all types not listed here stay text. */
import pg from 'pg'
import type { SqlValue } from '../statement.ts'

const { builtins } = pg.types

const identity = (text: string): SqlValue => text

const parseInteger = (text: string): SqlValue => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

const PARSERS = new Map<number, (text: string) => SqlValue>([
  [builtins.INT2, Number],
  [builtins.INT4, Number],
  [builtins.INT8, parseInteger],
  [builtins.FLOAT4, Number],
  [builtins.FLOAT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.OID, Number],
  // As on SQLite, which has no booleans.
  [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
])

/** The parser for a type by its OID. */
export const getTypeParser = (oid: number) => PARSERS.get(oid) ?? identity

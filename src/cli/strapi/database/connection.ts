/** A database of a Strapi project that is open for reading, and what the engines have in common. */
import type { Sql } from '../../../store/sql.ts'
import type { SqlValue } from '../../../store/statement.ts'

export type DatabaseRow = Readonly<Record<string, SqlValue>>

export interface StrapiDatabase {
  /** All reads see the state that the database had when it was opened. */
  read(query: Sql): Promise<readonly DatabaseRow[]>
  /** The columns of all tables, by table. */
  columns(): Promise<ReadonlyMap<string, readonly string[]>>
  close(): Promise<void>
}

/** Integers as numbers where that loses nothing; what a database has no form for as text. */
export function withNumbers(row: Record<string, unknown>): DatabaseRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sqlValue(value)]))
}

function sqlValue(value: unknown): SqlValue {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return String(value)
}

/** The columns of each table, from rows with `kind`, `owner` and `name`. */
export function columnsByTable(rows: readonly DatabaseRow[]): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>()
  for (const { kind, owner, name } of rows)
    if (kind === 'column') columns.set(String(owner), [...(columns.get(String(owner)) ?? []), String(name)])
  return columns
}

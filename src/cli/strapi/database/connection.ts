/** A database of a Strapi project that is open for reading, and what the engines have in common. */
import { messageOf } from '../../../errors.ts'
import type { MaybePromise } from '../../../store/maybe-promise.ts'
import type { Sql } from '../../../store/sql.ts'
import type { SqlValue } from '../../../store/statement.ts'
import { UsageError } from '../../error-message.ts'

export type DatabaseRow = Readonly<Record<string, SqlValue>>

export interface StrapiDatabase {
  /** All reads see the state that the database had when it was opened. */
  read(query: Sql): Promise<readonly DatabaseRow[]>
  /** The columns of all tables, by table. */
  columns(): Promise<ReadonlyMap<string, readonly string[]>>
  close(): Promise<void>
}

/** Runs `work` on a database. Its failures are those of the database, such as a lost connection or missing rights. */
export async function reading<Result>(name: string, work: () => MaybePromise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (failure) {
    throw new UsageError(`The database ${name} cannot be read: ${messageOf(failure)}`)
  }
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

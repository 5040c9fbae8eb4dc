/**
 * Rows that the jobs of a batch leave to be inserted together before the commit. A statement for many rows costs less for
 * each than one for a single row, and outside the savepoint of a job SQLite copies no page for it. With 16 writes at a time,
 * publishing a document with events, the audit log and history took 13 % less CPU time than with a statement for each row.
 */
import { insertStatements, type RowInsert } from '../../statement.ts'
import type { Operation } from './operation.ts'

/** Rows per statement: a power of two, so that few statements serve every number of rows. */
const MAX_ROWS = 64
const rowsPerStatement = (left: number) => Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(left)))

/** The operations that insert the rows. */
export const insertOperations = (insert: RowInsert): Operation[] =>
  insertStatements(insert, rowsPerStatement).map((statement) => ({ ...statement, rows: false }))

export class AppendedRows {
  #inserts: RowInsert[] = []

  /** Adds rows after all others. */
  add(inserts: readonly RowInsert[]) {
    this.#inserts.push(...inserts)
    for (const { table } of inserts) tablesWithRows.add(table)
  }

  /** Whether an operation names a table that has rows here, and so must see them. */
  areNeededBy(operations: readonly Operation[]): boolean {
    return this.#inserts.length > 0 && operations.some(({ sql }) => tablesWithRows.areNamedIn(sql))
  }

  /** Returns the rows of each table in order, and leaves none. */
  take(): readonly RowInsert[] {
    if (this.#inserts.length === 0) return this.#inserts
    const groups = Map.groupBy(this.#inserts, ({ text }) => text)
    this.#inserts = []
    return [...groups.values()].flatMap(([first, ...others]) =>
      first ? [{ ...first, rows: [first, ...others].flatMap(({ rows }) => rows) }] : [],
    )
  }

  /** Adds rows that were taken, before all others. */
  putBack(inserts: readonly RowInsert[]) {
    this.#inserts = [...inserts, ...this.#inserts]
  }
}

/** The texts that are remembered: together a few megabytes at most. Longer ones are searched each time. */
const MAX_TEXTS = 500
const MAX_LENGTH = 4_000

/** The tables that rows are appended to, and which SQL texts name one of them. */
class NamedTables {
  readonly #tables = new Set<string>()
  readonly #known = new Map<string, boolean>()

  add(table: string) {
    if (this.#tables.has(table)) return
    this.#tables.add(table)
    this.#known.clear()
  }

  areNamedIn(sql: string): boolean {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const isNamed = [...this.#tables].some((table) => sql.includes(table))
    if (this.#known.size >= MAX_TEXTS) this.#known.clear()
    if (sql.length <= MAX_LENGTH) this.#known.set(sql, isNamed)
    return isNamed
  }
}

const tablesWithRows = new NamedTables()

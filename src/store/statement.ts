/** Statements and rows as both engines know them. */

/** A value that goes into a statement as a parameter, or comes back in a row. */
export type SqlValue = string | number | bigint | null

/** Compiled SQL with its values. Values are always parameters, never part of the text. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Rows for a table, to be inserted with one or several statements. */
export interface RowInsert {
  readonly table: string
  /** The SQL text for a number of rows. Rows with the same function may be inserted together. */
  readonly text: (rows: number) => string
  /** The parameters of each row. */
  readonly rows: readonly (readonly SqlValue[])[]
}

/** The statements that insert rows; `sizeOf` says how many of those that are left the next one inserts. */
export function insertStatements(
  { text, rows }: RowInsert,
  sizeOf: (left: number) => number,
): readonly Statement[] {
  const statements: Statement[] = []
  for (let from = 0; from < rows.length; ) {
    const size = sizeOf(rows.length - from)
    statements.push({ sql: text(size), parameters: rows.slice(from, from + size).flat() })
    from += size
  }
  return statements
}

const TRANSACTION_CONTROL = /^\s*(begin|start|commit|end|rollback|abort|savepoint|release)\b/i

/** Reads may run on any connection: one that started a transaction would leave it open for others. */
export function refuseTransactionControl(sql: string): void {
  if (TRANSACTION_CONTROL.test(sql)) throw new Error(`A read cannot control transactions: ${sql}`)
}

/** A row as the driver returns it. Integers are numbers when they are safe, otherwise bigints. */
export type Row = Readonly<Record<string, SqlValue>>

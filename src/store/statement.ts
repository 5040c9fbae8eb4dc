/** Statements and rows as both engines know them. */

/** A value that goes into a statement as a parameter, or comes back in a row. */
export type SqlValue = string | number | bigint | null

/** Compiled SQL with its values. Values are always parameters, never part of the text. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

const TRANSACTION_CONTROL = /^\s*(begin|start|commit|end|rollback|abort|savepoint|release)\b/i

/** Reads may run on any connection: one that started a transaction would leave it open for others. */
export function refuseTransactionControl(sql: string): void {
  if (TRANSACTION_CONTROL.test(sql)) throw new Error(`A read cannot control transactions: ${sql}`)
}

/** A row as the driver returns it. Integers are numbers when they are safe, otherwise bigints. */
export type Row = Readonly<Record<string, SqlValue>>

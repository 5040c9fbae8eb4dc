/** Statements and rows as both engines know them. */

/** A value that goes into a statement as a parameter, or comes back in a row. */
export type SqlValue = string | number | bigint | null

/** Compiled SQL with its values. Values are always parameters, never part of the text. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** A row as the driver returns it. Integers are numbers when they are safe, otherwise bigints. */
export type Row = Readonly<Record<string, SqlValue>>

/**
 * Tokens for the contents of tables, as far as one writing connection knows them. A caller may cache what it has read
 * from a table for as long as the table has the same token.
 */
import type { SqlValue } from '../../statement.ts'

export interface TableContents {
  /** The same object for as long as the table holds the same. */
  tokenOf(table: string): object
  /** The table is about to change. */
  noteChange(table: string): void
  /** What was written has been rolled back. */
  forget(): void
  /** Compares the connection's data version with the last one: if it differs, others have written. */
  check(dataVersion: SqlValue | undefined): void
}

export function createTableContents(): TableContents {
  const tokens = new Map<string, object>()
  let lastVersion: SqlValue | undefined
  return {
    tokenOf(table) {
      let token = tokens.get(table)
      if (!token) {
        token = {}
        tokens.set(table, token)
      }
      return token
    },
    noteChange: (table) => void tokens.delete(table),
    forget: () => tokens.clear(),
    check(dataVersion) {
      if (dataVersion !== lastVersion) tokens.clear()
      lastVersion = dataVersion
    },
  }
}

/** The names of unique indexes, from which a failure can tell the table and the column: `notes:a_slug:unique`. */

const SUFFIX = ':unique'

/** Neither names of tables nor those of columns contain a colon. */
export const uniqueIndexName = (table: string, column: string) => `${table}:${column}${SUFFIX}`

export function parseIndexName(name: string): { readonly table: string; readonly column: string } | null {
  const [table, column] = name.endsWith(SUFFIX) ? name.split(':') : []
  return table !== undefined && column !== undefined ? { table, column } : null
}

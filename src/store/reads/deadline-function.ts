/** The SQL function that ends a statement of SQLite which has run for too long; see `sqlite/functions.ts`. */
export const DEADLINE = 'octavo_deadline'

/** The case folding of `fold.ts` as SQL. */
import { type Sql, sql } from '../sql.ts'

/** Folds an expression. SQLite has the function in each connection, PostgreSQL in the database. */
export const foldExpression = (expression: Sql): Sql => sql`octavo_fold(${expression})`

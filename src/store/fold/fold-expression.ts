/** The case folding of `fold.ts` as SQL. */
import { type Sql, sql } from '../sql.ts'

/** The SQL that folds an expression. Both engines know the function: SQLite by connection, PostgreSQL by migration. */
export const foldExpression = (expression: Sql): Sql => sql`octavo_fold(${expression})`

/** The case folding of `fold.ts` as SQL. */
import { type Expression, type RawBuilder, sql } from 'kysely'

/** The SQL that folds an expression. Both engines know the function: SQLite by connection, PostgreSQL by migration. */
export const foldExpression = (expression: Expression<unknown>): RawBuilder<string> =>
  sql<string>`octavo_fold(${expression})`

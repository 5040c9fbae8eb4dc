/** The rows that can match a search, in the words of PostgreSQL's index of trigrams. */
import { foldExpression } from '../../store/fold/fold-expression.ts'
import { searchedText } from '../../store/search/search-index.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { PLANNED_FOR_VALUES } from '../../store/statement.ts'
import type { IndexedSearch, SearchTest } from './indexed-search.ts'

/** The text with its wildcards escaped. */
const escaped = (text: Sql) => sql`replace(replace(replace(${text}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`

function textTest(test: SearchTest, text: Sql): Sql {
  if (test.kind !== 'contains')
    return sql`(${sql.join(
      test.all.map((part) => textTest(part, text)),
      ` ${test.kind} `,
    )})`
  const value = sql`${test.value}::text`
  return sql`${text} like '%' || ${escaped(test.isFolded ? value : foldExpression(value))} || '%'`
}

/**
 * Whether a row passes the test. The planner estimates from the text how many rows do, and reads the index, or the rows in
 * the order of the page. It must know the text for that.
 */
export const containsText = ({ index, test }: IndexedSearch, column: (name: string) => Sql): Sql =>
  sql`${sql.raw(PLANNED_FOR_VALUES)} ${textTest(test, searchedText(index, column))}`

/** The rows that can match a search, from the full-text index of SQLite. */
import { foldExpression } from '../../store/fold/fold-expression.ts'
import { pendingTable } from '../../store/search/sqlite-search.ts'
import { TRIGRAMS } from '../../store/search/trigrams.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { IndexedSearch, SearchTest } from './indexed-search.ts'

/** The query in the syntax of FTS5. */
function matchQuery(test: SearchTest): Sql {
  if (test.kind === 'contains') {
    const text = sql`${test.value}`
    return sql`${sql.raw(TRIGRAMS)}(${test.isFolded ? text : foldExpression(text)})`
  }
  const joined = sql.join(
    test.all.map(matchQuery),
    test.kind === 'and' ? ` || ') AND (' || ` : ` || ') OR (' || `,
  )
  return sql`'(' || ${joined} || ')'`
}

/** The ids of the rows in the index that pass the test. */
const indexedIds = ({ index, test }: IndexedSearch): Sql => {
  const fts = sql.table(index.name)
  return sql`select rowid from ${fts} where ${fts} match ${matchQuery(test)}`
}

/** Whether a row passes the test, or is not in the index yet. */
export const isCandidate = (id: Sql, search: IndexedSearch): Sql =>
  sql`${id} in (${indexedIds(search)} union all select id from ${pendingTable(search.index)})`

/**
 * Up to here, a page in the order of an index is found faster through the search index: for more rows, reading in that order
 * soon meets enough rows that match.
 */
const MAX_FOR_ORDERED_PAGE = 2_000
/** Where all rows have to be tested, the search index is faster if it leaves out seven of eight. */
const MAX_SHARE = 8

/**
 * Whether the index is faster than a scan. SQLite cannot estimate how many rows a full-text query finds, so the statement
 * itself counts them, up to the number from which on a scan is faster.
 */
export function hasFewCandidates(search: IndexedSearch, table: string, isOrdered: boolean): Sql {
  const max = isOrdered
    ? sql.lit(MAX_FOR_ORDERED_PAGE)
    : sql`(select max(id) / ${sql.lit(MAX_SHARE)} + ${sql.lit(MAX_FOR_ORDERED_PAGE)} from ${sql.table(table)})`
  return sql`(select count(*) from (${indexedIds(search)} limit ${max})) < ${max}`
}

/** Reads through a search index where that is faster than reading the rows. */
import { type Sql, sql } from '../../store/sql.ts'
import type { PlanDialect } from '../dialect.ts'
import type { IndexedSearch } from './indexed-search.ts'

/** The name of the common table expression with the ids of the rows that can match. */
export const CANDIDATES = sql.id('octavo_candidates')

/**
 * Up to here, a page in the order of an index is found faster through the search index: for more rows, reading in that order
 * soon meets enough rows that match.
 */
const MAX_FOR_ORDERED_PAGE = sql.lit(2_000)
/** Where all rows have to be tested, the search index is faster if it leaves out seven of eight. */
const maxForAllRows = (table: string) =>
  sql`(select coalesce(max(id), 0) / 8 + 2000 from ${sql.table(table)})`

export interface NarrowedRead {
  /** The WITH clause of a statement that reads a page, and of one that counts the rows too. */
  readonly withPage: Sql
  readonly withCount: Sql
  /** Whether the index finds the rows of the page. */
  readonly isPageNarrowed: Sql
  /** An expression with the page, or with the count, read through the index or without it. Both have the same value. */
  page(read: (isNarrowed: boolean) => Sql): Sql
  count(read: (isNarrowed: boolean) => Sql): Sql
}

/**
 * No engine can estimate how many rows have the words of a search, so the statement itself finds them, up to the number from
 * which on a scan is faster.
 */
export function narrowedRead(
  dialect: PlanDialect,
  search: IndexedSearch,
  table: string,
  /** Whether an index has the rows in the order of the page. */
  isOrdered: boolean,
): NarrowedRead {
  const { expressions, rows, isUsable } = dialect.searchCandidates(search)
  const maxForCount = maxForAllRows(table)
  const maxForPage = isOrdered ? MAX_FOR_ORDERED_PAGE : maxForCount
  const clause = (max: Sql) =>
    sql`with ${sql.join([...expressions, sql`${CANDIDATES} as materialized (select id from (${rows}) as found limit ${max})`])} `
  const isNarrowed = (max: Sql) => sql`${isUsable} and (select count(*) from ${CANDIDATES}) < ${max}`
  const either = (max: Sql, read: (isNarrowed: boolean) => Sql) =>
    sql`case when ${isNarrowed(max)} then ${read(true)} else ${read(false)} end`
  return {
    withPage: clause(maxForPage),
    withCount: clause(maxForCount),
    isPageNarrowed: isNarrowed(maxForPage),
    page: (read) => either(maxForPage, read),
    count: (read) => either(maxForCount, read),
  }
}

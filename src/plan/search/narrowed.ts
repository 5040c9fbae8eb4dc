/** Reads through a search index where that is faster than reading the rows. */
import { type Sql, sql } from '../../store/sql.ts'
import type { PlanDialect } from '../dialect.ts'
import type { IndexedSearch } from './indexed-search.ts'

/** An expression that reads rows of a table, through the index or without it. Both have the same value. */
export function narrowed(
  dialect: PlanDialect,
  search: IndexedSearch,
  table: string,
  /** Whether an index has the rows in the order in which they are read. */
  isOrdered: boolean,
  read: (search: IndexedSearch | null) => Sql,
): Sql {
  const few = dialect.hasFewCandidates(search, table, isOrdered)
  return few ? sql`case when ${few} then ${read(search)} else ${read(null)} end` : read(search)
}

/** What of a page is written into its statement: PostgreSQL plans badly for a page whose size and start are parameters. */
import type { Dialect } from '../store/dialect.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { SqlValue } from '../store/statement.ts'
import { parameter } from './conditions.ts'
import { type PlanDialect, planDialects } from './dialect.ts'
import type { Query, Slot } from './query-tree.ts'

export interface KnownPage {
  readonly size: number
  /** Whether the statement reads the first page only. */
  readonly isFirst: boolean
}

/** What is written into the statement; null when it is for pages of every size. `isSearch` when a search index narrows the list. */
export function knownPage(
  { target }: Query,
  values: readonly SqlValue[],
  isSearch: boolean,
  dialect: Dialect,
): KnownPage | null {
  const { maxKnownPageSize } = planDialects[dialect.name]
  if (maxKnownPageSize === 0 || !('limit' in target)) return null
  const size = values[target.limit.slot]
  if (typeof size !== 'number' || size < 0 || size > maxKnownPageSize) return null
  // With an unknown start, a search is planned anew for each request, which takes as long as the search. Other filters are worth it.
  return { size, isFirst: isSearch && target.kind === 'page' && values[target.start.slot] === 0 }
}

/** The argument of LIMIT. */
export const limitOf = (dialect: PlanDialect, limit: Slot, page: KnownPage | null): Sql =>
  page ? sql.lit(page.size) : dialect.limit(parameter(limit))

/** The argument of OFFSET. With filters, the best plan depends on the values. */
export function offsetOf(dialect: PlanDialect, { where }: Query, start: Slot, page: KnownPage | null): Sql {
  if (page?.isFirst) return sql`0`
  return where ? parameter(start) : dialect.unplannedOffset(parameter(start))
}

/**
 * The search index of a content-type: an index of the words of its text attributes. It narrows a search to the rows that may
 * match. Every row is still compared itself, so that the index may contain too much, but never too little.
 *
 * All attributes are indexed as one folded text, in one index: `_q`, which searches all attributes, would need a search in each.
 */
import type { ContentType } from '../../model/model.ts'
import { foldExpression } from '../fold/fold-expression.ts'
import { type Sql, sql } from '../sql.ts'
import { identifier } from '../tables/identifier.ts'
import { columnOf } from '../tables/layout.ts'
import { FORMAT, type SearchIndex } from './search-dialect.ts'

/** The search index that a type declares; null when it declares none. */
export const searchIndexOf = ({ table, search }: ContentType): SearchIndex | null =>
  search ? { name: searchIndexName(table), columns: search.map(columnOf), format: FORMAT } : null

/**
 * No table of a content-type can have a name with this prefix. With the `$`, which no name of a table contains, what belongs to the
 * index of `notes` cannot have the name of the index of `notes_data`.
 */
const searchIndexName = (table: string) => identifier(`octavo_search_${table}$`)

/** The text of a row that is indexed. `column` refers to one of its columns. */
export const searchedText = (index: SearchIndex, column: (name: string) => Sql): Sql =>
  foldExpression(unfoldedText(index, column))

/** The same before it is folded. */
export const unfoldedText = ({ columns }: SearchIndex, column: (name: string) => Sql): Sql =>
  sql.join(
    columns.map((name) => sql`coalesce(${column(name)}, '')`),
    ` || ${SEPARATOR} || `,
  )

const SEPARATOR = "'\n'"

/** The sources of values in a statement: version rows and component entries. */
import type { ContentType, Model } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { PlanDialect } from './dialect.ts'
import { fieldType } from './field-type.ts'
import type { Condition, Field } from './query-tree.ts'
import type { Visits } from './visits.ts'

/** What does not change while one query is compiled. */
export interface Compilation {
  readonly dialect: PlanDialect
  readonly layout: Layout
  readonly model: Model
  readonly published: 0 | 1
  /** A new table alias. */
  alias(): string
  /** The SQL of a condition on a source, or of its negation. */
  condition(node: Condition, source: Source, negated?: boolean): Sql
}

export interface RowSource {
  readonly kind: 'row'
  readonly alias: string
  readonly type: ContentType
  /** The number of relations between the root and this source. */
  readonly level: number
  readonly visits: Visits
  /** The locale of localized documents that are reached from here. */
  readonly locale: Sql
  /**
   * The localized type whose rows have that locale; null when the locale is the same for all rows, so that it can be used
   * where the row is not in scope.
   */
  readonly localizedBy: ContentType | null
  /** Joins, of at most one row each, that are added to the FROM clause of this source; absent where joins cannot be added. */
  readonly joins?: Sql[]
  /** An array of the ids of all rows of this source; absent where they are not known before the rows are read. */
  readonly ids?: Sql
}

interface EntrySource {
  readonly kind: 'entry'
  readonly alias: string
  /** The version row that the entry belongs to. */
  readonly row: RowSource
}

export type Source = RowSource | EntrySource

/** The rows of a page, in a subquery that selects their ids. */
export interface PageRows {
  readonly id: Sql
  readonly from: Sql
  readonly where: Sql
  readonly order: readonly Sql[]
  /** What `where` does not check, as a condition on the rows that have these ids. */
  readonly unchecked: (outer: RowSource) => readonly Sql[]
}

export const rowSourceOf = (source: Source) => (source.kind === 'row' ? source : source.row)

export const column = (source: { readonly alias: string }, name: string) => sql.ref(`${source.alias}.${name}`)
export const entryMember = (source: EntrySource, name: string) =>
  sql`(${column(source, 'value')} ->> ${sql.lit(name)})`

/** The number of an entry, by which edges refer to it. */
export const entryId = (source: EntrySource) => sql`cast(${entryMember(source, 'i')} as bigint)`

/** A row of a type at the root; `locale` is given when all rows have the same one. */
export function rootSource(
  c: Compilation,
  type: ContentType,
  locale: Sql | null,
  visits: Visits,
  level = 0,
): RowSource {
  const alias = c.alias()
  const place = { kind: 'row', alias, type, level, visits } as const
  if (!type.localized) return { ...place, locale: sql`${c.model.locales.default}`, localizedBy: null }
  return locale
    ? { ...place, locale, localizedBy: null }
    : { ...place, locale: column({ alias }, 'locale'), localizedBy: type }
}

/** A row of a type that is reached from another source, in the locale of that source. */
export function relatedSource(c: Compilation, type: ContentType, above: Source, visits: Visits): RowSource {
  const { locale, localizedBy, level } = rowSourceOf(above)
  return { kind: 'row', alias: c.alias(), type, level: level + 1, visits, locale, localizedBy }
}

/** From this level on, queries are wrapped. */
const DEEP_LEVEL = 4

/**
 * Wraps a query that is many relations away from the root. SQLite limits the depth of expressions, adding that of all
 * queries around them; a query in a FROM clause starts counting at zero.
 */
export const limitDepth = (c: Compilation, source: Source, query: Sql): Sql =>
  rowSourceOf(source).level < DEEP_LEVEL || !c.dialect.limitsExpressionDepth
    ? query
    : sql`select * from (${query})`

/** The version to show: the requested status, and the locale of the nearest localized document above. */
export function isShownVersion(c: Compilation, source: RowSource, above: Source): Sql {
  return sql`${hasShownStatus(c, source)} and ${column(source, 'locale')} = ${
    source.type.localized ? rowSourceOf(above).locale : sql.lit('')
  }`
}

/** The versions of the requested status, in any locale. */
export const hasShownStatus = (c: Compilation, source: RowSource): Sql =>
  sql`${column(source, 'published')} = ${sql.lit(publishedFlag(c, source.type))}`

/** Types without drafts only have published rows. */
export const publishedFlag = (c: Compilation, type: ContentType) => (type.draftAndPublish ? c.published : 1)

export function fieldValue(c: Compilation, source: Source, field: Field): Sql {
  if (source.kind === 'row') return column(source, field.column)
  if (field.type === 'id') return entryId(source)
  if (field.column === 'document_id') return entryMember(source, 'd')
  return c.dialect.valueMember(entryMember(source, 's'), field)
}

/** The text that text operators compare: text as it is, other values as their JSON. */
export function fieldText(c: Compilation, source: Source, field: Field): Sql {
  if (field.type === 'id') return sql`cast(${fieldValue(c, source, field)} as text)`
  switch (fieldType(field).comparedText) {
    case 'stored':
      return fieldValue(c, source, field)
    case 'cast':
      return sql`cast(${fieldValue(c, source, field)} as text)`
    case 'served':
      return c.dialect.jsonMember(servedFragment(source), field.name)
  }
}

/** The served JSON of a source. */
export const servedFragment = (source: Source) =>
  source.kind === 'row' ? column(source, 'served') : entryMember(source, 's')

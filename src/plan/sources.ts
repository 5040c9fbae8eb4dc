/** The sources of values in a statement, version rows and component entries, and the steps from one to others. */
import { type ContentType, type Model, typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { columnOf, EDGES, type Layout } from '../store/tables/layout.ts'
import type { PlanDialect } from './dialect.ts'
import { fieldType } from './field-type.ts'
import type { Condition, EdgeStep, Field, Step } from './query-tree.ts'
import { leadsToOne, type Visits, visitsAfter } from './visits.ts'

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
}

interface EntrySource {
  readonly kind: 'entry'
  readonly alias: string
  /** The version row that the entry belongs to. */
  readonly row: RowSource
}

export type Source = RowSource | EntrySource

/** The rows at the end of a step: a FROM clause with its join condition, the source, and the order. */
export interface StepRows {
  readonly from: Sql
  readonly on: Sql
  readonly source: Source
  readonly order: readonly Sql[]
  /** Whether the index returns them in that order. */
  readonly isOrdered: boolean
  /** Whether there is at most one. */
  readonly isSingle: boolean
}

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

/** Selects edges that start from versions of the shown status, because the index separates drafts from published versions. */
export const edgeHasStatusOf = (c: Compilation, edge: { readonly alias: string }, source: RowSource): Sql =>
  sql`${column(edge, 'published')} = ${sql.lit(publishedFlag(c, source.type))}`

/** The rows at the end of a step. */
export function follow(c: Compilation, step: Step, source: Source): StepRows {
  switch (step.kind) {
    case 'edges':
      return step.direction === 'forward' ? forward(c, step, source) : backward(c, step, source)
    case 'entries':
      return entries(c, step, source)
    case 'localizations':
      return localizations(c, step, source)
  }
}

/** Selects the edges of a relation that start from a source. */
export function isEdgeFrom(
  c: Compilation,
  edge: string,
  relation: Extract<Step, { kind: 'edges' }>['relation'],
  source: Source,
): Sql {
  const at = { alias: edge }
  return sql`${column(at, 'relation')} = ${sql.lit(c.layout.relationId(relation))} and ${column(at, 'source')} = ${column(
    rowSourceOf(source),
    'id',
  )} and ${column(at, 'entry')} = ${source.kind === 'row' ? sql.lit(0) : entryId(source)}`
}

/**
 * A test of edges that also ends the statement when it has run for too long: following edges is what multiplies the rows of
 * a statement. In parentheses, because SQLite limits the depth of expressions, and so the length of a chain of tests.
 */
export function inTime(
  c: Compilation,
  edge: { readonly alias: string },
  position: 'position' | 'inverse_position',
  test: Sql,
): Sql {
  const ends = c.dialect.endWhenLate(sql`${column(edge, 'source')} + ${column(edge, position)}`)
  return ends.length === 0 ? test : sql`(${sql.join([test, ...ends], ' and ')})`
}

const andVisible = (c: Compilation, step: Exclude<Step, { kind: 'entries' }>, source: Source) =>
  step.visible ? sql` and ${c.condition(step.visible, source)}` : sql``

/** SQLite joins at most 64 tables. */
export const MAX_JOINS = 16

/**
 * The target of a to-one relation, joined to the rows of a source. All its columns are null where nothing is related.
 * Null when it cannot be joined.
 */
export function joinOne(c: Compilation, step: Step, source: Source): RowSource | null {
  if (!c.dialect.prefersJoinsToSubqueries || source.kind !== 'row' || !source.joins) return null
  if (step.kind !== 'edges' || step.direction !== 'forward' || !leadsToOne(c.model, step)) return null
  if (source.joins.length >= MAX_JOINS) return null
  const edge = { alias: c.alias() }
  const visits = visitsAfter(c.model, step, rowSourceOf(source).visits)
  const target = { ...relatedSource(c, typeOf(c.model, step.target), source, visits), joins: source.joins }
  source.joins.push(
    sql`left join ${sql.table(EDGES)} as ${sql.id(edge.alias)} on ${isEdgeFrom(c, edge.alias, step.relation, source)}`,
    sql`left join ${sql.table(target.type.table)} as ${sql.id(target.alias)} on ${column(target, 'document_id')} = ${column(
      edge,
      'target',
    )} and ${isShownVersion(c, target, source)}${andVisible(c, step, target)}`,
  )
  return target
}

function forward(c: Compilation, step: EdgeStep, source: Source): StepRows {
  const edge = { alias: c.alias() }
  const target = relatedSource(
    c,
    typeOf(c.model, step.target),
    source,
    visitsAfter(c.model, step, rowSourceOf(source).visits),
  )
  const isSingle = leadsToOne(c.model, step)
  const isFrom = isEdgeFrom(c, edge.alias, step.relation, source)
  return {
    from: sql`${sql.table(EDGES)} as ${sql.id(edge.alias)} ${c.dialect.join} ${sql.table(target.type.table)} as ${sql.id(
      target.alias,
    )} on ${column(target, 'document_id')} = ${column(edge, 'target')}`,
    on: sql`${isSingle ? isFrom : inTime(c, edge, 'position', isFrom)} and ${isShownVersion(c, target, source)}${andVisible(c, step, target)}`,
    source: target,
    order: [column(edge, 'position')],
    isOrdered: true,
    isSingle,
  }
}

function backward(c: Compilation, step: EdgeStep, source: Source): StepRows {
  const edge = { alias: c.alias() }
  const owner = relatedSource(
    c,
    typeOf(c.model, step.target),
    source,
    visitsAfter(c.model, step, rowSourceOf(source).visits),
  )
  return {
    from: sql`${sql.table(EDGES)} as ${sql.id(edge.alias)} ${c.dialect.join} ${sql.table(owner.type.table)} as ${sql.id(
      owner.alias,
    )} on ${column(owner, 'id')} = ${column(edge, 'source')}`,
    on: sql`${column(edge, 'target')} = ${column(rowSourceOf(source), 'document_id')} and ${column(edge, 'relation')} = ${sql.lit(
      c.layout.relationId(step.relation),
    )} and ${inTime(c, edge, 'inverse_position', edgeHasStatusOf(c, edge, owner))} and ${isShownVersion(c, owner, source)}${andVisible(c, step, owner)}`,
    source: owner,
    order: [column(edge, 'inverse_position'), column(edge, 'source')],
    isOrdered: true,
    isSingle: false,
  }
}

function entries(c: Compilation, step: Extract<Step, { kind: 'entries' }>, source: Source): StepRows {
  const alias = c.alias()
  const list =
    source.kind === 'row'
      ? column(source, columnOf(step.attribute))
      : sql`(${column(source, 'value')} -> 'n' -> ${sql.lit(step.attribute)})`
  return {
    from: c.dialect.entries(list, alias),
    on: sql`1 = 1`,
    source: { kind: 'entry', alias, row: rowSourceOf(source) },
    order: [column({ alias }, 'key')],
    isOrdered: true,
    isSingle: false,
  }
}

function localizations(
  c: Compilation,
  step: Extract<Step, { kind: 'localizations' }>,
  source: Source,
): StepRows {
  const here = rowSourceOf(source)
  const there = rootSource(c, typeOf(c.model, step.target), null, here.visits, here.level + 1)
  return {
    from: sql`${sql.table(there.type.table)} as ${sql.id(there.alias)}`,
    on: sql`${column(there, 'document_id')} = ${column(here, 'document_id')} and ${column(there, 'published')} = ${column(
      here,
      'published',
    )} and ${column(there, 'locale')} <> ${column(here, 'locale')}${andVisible(c, step, there)}`,
    source: there,
    order: [column(there, 'locale')],
    isOrdered: false,
    isSingle: false,
  }
}

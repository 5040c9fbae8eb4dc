/** Where a compiling plan stands: on a version row or on a component entry, and how it gets from there to others. */
import { type ContentType, type Model, typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { columnOf, EDGES, type Layout } from '../store/tables/layout.ts'
import type { Dialect } from './dialect.ts'
import { fieldType } from './field-type.ts'
import type { Condition, Field, Step } from './query-tree.ts'

/** What stays the same while one query is compiled. */
export interface Compilation {
  readonly dialect: Dialect
  readonly layout: Layout
  readonly model: Model
  readonly published: 0 | 1
  /** A new table alias. */
  alias(): string
  /** The SQL of a condition at a place. */
  condition(node: Condition, place: Source): Sql
}

export interface RowSource {
  readonly kind: 'row'
  readonly alias: string
  readonly type: ContentType
  /** How many relations lead here from the root. */
  readonly level: number
  /** The locale in which localized documents below are shown. */
  readonly locale: Sql
  /** Whether that locale is the same for all rows, so that it can be used where the row is not at hand. */
  readonly hasOneLocale: boolean
  /** What is joined to the rows of this place, never more than one row to each; none where nothing can be. */
  readonly joins?: Sql[]
}

interface EntrySource {
  readonly kind: 'entry'
  readonly alias: string
  /** The row of the document that the entry is part of. */
  readonly row: RowSource
}

export type Source = RowSource | EntrySource

/** The things at the end of a step: a FROM clause with its join condition, their place, and their own order. */
export interface StepRows {
  readonly from: Sql
  readonly on: Sql
  readonly source: Source
  readonly order: readonly Sql[]
  /** Whether the engine finds them in that order, by the index it reads. */
  readonly isOrdered: boolean
  /** Whether there is never more than one. */
  readonly isSingle: boolean
}

const rowSourceOf = (place: Source) => (place.kind === 'row' ? place : place.row)

export const column = (place: { readonly alias: string }, name: string) => sql.ref(`${place.alias}.${name}`)
export const entryMember = (place: EntrySource, name: string) =>
  sql`(${column(place, 'value')} ->> ${sql.lit(name)})`

/** The row of a type at the root; `locale` is the one that all of them have, when only one is asked for. */
export function rootSource(c: Compilation, type: ContentType, locale: Sql | null, level = 0): RowSource {
  const alias = c.alias()
  if (!type.localized)
    return { kind: 'row', alias, type, level, locale: sql`${c.model.locales.default}`, hasOneLocale: true }
  return {
    kind: 'row',
    alias,
    type,
    level,
    locale: locale ?? column({ alias }, 'locale'),
    hasOneLocale: locale !== null,
  }
}

/** The row of a type below another place, in whose locale it is shown. */
export function relatedSource(c: Compilation, type: ContentType, above: Source): RowSource {
  const { locale, hasOneLocale: oneLocale, level } = rowSourceOf(above)
  return { kind: 'row', alias: c.alias(), type, level: level + 1, locale, hasOneLocale: oneLocale }
}

const DEEP = 4

/**
 * What is asked of a place many relations away from the root. SQLite counts how deep expressions are nested, those of
 * all queries around them again at each level; a query in a FROM clause begins to count anew.
 */
export const limitDepth = (c: Compilation, place: Source, query: Sql): Sql =>
  rowSourceOf(place).level < DEEP || c.dialect.engine !== 'sqlite' ? query : sql`select * from (${query})`

/** Which version of a type is shown: the asked status, and the locale of the nearest localized document above. */
export function isShownVersion(c: Compilation, place: RowSource, above: Source): Sql {
  return sql`${hasShownStatus(c, place)} and ${column(place, 'locale')} = ${
    place.type.localized ? rowSourceOf(above).locale : sql.lit('')
  }`
}

/** Which versions of a type are of the asked status, in whatever locale. */
export const hasShownStatus = (c: Compilation, place: RowSource): Sql =>
  sql`${column(place, 'published')} = ${sql.lit(publishedFlag(c, place.type))}`

/** Types without drafts have published rows only. */
export const publishedFlag = (c: Compilation, type: ContentType) => (type.draftAndPublish ? c.published : 1)

/** The value of a scalar at a place. */
export function fieldValue(c: Compilation, place: Source, field: Field): Sql {
  if (place.kind === 'row') return column(place, field.column)
  if (field.type === 'id') return sql`cast(${entryMember(place, 'i')} as bigint)`
  if (field.column === 'document_id') return entryMember(place, 'd')
  return c.dialect.valueMember(entryMember(place, 's'), field)
}

/** The text of a scalar for comparisons of text: text as it is, anything else as its JSON. */
export function fieldText(c: Compilation, place: Source, field: Field): Sql {
  if (field.type === 'id') return sql`cast(${fieldValue(c, place, field)} as text)`
  switch (fieldType(field).comparedText) {
    case 'stored':
      return fieldValue(c, place, field)
    case 'cast':
      return sql`cast(${fieldValue(c, place, field)} as text)`
    case 'served':
      return c.dialect.jsonMember(servedFragment(place), field.name)
  }
}

/** The served fragment at a place. */
export const servedFragment = (place: Source) =>
  place.kind === 'row' ? column(place, 'served') : entryMember(place, 's')

/** Picks the edges that start at versions of the status shown: the index of targets has drafts and published ones apart. */
export const edgeHasStatusOf = (c: Compilation, edge: { readonly alias: string }, place: RowSource): Sql =>
  sql`${column(edge, 'published')} = ${sql.lit(publishedFlag(c, place.type))}`

/** Follows a step from a place. */
export function follow(c: Compilation, step: Step, place: Source): StepRows {
  switch (step.kind) {
    case 'edges':
      return step.direction === 'forward' ? forward(c, step, place) : backward(c, step, place)
    case 'entries':
      return entries(c, step, place)
    case 'localizations':
      return localizations(c, step, place)
  }
}

/** The condition that picks the edges of a relation that leave a place. */
export function isEdgeFrom(
  c: Compilation,
  edge: string,
  relation: Extract<Step, { kind: 'edges' }>['relation'],
  place: Source,
): Sql {
  const at = { alias: edge }
  return sql`${column(at, 'relation')} = ${sql.lit(c.layout.relationId(relation))} and ${column(at, 'source')} = ${column(
    rowSourceOf(place),
    'id',
  )} and ${column(at, 'entry')} = ${place.kind === 'row' ? sql.lit(0) : sql`cast(${entryMember(place, 'i')} as bigint)`}`
}

const andVisible = (c: Compilation, step: Exclude<Step, { kind: 'entries' }>, place: Source) =>
  step.visible ? sql` and ${c.condition(step.visible, place)}` : sql``

export type EdgeStep = Extract<Step, { kind: 'edges' }>

/** Whether a relation, followed forward, leads to one document at most. */
export function leadsToOne(
  c: Compilation,
  { relation: { type, component, attribute: name } }: EdgeStep,
): boolean {
  const attribute = component === null ? typeOf(c.model, type).attributes.get(name) : undefined
  return attribute?.kind === 'relation' && !attribute.many
}

/** Tables that are joined to the rows of a place at most: SQLite joins no more than 64. */
const MOST_JOINS = 16

/**
 * Where a step leads that leads to one document at most, joined to the rows of a place: SQLite then prepares its way
 * once, and not for each row. All columns are null where it leads nowhere. Null when it cannot be joined.
 */
export function joinOne(c: Compilation, step: Step, place: Source): RowSource | null {
  if (c.dialect.engine !== 'sqlite' || place.kind !== 'row' || !place.joins) return null
  if (step.kind !== 'edges' || step.direction !== 'forward' || !leadsToOne(c, step)) return null
  if (place.joins.length >= MOST_JOINS) return null
  const edge = { alias: c.alias() }
  const target = { ...relatedSource(c, typeOf(c.model, step.target), place), joins: place.joins }
  place.joins.push(
    sql`left join ${sql.table(EDGES)} as ${sql.id(edge.alias)} on ${isEdgeFrom(c, edge.alias, step.relation, place)}`,
    sql`left join ${sql.table(target.type.table)} as ${sql.id(target.alias)} on ${column(target, 'document_id')} = ${column(
      edge,
      'target',
    )} and ${isShownVersion(c, target, place)}${andVisible(c, step, target)}`,
  )
  return target
}

function forward(c: Compilation, step: EdgeStep, place: Source): StepRows {
  const edge = { alias: c.alias() }
  const target = relatedSource(c, typeOf(c.model, step.target), place)
  return {
    from: sql`${sql.table(EDGES)} as ${sql.id(edge.alias)} ${c.dialect.join} ${sql.table(target.type.table)} as ${sql.id(
      target.alias,
    )} on ${column(target, 'document_id')} = ${column(edge, 'target')}`,
    on: sql`${isEdgeFrom(c, edge.alias, step.relation, place)} and ${isShownVersion(c, target, place)}${andVisible(c, step, target)}`,
    source: target,
    order: [column(edge, 'position')],
    isOrdered: true,
    isSingle: leadsToOne(c, step),
  }
}

function backward(c: Compilation, step: EdgeStep, place: Source): StepRows {
  const edge = { alias: c.alias() }
  const owner = relatedSource(c, typeOf(c.model, step.target), place)
  return {
    from: sql`${sql.table(EDGES)} as ${sql.id(edge.alias)} ${c.dialect.join} ${sql.table(owner.type.table)} as ${sql.id(
      owner.alias,
    )} on ${column(owner, 'id')} = ${column(edge, 'source')}`,
    on: sql`${column(edge, 'target')} = ${column(rowSourceOf(place), 'document_id')} and ${column(edge, 'relation')} = ${sql.lit(
      c.layout.relationId(step.relation),
    )} and ${edgeHasStatusOf(c, edge, owner)} and ${isShownVersion(c, owner, place)}${andVisible(c, step, owner)}`,
    source: owner,
    order: [column(edge, 'inverse_position'), column(edge, 'source')],
    isOrdered: true,
    isSingle: false,
  }
}

function entries(c: Compilation, step: Extract<Step, { kind: 'entries' }>, place: Source): StepRows {
  const alias = c.alias()
  const list =
    place.kind === 'row'
      ? column(place, columnOf(step.attribute))
      : sql`(${column(place, 'value')} -> 'n' -> ${sql.lit(step.attribute)})`
  return {
    from: c.dialect.entries(list, alias),
    on: sql`1 = 1`,
    source: { kind: 'entry', alias, row: rowSourceOf(place) },
    order: [column({ alias }, 'key')],
    isOrdered: true,
    isSingle: false,
  }
}

function localizations(
  c: Compilation,
  step: Extract<Step, { kind: 'localizations' }>,
  place: Source,
): StepRows {
  const here = rowSourceOf(place)
  const there = rootSource(c, typeOf(c.model, step.target), null, here.level + 1)
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

/** The steps from one source to others: along the edges of a relation, to the entries of a component, to other locales. */
import { typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { columnOf, EDGES } from '../store/tables/layout.ts'
import type { EdgeStep, Step } from './query-tree.ts'
import {
  type Compilation,
  column,
  entryId,
  isShownVersion,
  publishedFlag,
  type RowSource,
  relatedSource,
  rootSource,
  rowSourceOf,
  type Source,
} from './sources.ts'
import { leadsToOne, visitsAfter } from './visits.ts'

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
  const isFromRow = sql`= ${column(rowSourceOf(source), 'id')}`
  return isEdgeOf(
    c,
    { alias: edge },
    relation,
    isFromRow,
    source.kind === 'row' ? sql.lit(0) : entryId(source),
  )
}

const isEdgeOf = (
  c: Compilation,
  edge: { readonly alias: string },
  relation: EdgeStep['relation'],
  isFrom: Sql,
  entry: Sql,
) =>
  sql`${column(edge, 'relation')} = ${sql.lit(c.layout.relationId(relation))} and ${column(edge, 'source')} ${isFrom} and ${column(edge, 'entry')} = ${entry}`

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

/** The rows that a relation leads to from any of the rows with these ids, and the edges that lead to them. */
export function followFromAll(
  c: Compilation,
  step: EdgeStep,
  source: RowSource,
  ids: Sql,
): StepRows & { readonly edge: { readonly alias: string } } {
  const edge = { alias: c.alias() }
  const isFrom = isEdgeOf(c, edge, step.relation, sql`= any (${ids})`, sql.lit(0))
  return { ...forwardAlong(c, step, source, edge, isFrom), edge }
}

function forward(c: Compilation, step: EdgeStep, source: Source): StepRows {
  const edge = { alias: c.alias() }
  return forwardAlong(c, step, source, edge, isEdgeFrom(c, edge.alias, step.relation, source))
}

function forwardAlong(
  c: Compilation,
  step: EdgeStep,
  source: Source,
  edge: { readonly alias: string },
  isFrom: Sql,
): StepRows {
  const target = relatedSource(
    c,
    typeOf(c.model, step.target),
    source,
    visitsAfter(c.model, step, rowSourceOf(source).visits),
  )
  const isSingle = leadsToOne(c.model, step)
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

/** Conditions on related rows, read from the far end: from the few rows that meet them back to those that lead there. */
import { typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { EDGES } from '../store/tables/layout.ts'
import { fieldType } from './field-type.ts'
import type { Condition, Step } from './query-tree.ts'
import {
  type Compilation,
  column,
  type EdgeStep,
  edgeHasStatusOf,
  isShownVersion,
  leadsToOne,
  limitDepth,
  type RowSource,
  relatedSource,
  type Source,
} from './sources.ts'

/** Whether few rows are likely to meet a condition: it asks for one value of something that has many. */
export function isSelective(node: Condition): boolean {
  switch (node.kind) {
    case 'compare':
    case 'text':
      return node.op === 'eq' && !fieldType(node.field).hasFewValues
    case 'in':
      return !fieldType(node.field).hasFewValues
    case 'documentOfRow':
      return true
    case 'and':
      return node.all.some(isSelective)
    case 'or':
      return node.all.length > 0 && node.all.every(isSelective)
    case 'through':
      return isSelective(node.where)
    default:
      return false
  }
}

/**
 * The rows from which a step leads to rows that meet a condition, as a list of ids: read from the far end, which is fast
 * when few rows there meet it. Null when the step cannot be read that way.
 */
export function isAmongOwnersOf(c: Compilation, step: Step, place: Source, where: Condition): Sql | null {
  if (step.kind !== 'edges' || place.kind !== 'row' || !place.hasOneLocale) return null
  const { from, tests, edge } = reverseJoin(c, step, place, where, 1)
  const [near, nearEnd] =
    step.direction === 'forward' ? (['id', 'source'] as const) : (['document_id', 'target'] as const)
  const list = sql`select ${column(edge, nearEnd)} from ${from} where ${sql.join(tests, ' and ')}`
  return c.dialect.isInList(column(place, near), limitDepth(c, place, list))
}

/**
 * The same as the FROM clause of a page: the edges that leave the rows, without a look at the rows themselves. Only
 * where the edges tell all that is asked, and no row twice; null elsewhere.
 */
export function pageFromEdges(c: Compilation, place: RowSource, where: Condition | null) {
  if (c.dialect.engine !== 'sqlite' || where?.kind !== 'through' || !isSelective(where.where)) return null
  const { step } = where
  // An edge knows the status of the row it leaves, but not its locale.
  if (step.kind !== 'edges' || step.direction !== 'forward' || place.type.localized) return null
  if (!leadsToOne(c, step)) return null
  const { from, tests, edge } = reverseJoin(c, step, place, where.where, 1)
  return { id: column(edge, 'source'), from, where: sql.join(tests, ' and ') }
}

/** Tables joined from the far end on, what is asked of them, and the edges that leave the place. */
interface ReverseJoin {
  readonly from: Sql
  readonly tests: readonly Sql[]
  readonly edge: { readonly alias: string }
}

function reverseJoin(
  c: Compilation,
  step: EdgeStep,
  place: RowSource,
  where: Condition,
  joined: number,
): ReverseJoin {
  const edge = { alias: c.alias() }
  const far = relatedSource(c, typeOf(c.model, step.target), place)
  const [farKey, farEnd] =
    step.direction === 'forward' ? (['document_id', 'target'] as const) : (['id', 'source'] as const)
  const next = joined < MOST_JOINED ? nextJoin(c, where) : null
  const beyond = next && reverseJoin(c, next.step, far, next.where, joined + 1)
  const { join } = c.dialect
  const farTable = sql`${sql.table(far.type.table)} as ${sql.id(far.alias)}`
  const farRows = beyond
    ? sql`${beyond.from} ${join} ${farTable} on ${column(far, 'id')} = ${column(beyond.edge, 'source')}`
    : farTable
  const rest = next ? next.rest : [where]
  // A row that an edge leaves has the status that the edge tells. Nor is its entry asked for: only relations of
  // components leave entries, and those have numbers of their own.
  const isShown = beyond && !far.type.localized ? [] : [isShownVersion(c, far, place)]
  return {
    edge,
    from: sql`${farRows} ${join} ${sql.table(EDGES)} as ${sql.id(edge.alias)} on ${column(edge, farEnd)} = ${column(far, farKey)}`,
    tests: [
      ...(beyond?.tests ?? []),
      sql`${column(edge, 'relation')} = ${sql.lit(c.layout.relationId(step.relation))}`,
      edgeHasStatusOf(c, edge, step.direction === 'forward' ? place : far),
      ...isShown,
      ...[...(step.visible ? [step.visible] : []), ...rest].map((node) => c.condition(node, far)),
    ],
  }
}

/** SQLite joins no more than 64 tables, two for each step. */
const MOST_JOINED = 8

interface NextJoin {
  readonly step: EdgeStep
  readonly where: Condition
  /** What else is asked of the rows between. */
  readonly rest: readonly Condition[]
}

/**
 * The part of a condition that goes on to other rows and can be joined: one to which each row has at most one way, or
 * rows would be met again and again. Null when there is none, or the engine had better not be told how to join.
 */
function nextJoin(c: Compilation, where: Condition): NextJoin | null {
  if (c.dialect.engine !== 'sqlite') return null
  const parts = where.kind === 'and' ? where.all : [where]
  for (const part of parts) {
    if (part.kind !== 'through' || part.step.kind !== 'edges' || !isSelective(part.where)) continue
    const { step } = part
    if (step.direction === 'forward' && leadsToOne(c, step))
      return { step, where: part.where, rest: parts.filter((one) => one !== part) }
  }
  return null
}

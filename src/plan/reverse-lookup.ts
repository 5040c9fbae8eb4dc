/** Conditions on related rows, evaluated in reverse: from the few related rows that match back to the rows that refer to them. */
import { typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { EDGES } from '../store/tables/layout.ts'
import { fieldType } from './field-type.ts'
import type { Condition, Query, Step } from './query-tree.ts'
import {
  type Compilation,
  column,
  type EdgeStep,
  edgeHasStatusOf,
  isShownVersion,
  leadsToOne,
  limitDepth,
  type PageRows,
  type RowSource,
  relatedSource,
  type Source,
} from './sources.ts'

/** Whether few rows are likely to match: the condition compares with one value of a field that has many. */
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
 * Whether a row is among those from which a step leads to matching rows. The list of ids is made from the matching rows,
 * which is fast when there are few. Null when the step cannot be reversed.
 */
export function isAmongOwnersOf(c: Compilation, step: Step, source: Source, where: Condition): Sql | null {
  if (step.kind !== 'edges' || source.kind !== 'row' || !source.hasOneLocale) return null
  const { from, tests, edge } = reverseJoin(c, step, source, where, 1)
  const [near, nearEnd] =
    step.direction === 'forward' ? (['id', 'source'] as const) : (['document_id', 'target'] as const)
  const list = sql`select ${column(edge, nearEnd)} from ${from} where ${sql.join(tests, ' and ')}`
  return c.dialect.isInList(column(source, near), limitDepth(c, source, list))
}

/**
 * The rows of a page, selected by edges instead of the rows that they start from. Null unless the edges suffice to select
 * the rows, and select none of them twice.
 */
export function rowsFromEdges(c: Compilation, { where, sort }: Query, source: RowSource): PageRows | null {
  if (sort.length > 0 || !c.dialect.keepsJoinOrder || where?.kind !== 'through' || !isSelective(where.where))
    return null
  const { step } = where
  // An edge has the status of the row it starts from, but not its locale.
  if (step.kind !== 'edges' || step.direction !== 'forward' || source.type.localized) return null
  if (!leadsToOne(c, step)) return null
  const { from, tests, edge } = reverseJoin(c, step, source, where.where, 1)
  const id = column(edge, 'source')
  return { id, from, where: sql.join(tests, ' and '), order: [id], unchecked: () => [] }
}

/** The joined tables from the matching rows to the edges that start from the source, and their conditions. */
interface ReverseJoin {
  readonly from: Sql
  readonly tests: readonly Sql[]
  readonly edge: { readonly alias: string }
}

function reverseJoin(
  c: Compilation,
  step: EdgeStep,
  source: RowSource,
  where: Condition,
  joined: number,
): ReverseJoin {
  const edge = { alias: c.alias() }
  const far = relatedSource(c, typeOf(c.model, step.target), source)
  const [farKey, farEnd] =
    step.direction === 'forward' ? (['document_id', 'target'] as const) : (['id', 'source'] as const)
  const next = joined < MAX_JOINED_STEPS ? nextJoin(c, where) : null
  const beyond = next && reverseJoin(c, next.step, far, next.where, joined + 1)
  const { join } = c.dialect
  const farTable = sql`${sql.table(far.type.table)} as ${sql.id(far.alias)}`
  const farRows = beyond
    ? sql`${beyond.from} ${join} ${farTable} on ${column(far, 'id')} = ${column(beyond.edge, 'source')}`
    : farTable
  const rest = next ? next.rest : [where]
  // A row has the status of its edges. The entry is not compared, because relations of components, which are the only ones
  // that start from entries, have their own relation ids.
  const isShown = beyond && !far.type.localized ? [] : [isShownVersion(c, far, source)]
  return {
    edge,
    from: sql`${farRows} ${join} ${sql.table(EDGES)} as ${sql.id(edge.alias)} on ${column(edge, farEnd)} = ${column(far, farKey)}`,
    tests: [
      ...(beyond?.tests ?? []),
      sql`${column(edge, 'relation')} = ${sql.lit(c.layout.relationId(step.relation))}`,
      edgeHasStatusOf(c, edge, step.direction === 'forward' ? source : far),
      ...isShown,
      ...[...(step.visible ? [step.visible] : []), ...rest].map((node) => c.condition(node, far)),
    ],
  }
}

/** SQLite joins at most 64 tables, two for each step. */
const MAX_JOINED_STEPS = 8

interface NextJoin {
  readonly step: EdgeStep
  readonly where: Condition
  /** The other conditions on the rows in between. */
  readonly rest: readonly Condition[]
}

/**
 * The part of a condition that follows another relation and can be joined. It must be a to-one relation, or the join would
 * repeat rows. Null when there is none, or the engine chooses the join order itself.
 */
function nextJoin(c: Compilation, where: Condition): NextJoin | null {
  if (!c.dialect.keepsJoinOrder) return null
  const parts = where.kind === 'and' ? where.all : [where]
  for (const part of parts) {
    if (part.kind !== 'through' || part.step.kind !== 'edges' || !isSelective(part.where)) continue
    const { step } = part
    if (step.direction === 'forward' && leadsToOne(c, step))
      return { step, where: part.where, rest: parts.filter((one) => one !== part) }
  }
  return null
}

/** Conditions on related rows, evaluated in reverse: from the few related rows that match back to the rows that refer to them. */
import { typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { EDGES } from '../store/tables/layout.ts'
import { fieldType } from './field-type.ts'
import type { Condition, EdgeStep, Query, Step } from './query-tree.ts'
import {
  type Compilation,
  column,
  entryId,
  hasShownStatus,
  isShownVersion,
  limitDepth,
  type PageRows,
  type RowSource,
  relatedSource,
  rootSource,
  rowSourceOf,
  type Source,
} from './sources.ts'
import { edgeHasStatusOf, inTime } from './steps.ts'
import { leadsToOne, type Visits } from './visits.ts'

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
 * Whether a row or entry is among those from which a relation leads to matching rows. The list of them is made once, from
 * the matching rows, each of which is visited once: this is fast when there are few, or when the same rows would be visited
 * by many paths.
 */
export function isAmongOwnersOf(
  c: Compilation,
  step: EdgeStep,
  source: Source,
  where: Condition,
  negated = false,
): Sql {
  const isPerLocale = dependsOnLocale(c, step, source, readsLocalized(c, where))
  const { from, tests, edge, far } = reverseJoin(c, step, source, where, { negated, isPerLocale })
  const { keys, ends } = nearKeys(step, source, edge)
  const values = [...keys, ...(isPerLocale ? [rowSourceOf(source).locale] : [])]
  const listed = sql.join([...ends, ...(isPerLocale ? [far.locale] : [])])
  const owners = sql`select ${listed} from ${from} where ${sql.join(tests, ' and ')}`
  const query = limitDepth(c, source, owners)
  const [value] = values
  if (!value || values.length > 1) return c.dialect.isInTuples(values, query)
  return !negated && isSelective(where)
    ? c.dialect.isInShortList(value, query)
    : c.dialect.isInList(value, query)
}

/**
 * Whether a list of owners has to be made for each locale, because the rows have different ones, and the documents at the
 * end of the step or beyond it depend on them.
 */
export const dependsOnLocale = (
  c: Compilation,
  step: EdgeStep,
  source: Source,
  isLocalizedBeyond: boolean,
): boolean => rowSourceOf(source).localizedBy !== null && (isLocalizedBeyond || leadsToLocalized(c, step))

/** Whether a step leads to localized documents, or depends on some. */
export const leadsToLocalized = (c: Compilation, step: Step): boolean =>
  step.kind !== 'entries' &&
  (typeOf(c.model, step.target).localized || (step.visible !== null && readsLocalized(c, step.visible)))

/** Whether a condition leads to localized documents, so that it depends on the locale in which it is evaluated. */
function readsLocalized(c: Compilation, node: Condition): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.all.some((part) => readsLocalized(c, part))
    case 'not':
      return readsLocalized(c, node.of)
    case 'through':
      return leadsToLocalized(c, node.step) || readsLocalized(c, node.where)
    case 'some':
      return leadsToLocalized(c, node.step)
    default:
      return false
  }
}

/** What identifies a row or entry at the near end of a step, and the columns of the edge that refer to it. */
function nearKeys(step: EdgeStep, source: Source, edge: { readonly alias: string }) {
  const row = rowSourceOf(source)
  if (step.direction === 'backward')
    return { keys: [column(row, 'document_id')], ends: [column(edge, 'target')] }
  return source.kind === 'row'
    ? { keys: [column(row, 'id')], ends: [column(edge, 'source')] }
    : { keys: [column(row, 'id'), entryId(source)], ends: [column(edge, 'source'), column(edge, 'entry')] }
}

/**
 * The rows of a query, selected by edges instead of the rows that they start from. Null unless the edges suffice to select
 * the rows, and select none of them twice.
 */
export function rowsFromEdges(c: Compilation, { where }: Query, source: RowSource): PageRows | null {
  if (where?.kind !== 'through' || !isSelective(where.where)) return null
  const { step } = where
  // An edge has the status of the row it starts from, but not its locale.
  if (step.kind !== 'edges' || step.direction !== 'forward' || source.type.localized) return null
  if (!leadsToOne(c.model, step)) return null
  const { from, tests, edge } = reverseJoin(c, step, source, where.where)
  const id = c.dialect.unplannedId(column(edge, 'source'))
  return {
    id,
    from,
    where: sql.join(tests, ' and '),
    order: [id],
    unchecked: () => [],
  }
}

/** The joined tables from the matching rows to the edges that start from the source, and their conditions. */
interface ReverseJoin {
  readonly from: Sql
  readonly tests: readonly Sql[]
  readonly edge: { readonly alias: string }
  readonly far: RowSource
}

interface ReverseJoinOptions {
  /** Whether the rows must not match. */
  readonly negated?: boolean
  /** Whether rows are joined for each locale, instead of that of the source. */
  readonly isPerLocale?: boolean
  /** The number of steps joined so far. */
  readonly joined?: number
}

/** Joins the rows at the end of a step that match, and the edges that lead to them. */
export function reverseJoin(
  c: Compilation,
  step: EdgeStep,
  source: Source,
  where: Condition,
  { negated = false, isPerLocale = false, joined = 1 }: ReverseJoinOptions = {},
): ReverseJoin {
  const edge = { alias: c.alias() }
  const visits = !negated && isSelective(where) ? 'few' : 'some'
  const { far, locales } = farRows(c, step, source, visits, isPerLocale)
  const [farKey, farEnd] =
    step.direction === 'forward' ? (['document_id', 'target'] as const) : (['id', 'source'] as const)
  const next = joined < MAX_JOINED_STEPS && !negated ? nextJoin(c, where) : null
  const beyond = next && reverseJoin(c, next.step, far, next.where, { joined: joined + 1 })
  const { join } = c.dialect
  const farTable = sql`${locales}${sql.table(far.type.table)} as ${sql.id(far.alias)}`
  const rows = beyond
    ? sql`${beyond.from} ${join} ${farTable} on ${column(far, 'id')} = ${column(beyond.edge, 'source')}`
    : farTable
  const rest = next ? next.rest : [where]
  const isShown = isPerLocale && far.type.localized ? hasShownStatus(c, far) : isShownVersion(c, far, source)
  return {
    edge,
    far,
    from: sql`${rows} ${join} ${sql.table(EDGES)} as ${sql.id(edge.alias)} on ${column(edge, farEnd)} = ${column(far, farKey)}`,
    tests: [
      ...(beyond?.tests ?? []),
      sql`${column(edge, 'relation')} = ${sql.lit(c.layout.relationId(step.relation))}`,
      inTime(
        c,
        edge,
        'inverse_position',
        edgeHasStatusOf(c, edge, step.direction === 'forward' ? rowSourceOf(source) : far),
      ),
      // A row has the status of its edges. The entry is not compared, because relations of components, which are the only
      // ones that start from entries, have their own relation ids.
      ...(beyond && !far.type.localized ? [] : [isShown]),
      ...(step.visible ? [c.condition(step.visible, far)] : []),
      ...rest.map((node) => c.condition(node, far, negated)),
    ],
  }
}

/** The rows at the far end of a step, where a list starts, and the locales that they are joined to. */
function farRows(
  c: Compilation,
  step: EdgeStep,
  above: Source,
  visits: Visits,
  isPerLocale: boolean,
): { readonly far: RowSource; readonly locales: Sql } {
  const type = typeOf(c.model, step.target)
  const { level, localizedBy } = rowSourceOf(above)
  if (isPerLocale && type.localized)
    return { far: rootSource(c, type, null, visits, level + 1), locales: sql`` }
  const far = relatedSource(c, type, above, visits)
  if (!isPerLocale || !localizedBy) return { far, locales: sql`` }
  const locales = { alias: c.alias() }
  return {
    far: { ...far, locale: column(locales, 'locale') },
    locales: sql`(select distinct locale from ${sql.table(localizedBy.table)}) as ${sql.id(locales.alias)} cross join `,
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
    if (step.direction === 'forward' && leadsToOne(c.model, step))
      return { step, where: part.where, rest: parts.filter((one) => one !== part) }
  }
  return null
}

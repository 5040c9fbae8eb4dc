/** Compiles the values by which documents are sorted, of their own and through relations, to SQL. */
import { type Sql, sql } from '../../store/sql.ts'
import type { Condition, EdgeStep, Sort, Step } from '../query-tree.ts'
import { dependsOnLocale, leadsToLocalized, reverseJoin } from '../reverse-lookup.ts'
import { type Compilation, column, fieldValue, limitDepth, type RowSource, type Source } from '../sources.ts'
import { follow, MAX_JOINS } from '../steps.ts'
import { leadsToMany, visitsAfter } from '../visits.ts'
import { scoreOf } from './score.ts'
import { indexedPrefix, type SortExpression } from './text-prefix.ts'

/** The values that a sort compares. */
export function sortValues(c: Compilation, sort: readonly Sort[], source: Source): SortExpression[] {
  return sort.map((term) => ({
    value: term.score ? scoreOf(c, term.score, source) : sortValue(c, term.steps, term, source),
    descending: term.descending,
    nullable: !term.score && (term.steps.length > 0 || term.field.type !== 'id'),
    prefix: term.steps.length > 0 ? null : indexedPrefix(c, source, term.field),
    ...(term.score && { isComputed: true }),
  }))
}

/** The terms of ORDER BY. */
export function sortTerms(c: Compilation, sort: readonly Sort[], source: Source): Sql[] {
  return sortValues(c, sort, source).map((term) => c.dialect.order(term.value, term.descending))
}

/** Of several related values, the smallest counts when ascending and the largest when descending. */
function sortValue(c: Compilation, steps: readonly Step[], term: Sort, source: Source): Sql {
  const [step, ...rest] = steps
  if (!step) return fieldValue(c, source, term.field)
  const joined = joinedValue(c, step, rest, term, source)
  if (joined) return joined
  const stepRows = follow(c, step, source)
  const joins: Sql[] = []
  const beyond = stepRows.source.kind === 'row' ? { ...stepRows.source, joins } : stepRows.source
  const inner = sortValue(c, rest, term, beyond)
  const found = sql`select ${bestOf(term)}(${inner}) from ${stepRows.from} ${sql.join(joins, ' ')} where ${stepRows.on}`
  return sql`(${limitDepth(c, stepRows.source, found)})`
}

const bestOf = ({ descending }: Sort) => (descending ? sql`max` : sql`min`)

/**
 * The same as a table that is made once, with a value for each row that has related ones, and joined to the rows. It visits
 * each related row once where a subquery for each row would visit it by every path. Null where that makes no difference.
 */
function joinedValue(
  c: Compilation,
  step: Step,
  rest: readonly Step[],
  term: Sort,
  source: Source,
): Sql | null {
  if (step.kind !== 'edges' || source.kind !== 'row') return null
  if (!source.joins || source.joins.length >= MAX_JOINS || !isFasterJoined(c, step, rest, source)) return null
  const isLocalizedBeyond = rest.some((next) => leadsToLocalized(c, next))
  const isPerLocale = dependsOnLocale(c, step, source, isLocalizedBeyond)
  const values = { alias: c.alias() }
  const { from, tests, edge, far } = reverseJoin(c, step, source, EVERY_ROW, { isPerLocale })
  const joins: Sql[] = []
  // The value is computed for each edge.
  const value = sortValue(c, rest, term, { ...far, visits: 'perPath', joins })
  const [key, end] =
    step.direction === 'forward' ? (['id', 'source'] as const) : (['document_id', 'target'] as const)
  const keys = [
    { name: 'k', of: column(source, key), value: column(edge, end) },
    ...(isPerLocale ? [{ name: 'l', of: source.locale, value: far.locale }] : []),
  ]
  const selected = keys.map((one) => sql`${one.value} as ${sql.id(one.name)}`)
  const isSame = keys.map((one) => sql`${column(values, one.name)} = ${one.of}`)
  source.joins.push(
    sql`left join (select ${sql.join(selected)}, ${bestOf(term)}(${value}) as v from ${from} ${sql.join(joins, ' ')}
      where ${sql.join(tests, ' and ')} group by ${sql.join(keys.map((one) => one.value))}) as ${sql.id(values.alias)}
      on ${sql.join(isSame, ' and ')}`,
  )
  return column(values, 'v')
}

const EVERY_ROW: Condition = { kind: 'and', all: [] }

/**
 * Whether the rows at the end of a step, or beyond it, are visited by paths that multiply, or every row is sorted by related
 * ones: then the table takes a twentieth of the time of subqueries on PostgreSQL, and no longer on SQLite.
 */
function isFasterJoined(
  { model }: Compilation,
  step: EdgeStep,
  rest: readonly Step[],
  { visits }: RowSource,
): boolean {
  const isMany = (one: Step) => leadsToMany(model, one)
  if ((visits === 'all' || visits === 'perPath') && isMany(step)) return true
  return visitsAfter(model, step, visits) === 'perPath' && rest.some(isMany)
}

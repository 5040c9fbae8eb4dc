/** Finds the related documents of all rows of a page together. */
import { type Sql, sql } from '../../store/sql.ts'
import { all, condition } from '../conditions.ts'
import type { Condition, Populate } from '../query-tree.ts'
import { sortTerms } from '../sort/sort-values.ts'
import { type Compilation, column, type Source } from '../sources.ts'
import { followFromAll, type StepRows } from '../steps.ts'
import { type Json, jsonExpression, jsonList } from './json-text.ts'

/** The planner tries the possible orders of the joins. */
const MAX_GROUPS = 8

/**
 * The JSON of the related documents of a row, from a join of the page with the related documents of all its rows. Null where
 * that is not possible.
 */
export function groupRelated(
  c: Compilation,
  source: Source,
  { step, many, where, sort, limit, start }: Extract<Populate, { kind: 'related' }>,
  jsonOf: (target: Source) => Json,
): Sql | null {
  if (source.kind !== 'row' || !source.ids || !source.joins || source.joins.length >= MAX_GROUPS) return null
  // Where the rows have different locales, those of the related documents depend on the row.
  if (source.localizedBy !== null || limit !== null || start !== null) return null
  if (step.kind !== 'edges' || step.direction !== 'forward') return null
  const rows = followFromAll(c, step, source, source.ids)
  if (!many && !rows.isSingle) return null
  const json = jsonOf(rows.source)
  const order = [...sortTerms(c, sort, rows.source), ...rows.order]
  const each = many ? jsonList(c, json, order, false) : jsonExpression(c, json)
  const from = column(rows.edge, 'source')
  const group = { alias: c.alias() }
  const related = sql`select ${from} as source, ${each} as j from ${rows.from} where ${filtered(c, rows, where)}${
    many ? sql` group by ${from}` : sql``
  }`
  source.joins.push(
    sql`left join (${related}) as ${sql.id(group.alias)} on ${column(group, 'source')} = ${column(source, 'id')}`,
  )
  return sql`coalesce(${column(group, 'j')}, ${sql.lit(many ? '[]' : 'null')})`
}

/** Selects the rows of a step that match. */
export const filtered = (c: Compilation, stepRows: StepRows, where: Condition | null): Sql =>
  all([stepRows.on, ...(where ? [condition(c, where, stepRows.source)] : [])])

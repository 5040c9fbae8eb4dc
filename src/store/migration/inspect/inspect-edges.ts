/** Finds the edges that a changed relation or media attribute would lose. Reads only. */
import type { Attribute, EdgeAttribute } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import { EDGES } from '../../tables/layout.ts'
import type { MatchedShape } from '../plan/change.ts'
import { type AffectedRows, findRows, NO_ROWS } from './affected-rows.ts'
import { type InspectionContext, relationIdsOf } from './inspection-context.ts'

/** All edges of an attribute, counted as rows. */
export async function findEdges(
  context: InspectionContext,
  on: MatchedShape,
  attribute: Attribute,
): Promise<AffectedRows> {
  const relations = relationIdsOf(context, on, attribute)
  if (relations.length === 0) return NO_ROWS
  const isOfAttribute = sql`relation IN (${sql.join(relations.map((id) => sql.lit(id)))})`
  return countEdges(context, on, isOfAttribute)
}

/** The edges beyond what the changed attribute allows, counted as rows. */
export async function findSurplusEdges(
  context: InspectionContext,
  on: MatchedShape,
  from: EdgeAttribute,
  to: EdgeAttribute,
): Promise<AffectedRows> {
  const table = on.kind === 'type' ? on.previous.table : null
  const surplus = relationIdsOf(context, on, from).map(
    (relation) => sql`(relation = ${relation} AND ${isSurplusEdge(relation, to, table)})`,
  )
  return surplus.length === 0 ? NO_ROWS : countEdges(context, on, sql`(${sql.join(surplus, ' OR ')})`)
}

/** Documents are named only if all edges start in one table. */
async function countEdges(
  { read }: InspectionContext,
  on: MatchedShape,
  condition: Sql,
): Promise<AffectedRows> {
  const edges = sql`${sql.table(EDGES)} AS edge WHERE ${condition}`
  // Row ids are unique within a table only; each relation id belongs to one.
  const [counts] = await read(
    sql`SELECT count(*) AS rows,
      (SELECT count(*) FROM (SELECT DISTINCT relation, source FROM ${edges}) AS owners) AS sources FROM ${edges}`,
  )
  const found = { rows: Number(counts?.rows), affected: Number(counts?.sources), documents: [] }
  if (found.rows === 0) return NO_ROWS
  if (on.kind === 'component') return found
  const owners = await findRows(read, on.previous.table, sql`id IN (SELECT source FROM ${edges})`)
  return { ...owners, rows: found.rows }
}

/** The SQL condition under which `edge` is not the first of its owner, or not the first to its target. */
export function isSurplusEdge(relation: number, to: EdgeAttribute, table: string | null): Sql {
  const edges = sql.table(EDGES)
  const conditions: Sql[] = []
  if (to.kind === 'media' || !to.many) {
    conditions.push(sql`EXISTS (SELECT 1 FROM ${edges} AS other WHERE other.relation = ${relation}
      AND other.source = edge.source AND other.entry = edge.entry
      AND (other.position < edge.position OR (other.position = edge.position AND other.target < edge.target)))`)
  }
  if (to.kind === 'relation' && to.exclusive && table !== null) {
    conditions.push(sql`EXISTS (SELECT 1 FROM ${edges} AS other
      JOIN ${sql.table(table)} AS theirs ON theirs.id = other.source
      JOIN ${sql.table(table)} AS ours ON ours.id = edge.source
      WHERE other.relation = ${relation} AND other.target = edge.target
        AND theirs.published = ours.published AND theirs.locale = ours.locale
        AND (other.inverse_position < edge.inverse_position
          OR (other.inverse_position = edge.inverse_position AND other.source < edge.source)))`)
  }
  return sql`(${sql.join(conditions, ' OR ')})`
}

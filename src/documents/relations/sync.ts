/**
 * Publishing and discarding on the inverse side: the owners' rows of one status get the edges to the document that their
 * rows of the other status have. Owners that have only one of the two versions stay as they are.
 */
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import { EDGES } from '../../store/tables/layout.ts'
import { checkRules } from '../row-rules.ts'
import type { Inverse } from '../rows/blueprint.ts'
import { placeholder, statement } from '../rows/statement.ts'
import { type WriteContext, writtenOf } from '../write-context.ts'
import { type OwnerEdge, ownerLocale, storeOwnerEdges } from './owners.ts'

/** The status of the rows that are changed. */
export type SyncedStatus = 'draft' | 'published'

/**
 * Gives the owners' rows of one status the edges to the document that the rows of the other status have. Returns whether
 * that has changed anything.
 */
export async function syncInverses(context: WriteContext, status: SyncedStatus): Promise<boolean> {
  const found = await differences(context, status)
  if (found.length === 0) return false
  context.locks.acquireMore(found.map(({ owner }) => owner))
  const locked = await differences(context, status)
  for (const [inverse, edges] of Map.groupBy(locked, (one) => one.inverse)) {
    await checkOwners(context, inverse, edges)
    storeOwnerEdges(context, inverse, edges)
    await checkOwners(context, inverse, edges)
  }
  return true
}

/** Publishing a list publishes the relation of every owner that it adds or removes; discarding it updates their drafts. */
async function checkOwners(context: WriteContext, inverse: Inverse, edges: readonly OwnerEdge[]) {
  const locale = ownerLocale(context, inverse)
  for (const { owner, published } of edges.filter(({ had, has }) => had !== has))
    await checkRules(
      context,
      inverse.owner,
      published ? [] : ['update'],
      writtenOf(owner, { locale, published }),
      published,
    )
}

/** Whether `syncInverses` would change anything now. */
export const areInversesOutOfSync = async (context: WriteContext, status: SyncedStatus) =>
  (await differences(context, status)).length > 0

interface Difference extends OwnerEdge {
  readonly inverse: Inverse
}

async function differences(context: WriteContext, status: SyncedStatus): Promise<readonly Difference[]> {
  const { transaction, blueprint, documentId } = context
  const { type } = blueprint
  const inverses = [...blueprint.inverses.values()].filter(({ owner }) => owner.draftAndPublish)
  if (!type.draftAndPublish || inverses.length === 0) return []
  const edges = sql.table(EDGES)
  const parts = (inverse: Inverse, index: number) => {
    const table = sql.table(inverse.owner.table)
    const sameVersion = sql`t.document_id = f.document_id and t.locale = f.locale`
    // f (from) and t (to) are the owner's rows of the two statuses; d and e are their edges.
    const where = (
      edge: 'd' | 'e',
    ) => sql`${sql.id(edge)}.target = ${placeholder} and ${sql.id(edge)}.relation = ${placeholder}
      and f.locale = ${placeholder}
      and f.published = ${sql.lit(status === 'published' ? 0 : 1)} and t.published = ${sql.lit(status === 'published' ? 1 : 0)}`
    const isPositionTaken = sql`exists (select 1 from ${edges} as x where x.relation = d.relation and x.source = t.id
      and x.entry = 0 and x.position = d.position)`
    return [
      sql`select ${sql.lit(index)} as n, t.id as source, f.document_id as owner,
          case when e.target is null then 0 else 1 end as had, 1 as has,
          case when e.target is not null then e.position when ${isPositionTaken} then null else d.position end as position,
          d.inverse_position as inverse_position
        from ${edges} as d join ${table} as f on f.id = d.source join ${table} as t on ${sameVersion}
        left join ${edges} as e on e.relation = d.relation and e.source = t.id and e.entry = 0 and e.target = d.target
        where ${where('d')} and (e.target is null or e.inverse_position <> d.inverse_position)`,
      sql`select ${sql.lit(index)} as n, t.id as source, f.document_id as owner, 1 as had, 0 as has,
          e.position as position, e.inverse_position as inverse_position
        from ${edges} as e join ${table} as t on t.id = e.source join ${table} as f on ${sameVersion}
        left join ${edges} as d on d.relation = e.relation and d.source = f.id and d.entry = 0 and d.target = e.target
        where ${where('e')} and d.target is null`,
    ]
  }
  const build = () => sql.join(inverses.flatMap(parts), ' union all ')
  const parameters = inverses.flatMap((inverse) => {
    const values = [documentId, inverse.relation, ownerLocale(context, inverse)]
    return [...values, ...values]
  })
  const shape = `differences|${blueprint.key}|${status}`
  const rows = await transaction.all(statement(transaction.dialect, shape, build, parameters))
  return rows.flatMap((row) => {
    const inverse = inverses[Number(row.n)]
    return inverse ? [{ inverse, published: status === 'published', ...differenceFrom(row) }] : []
  })
}

const differenceFrom = (row: Row) => ({
  source: Number(row.source),
  owner: String(row.owner),
  had: row.had === 1,
  has: row.has === 1,
  position: row.position === null ? null : Number(row.position),
  inversePosition: Number(row.inverse_position),
})

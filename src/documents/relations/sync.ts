/**
 * Publishing and discarding on the inverse side: the owners' rows of one status are made to show a document what
 * those of the other status show it. Owners that have one of the two only are left as they are.
 */
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { Locks } from '../locks.ts'
import type { Inverse } from '../rows/blueprint.ts'
import { place, statement } from '../rows/statement.ts'
import { type OwnerEdge, ownerLocale, type Seen, storeOwnerEdges } from './owners.ts'

export type To = 'draft' | 'published'

/** Makes the owners' rows of one status show to the document what those of the other status show. */
export async function syncInverses(transaction: Transaction, locks: Locks, seen: Seen, to: To) {
  const found = await differences(transaction, seen, to)
  if (found.length === 0) return
  locks.add(found.map(({ owner }) => owner))
  const locked = await differences(transaction, seen, to)
  for (const inverse of new Set(locked.map((one) => one.of))) {
    const own = locked.filter((one) => one.of === inverse)
    storeOwnerEdges(transaction, seen, inverse, own)
  }
}

/** Whether there is anything to do for `syncInverses` as things stand now. */
export const areInversesOutOfSync = async (transaction: Transaction, seen: Seen, to: To) =>
  (await differences(transaction, seen, to)).length > 0

interface Difference extends OwnerEdge {
  readonly of: Inverse
}

async function differences(transaction: Transaction, seen: Seen, to: To): Promise<readonly Difference[]> {
  const { type } = seen.blueprint
  const inverses = [...seen.blueprint.inverses.values()].filter(({ owner }) => owner.draftAndPublish)
  if (!type.draftAndPublish || inverses.length === 0) return []
  const edges = sql.table(EDGES)
  const parts = (inverse: Inverse, index: number) => {
    const table = sql.table(inverse.owner.table)
    const twins = sql`t.document_id = f.document_id and t.locale = f.locale`
    // f and t are the rows of an owner that the order is taken from and brought to; d and e their edges.
    const where = (
      edge: 'd' | 'e',
    ) => sql`${sql.id(edge)}.target = ${place} and ${sql.id(edge)}.relation = ${place}
      and f.locale = ${place}
      and f.published = ${sql.lit(to === 'published' ? 0 : 1)} and t.published = ${sql.lit(to === 'published' ? 1 : 0)}`
    const taken = sql`exists (select 1 from ${edges} as x where x.relation = d.relation and x.source = t.id
      and x.entry = 0 and x.position = d.position)`
    return [
      sql`select ${sql.lit(index)} as n, t.id as source, f.document_id as owner,
          case when e.target is null then 0 else 1 end as had, 1 as has,
          case when e.target is not null then e.position when ${taken} then null else d.position end as position,
          d.inverse_position as inverse_position
        from ${edges} as d join ${table} as f on f.id = d.source join ${table} as t on ${twins}
        left join ${edges} as e on e.relation = d.relation and e.source = t.id and e.entry = 0 and e.target = d.target
        where ${where('d')} and (e.target is null or e.inverse_position <> d.inverse_position)`,
      sql`select ${sql.lit(index)} as n, t.id as source, f.document_id as owner, 1 as had, 0 as has,
          e.position as position, e.inverse_position as inverse_position
        from ${edges} as e join ${table} as t on t.id = e.source join ${table} as f on ${twins}
        left join ${edges} as d on d.relation = e.relation and d.source = f.id and d.entry = 0 and d.target = e.target
        where ${where('e')} and d.target is null`,
    ]
  }
  const build = () => sql.join(inverses.flatMap(parts), ' union all ')
  const parameters = inverses.flatMap((inverse) => {
    const own = [seen.documentId, inverse.relation, ownerLocale(seen, inverse)]
    return [...own, ...own]
  })
  const shape = `differences|${type.uid}|${inverses.map(({ owner }) => owner.table).join()}|${to}`
  const rows = await transaction.all(statement(transaction.dialect, shape, build, parameters))
  return rows.flatMap((row) => {
    const of = inverses[Number(row.n)]
    return of ? [{ of, published: to === 'published', ...differenceFrom(row) }] : []
  })
}

const differenceFrom = (row: Row) => ({
  source: Number(row.source),
  owner: String(row.owner),
  had: row.had === 1,
  has: row.has === 1,
  position: row.position === null ? null : Number(row.position),
  inverse: Number(row.inverse_position),
})

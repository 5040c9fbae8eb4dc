/** Edges of relations and media outside of a database, with their places in the lists of both ends. */
import { typeOf } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { ReadRows, Transaction } from '../../store/store.ts'
import { updatePublishedFlags } from '../../store/tables/edge-published-flag.ts'
import {
  EDGES,
  type Layout,
  ownedRelations,
  type RelationKey,
  relationKeyText,
} from '../../store/tables/layout.ts'
import { type EdgeRow, insertEdges } from '../rows/edge-rows.ts'
import { ArchiveError, DOCUMENT_ID, type Fields, type Line, type Unknown } from './archive-line.ts'

const BATCH = 500

/** Every edge of a relation as the fields of a line, some at a time. */
export async function* edgeLines(
  read: ReadRows,
  layout: Layout,
  key: RelationKey,
): AsyncGenerator<readonly Fields[]> {
  const relation = layout.relationId(key)
  let after = { source: 0, entry: 0, position: 0, target: '' }
  for (;;) {
    const rows = await read(
      sql`select source, entry, target, target_type, position, inverse_position from ${sql.table(EDGES)}
        where relation = ${relation}
          and (source, entry, position, target) > (${after.source}, ${after.entry}, ${after.position}, ${after.target})
        order by source, entry, position, target limit ${sql.lit(BATCH)}`,
    )
    if (rows.length > 0)
      yield rows.map((row) => ({
        kind: 'edge',
        ...key,
        source: row.source,
        entry: row.entry,
        target: row.target,
        targetType: row.target_type,
        position: row.position,
        inversePosition: row.inverse_position,
      }))
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = {
      source: Number(last.source),
      entry: Number(last.entry),
      position: Number(last.position),
      target: String(last.target),
    }
  }
}

export type ReadEdge = Omit<EdgeRow, 'published'> & {
  readonly position: number
  readonly inversePosition: number
}

/** Reads edges from lines; those of a relation that the model does not have are noted and are null. */
export function createEdgeReader(layout: Layout, unknown: Unknown): (line: Line) => ReadEdge | null {
  const relations = new Map(
    ownedRelations(layout.model).map((key) => [relationKeyText(key), layout.relationId(key)]),
  )
  return (line) => {
    const key = {
      type: line.text('type'),
      component: line.textOrNull('component'),
      attribute: line.text('attribute'),
    }
    const relation = relations.get(relationKeyText(key))
    if (relation === undefined) {
      unknown.note(
        layout.model.types.has(key.type)
          ? `attribute ${key.attribute} of ${key.component === null ? key.type : `${key.component} in ${key.type}`}`
          : `content-type ${key.type}`,
      )
      return null
    }
    const targetType = line.textOrNull('targetType')
    if (targetType !== null && !layout.model.types.has(targetType)) {
      unknown.note(`content-type ${targetType}`)
      return null
    }
    return {
      relation,
      source: line.count('source', 1),
      entry: line.count('entry'),
      target: line.text('target', DOCUMENT_ID),
      targetType,
      position: line.number('position'),
      inversePosition: line.number('inversePosition'),
    }
  }
}

export const EDGES_AT_A_TIME = BATCH

/** Inserts edges where they were. All count as those of published rows until `settleEdges`. */
export async function putEdges(transaction: Transaction, edges: readonly ReadEdge[]): Promise<void> {
  insertEdges(
    transaction,
    edges.map((edge) => ({ ...edge, published: true })),
  )
  // Waited for, so that no more than one batch is in memory.
  await transaction.all({ sql: 'select 1', parameters: [] })
}

/** To be called when all rows and edges are in: those of drafts become so. Edges of rows that do not exist are refused. */
export async function settleEdges(transaction: Transaction, layout: Layout): Promise<void> {
  for (const key of ownedRelations(layout.model)) {
    const { table } = typeOf(layout.model, key.type)
    const relation = layout.relationId(key)
    updatePublishedFlags(transaction, relation, table)
    const [loose] = await transaction.all(
      compile(
        transaction.dialect,
        // They would become those of a later row.
        sql`select source from ${sql.table(EDGES)} as e where relation = ${relation}
          and not exists (select 1 from ${sql.table(table)} as t where t.id = e.source) limit 1`,
      ),
    )
    if (loose)
      throw new ArchiveError(
        `The archive relates row ${loose.source} of ${key.type} through ${key.attribute}, but has no such row`,
      )
  }
}

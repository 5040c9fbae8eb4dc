/** Exports and imports the edges of relations and media, with their positions on both sides. */
import { typeOf } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { ReadRows, Transaction } from '../../store/store.ts'
import { advancePositions } from '../../store/tables/counters.ts'
import { updatePublishedFlags } from '../../store/tables/edge-published-flag.ts'
import {
  EDGES,
  type Layout,
  ownedRelations,
  type RelationKey,
  relationKeyText,
} from '../../store/tables/layout.ts'
import { type EdgeRow, insertEdges } from '../rows/edge-rows.ts'
import {
  ArchiveError,
  type ArchiveLine,
  DOCUMENT_ID,
  type Fields,
  type UnknownNames,
} from './archive-line.ts'

const BATCH = 500

/** All edges of a relation as fields of lines, in batches. */
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

export type ArchivedEdge = Omit<EdgeRow, 'published'> & {
  readonly position: number
  readonly inversePosition: number
}

/** Reads edges from lines; null, and recorded as unknown, if the model does not have the relation. */
export function createEdgeReader(
  layout: Layout,
  unknown: UnknownNames,
): (line: ArchiveLine) => ArchivedEdge | null {
  const relations = new Map(
    ownedRelations(layout.model).map((key) => [relationKeyText(key), layout.relationId(key)]),
  )
  return (line) => {
    const key = {
      type: line.string('type'),
      component: line.stringOrNull('component'),
      attribute: line.string('attribute'),
    }
    const relation = relations.get(relationKeyText(key))
    if (relation === undefined) {
      unknown.add(
        layout.model.types.has(key.type)
          ? `attribute ${key.attribute} of ${key.component === null ? key.type : `${key.component} in ${key.type}`}`
          : `content-type ${key.type}`,
      )
      return null
    }
    const targetType = line.stringOrNull('targetType')
    if (targetType !== null && !layout.model.types.has(targetType)) {
      unknown.add(`content-type ${targetType}`)
      return null
    }
    return {
      relation,
      source: line.integer('source', 1),
      entry: line.integer('entry'),
      target: line.string('target', DOCUMENT_ID),
      targetType,
      position: line.number('position'),
      inversePosition: line.number('inversePosition'),
    }
  }
}

export const EDGES_PER_BATCH = BATCH

/** Inserts edges with their positions. All are marked as edges of published rows until `completeEdges`. */
export async function insertArchivedEdges(
  transaction: Transaction,
  edges: readonly ArchivedEdge[],
): Promise<void> {
  insertEdges(
    transaction,
    edges.map((edge) => ({ ...edge, published: true })),
  )
  // Wait, so that no more than one batch is in memory.
  await transaction.all({ sql: 'select 1', parameters: [] })
}

/** Marks the edges of drafts, once all rows and edges are inserted. Refuses edges of rows that do not exist. */
export async function completeEdges(transaction: Transaction, layout: Layout): Promise<void> {
  for (const key of ownedRelations(layout.model)) {
    const { table } = typeOf(layout.model, key.type)
    const relation = layout.relationId(key)
    updatePublishedFlags(transaction, relation, table)
    const [orphan] = await transaction.all(
      compile(
        transaction.dialect,
        // They would otherwise become edges of a later row.
        sql`select source from ${sql.table(EDGES)} as e where relation = ${relation}
          and not exists (select 1 from ${sql.table(table)} as t where t.id = e.source) limit 1`,
      ),
    )
    if (orphan)
      throw new ArchiveError(
        `The archive has an edge of ${key.attribute} from row ${orphan.source} of ${key.type}, but no such row`,
      )
  }
  advancePositions(transaction)
}

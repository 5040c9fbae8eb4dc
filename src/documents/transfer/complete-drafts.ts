/**
 * Imported documents of a database in which draft & publish was switched off get their drafts as they would if it was
 * switched on there.
 */
import type { ContentType } from '../../model/model.ts'
import { enableDrafts } from '../../store/migration/apply/locales-and-drafts.ts'
import { createRowChanges } from '../../store/migration/apply/migration-run.ts'
import { readWithin } from '../../store/migration/run-sql.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { columnOf, type Layout, ownedRelations, relationKeyText } from '../../store/tables/layout.ts'
import { rebuildServed } from '../../store/tables/rebuild-served.ts'
import { blueprintOf } from '../rows/blueprint.ts'

/** `withHiddenDrafts` are the content-types of which the archive has drafts that were not served. */
export async function completeDrafts(
  transaction: Transaction,
  layout: Layout,
  withHiddenDrafts: ReadonlySet<ContentType>,
): Promise<void> {
  const relations = ownedRelations(layout.model)
  const relationIds = new Map(relations.map((key) => [relationKeyText(key), layout.relationId(key)]))
  const changes = createRowChanges(transaction, relationIds)
  for (const type of layout.model.types.values()) {
    if (!type.draftAndPublish) continue
    if (!withHiddenDrafts.has(type) && !(await lacksDrafts(transaction, type))) continue
    const { scalars, lists } = blueprintOf(layout, type)
    const columns = [...scalars, ...lists].map(({ name }) => columnOf(name))
    await enableDrafts(changes, type, columns)
    await rebuildServed(transaction, type, new Set(columns))
  }
}

async function lacksDrafts(transaction: Transaction, type: ContentType): Promise<boolean> {
  const table = sql.table(type.table)
  const found = await readWithin(transaction)(
    sql`select 1 as found from ${table} as live where live.published = 1 and not exists (
        select 1 from ${table} as draft where draft.document_id = live.document_id
          and draft.locale = live.locale and draft.published = 0) limit 1`,
  )
  return found.length > 0
}

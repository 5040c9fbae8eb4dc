/** Finds the saved states of a document that a release replaces, and that a revert must bring back. */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { stateOf } from '../history/existing-content.ts'
import { insertStates } from '../history/insert-states.ts'
import { history } from '../history/tables.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import type { ScheduledDocument } from '../schedules/schedules.ts'
import { versionOf } from '../versions/version.ts'

/** The state of the published version, saved now if it is not kept any more; null on types without history. */
export async function keepPublishedState(
  transaction: Transaction,
  layout: Layout,
  document: ScheduledDocument,
): Promise<number | null> {
  const { type: uid, documentId, locale } = document
  const readState = () => newestState(transaction, document, sql`and published = 1`)
  const kept = await readState()
  const type = layout.model.types.get(uid)
  if (kept !== null || !type?.history) return kept
  const blueprint = blueprintOf(layout, type)
  const loading = loadVersions(transaction, blueprint, documentId)
  const versions = await withEdges(transaction, blueprint, documentId, loading)
  const published = versionOf(versions, locale, true)
  if (!published) return null
  insertStates(transaction, [stateOf(blueprint, documentId, published)])
  return readState()
}

/** The state of the draft: each change of a document saves it, and publishing saves the draft as it is then. */
export const readDraftState = (transaction: Transaction, document: ScheduledDocument) =>
  newestState(transaction, document, sql``)

async function newestState(
  { dialect, all }: Transaction,
  { type, documentId, locale }: ScheduledDocument,
  condition: Sql,
): Promise<number | null> {
  const newest = sql`select max(id) as id from ${history}
    where document_id = ${documentId} and locale = ${locale} and type = ${type} ${condition}`
  const [row] = await all(compile(dialect, newest))
  return row?.id == null ? null : Number(row.id)
}

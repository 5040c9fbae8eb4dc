/** Finds the saved states of a document that a release replaces, and that a revert must bring back. */
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { history } from '../history/tables.ts'
import type { ScheduledDocument } from '../schedules/schedules.ts'

/** The state of the published version; null if none is kept. */
export const readPublishedState = (transaction: Transaction, document: ScheduledDocument) =>
  newestState(transaction, document, sql`and published = 1`)

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

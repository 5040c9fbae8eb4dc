/** The entries of a release: documents in a locale, each with the action that is performed on it. */
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { isScheduledAction, type ScheduledAction, type ScheduledDocument } from '../schedules/schedules.ts'
import { releaseEntries } from './tables.ts'

export const MAX_ENTRIES = 1_000

export interface NewEntry extends ScheduledDocument {
  readonly action: ScheduledAction
}

export interface ReleaseEntry extends NewEntry {
  readonly id: number
  /** Whether the document was published before the release; null until the release is published. */
  readonly wasPublished: boolean | null
  /** The state in the history that the release has replaced or removed, if there is one. */
  readonly formerState: number | null
}

/** Adds an entry, or replaces the action for a document that the release has already. */
export function addEntry(
  transaction: Transaction,
  release: number,
  { type, documentId, locale, action }: NewEntry,
): void {
  const insert = sql`insert into ${releaseEntries} (release, type, document_id, locale, action)
    values (${release}, ${type}, ${documentId}, ${locale}, ${action})
    on conflict (release, document_id, type, locale) do update set action = excluded.action`
  transaction.run(compile(transaction.dialect, insert))
}

export async function countEntries(transaction: Transaction, release: number): Promise<number> {
  const count = sql`select count(*) as count from ${releaseEntries} where release = ${release}`
  const [row] = await transaction.all(compile(transaction.dialect, count))
  return Number(row?.count ?? 0)
}

/** Returns whether the release had the entry. */
export async function removeEntry(transaction: Transaction, release: number, id: number): Promise<boolean> {
  const remove = sql`delete from ${releaseEntries} where release = ${release} and id = ${id} returning id`
  return (await transaction.all(compile(transaction.dialect, remove))).length > 0
}

const select = (
  release: number,
) => sql`select id, type, document_id, locale, action, was_published, former_state
  from ${releaseEntries} where release = ${release} order by id`

export const readEntries = async (store: Store, release: number): Promise<readonly ReleaseEntry[]> =>
  (await store.read(compile(store.dialect, select(release)))).map(entryFrom)

export const readEntriesIn = async (
  transaction: Transaction,
  release: number,
): Promise<readonly ReleaseEntry[]> =>
  (await transaction.all(compile(transaction.dialect, select(release)))).map(entryFrom)

/** Keeps what a release has replaced, so that it can be reverted. */
export function setFormer(
  transaction: Transaction,
  id: number,
  wasPublished: boolean,
  formerState: number | null,
): void {
  const update = sql`update ${releaseEntries} set was_published = ${wasPublished ? 1 : 0},
    former_state = ${formerState} where id = ${id}`
  transaction.run(compile(transaction.dialect, update))
}

const entryFrom = (row: Row): ReleaseEntry => ({
  id: Number(row.id),
  type: String(row.type),
  documentId: String(row.document_id),
  locale: String(row.locale),
  action: isScheduledAction(row.action) ? row.action : 'publish',
  wasPublished: row.was_published === null ? null : row.was_published === 1,
  formerState: row.former_state === null ? null : Number(row.former_state),
})

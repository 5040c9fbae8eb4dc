/** Updates the rows of a content-type whose localization or draft & publish was switched on or off. */
import type { ContentType, Model } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import { updatePublishedFlags } from '../../tables/edge-published-flag.ts'
import { EDGES, relationKeyText } from '../../tables/layout.ts'
import type { TypeTable } from '../../tables/tables.ts'
import { hasPublishedVersion } from '../inspect/shared-values.ts'
import { execute, readWithin } from '../run-sql.ts'
import { backUpEdges } from './back-up-edges.ts'
import { copySharedValues } from './copy-shared-values.ts'
import type { MigrationRun, RowChanges } from './migration-run.ts'

/** Rows without a locale get the default locale, or another one that is free; or rows of the default locale lose it. */
export async function changeLocalization(
  transaction: Transaction,
  model: Model,
  type: ContentType,
  before: TypeTable,
  after: TypeTable,
  relationIds: ReadonlyMap<string, number>,
) {
  if (before.localized === after.localized) return
  const table = sql.table(after.table)
  const move = (from: string, to: string) =>
    execute(
      transaction,
      sql`UPDATE ${table} SET locale = ${to} WHERE locale = ${from}
        AND document_id NOT IN (SELECT document_id FROM ${table} WHERE locale = ${to})`,
    )
  if (!after.localized) return move(model.locales.default, '')
  // The shared values were only changed in the one visible version while the other locales were hidden.
  await copySharedValues(
    transaction,
    type,
    relationIds,
    sql`SELECT hidden.id AS to_id, shown.id AS from_id FROM ${table} AS hidden
      JOIN ${table} AS shown ON shown.document_id = hidden.document_id
        AND shown.published = hidden.published AND shown.locale = ''
      WHERE hidden.locale <> '' AND hidden.updated_at < shown.updated_at`,
  )
  // If another locale was the default before, a document may have a hidden version in this one. Both stay visible.
  for (const locale of new Set([model.locales.default, ...model.locales.codes])) move('', locale)
}

/** Adds a draft to every published version, or publishes the documents that are only drafts. */
export async function changeDraftAndPublish(
  run: MigrationRun,
  model: Model,
  type: ContentType,
  before: TypeTable,
  after: TypeTable,
) {
  if (before.draftAndPublish === after.draftAndPublish) return
  const { transaction, relationIds } = run
  if (after.draftAndPublish) {
    const columns = after.columns.map(({ name }) => name)
    return enableDrafts(run, type, columns)
  }
  await copyPublishedValues(transaction, model, type, relationIds)
  const isOnlyDraft = sql`published = 0 AND NOT ${hasPublishedVersion(type.table)}`
  await backUpClaimedEdges(run, type, sql`published = 1`, isOnlyDraft)
  publishDrafts(transaction, after, ownedRelations(type, relationIds))
}

/**
 * Adds a draft to every published version that has none; hidden drafts return, unless the document was written since.
 * `columns` are those of the attributes. What is served of the drafts is left to the caller.
 */
export async function enableDrafts(run: RowChanges, type: ContentType, columns: readonly string[]) {
  const last = await addDrafts(run.transaction, type.table, columns, ownedRelations(type, run.relationIds))
  const [added, returned] = [sql`published = 0 AND id > ${last}`, sql`published = 0 AND id <= ${last}`]
  await backUpClaimedEdges(run, type, added, returned)
}

/** Returns the highest row id before the new drafts. */
async function addDrafts(
  transaction: Transaction,
  name: string,
  ofAttributes: readonly string[],
  relations: readonly number[],
): Promise<number> {
  const table = sql.table(name)
  deleteOutdatedDrafts(transaction, table, relations)
  const columns = [
    'document_id',
    'locale',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'revision',
    'served',
    ...ofAttributes,
  ].map((column) => sql.id(column))
  const [row] = await readWithin(transaction)(sql`SELECT coalesce(max(id), 0) AS id FROM ${table}`)
  const last = Number(row?.id)
  execute(
    transaction,
    sql`INSERT INTO ${table} (published, published_at, ${sql.join(columns)})
      SELECT 0, NULL, ${sql.join(columns)} FROM ${table} AS live
      WHERE live.published = 1 AND NOT EXISTS (
        SELECT 1 FROM ${table} AS draft WHERE draft.document_id = live.document_id
          AND draft.locale = live.locale AND draft.published = 0)
      ORDER BY live.id`,
  )
  if (relations.length === 0) return last
  const edges = sql.table(EDGES)
  execute(
    transaction,
    sql`INSERT INTO ${edges} (relation, source, entry, target, published, target_type, position, inverse_position)
      SELECT edge.relation, draft.id, edge.entry, edge.target, 0, edge.target_type, edge.position, edge.inverse_position
      FROM ${table} AS draft
      JOIN ${table} AS live ON live.document_id = draft.document_id
        AND live.locale = draft.locale AND live.published = 1
      JOIN ${edges} AS edge ON edge.source = live.id AND edge.relation IN (${literals(relations)})
      WHERE draft.published = 0 AND draft.id > ${last}`,
  )
  return last
}

/**
 * A target that can have one owner keeps the one in the rows of `owners`: the edges to it from versions that come to the
 * same status, those of `claimants`, become a backup.
 */
async function backUpClaimedEdges(run: RowChanges, type: ContentType, owners: Sql, claimants: Sql) {
  const [table, edges] = [sql.table(type.table), sql.table(EDGES)]
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || attribute.side !== 'owner' || !attribute.exclusive) continue
    const key = { type: type.uid, component: null, attribute: attribute.name }
    const relation = run.relationIds.get(relationKeyText(key))
    if (relation === undefined) continue
    const isClaimed = sql`edge.source IN (SELECT id FROM ${table} WHERE ${claimants})
      AND EXISTS (SELECT 1 FROM ${edges} AS other
        JOIN (SELECT id, document_id, locale FROM ${table} WHERE ${owners}) AS ours ON ours.id = other.source
        JOIN ${table} AS theirs ON theirs.id = edge.source
        WHERE other.relation = ${relation} AND other.target = edge.target AND ours.locale = theirs.locale
          AND ours.document_id <> theirs.document_id)`
    const of = `${type.uid}, attribute ${attribute.name}, targets of other documents`
    await backUpEdges(run, relation, isClaimed, of)
  }
}

/**
 * Deletes hidden drafts that are older than their published version: publishing them would undo later writes. Drafts
 * with newer, unpublished changes are kept.
 */
function deleteOutdatedDrafts(transaction: Transaction, table: Sql, relations: readonly number[]) {
  const outdated = sql`SELECT draft.id FROM ${table} AS draft
    JOIN ${table} AS live ON live.document_id = draft.document_id AND live.locale = draft.locale
    WHERE draft.published = 0 AND live.published = 1 AND draft.updated_at <= live.updated_at`
  if (relations.length > 0)
    execute(
      transaction,
      sql`DELETE FROM ${sql.table(EDGES)} WHERE relation IN (${literals(relations)}) AND source IN (${outdated})`,
    )
  execute(transaction, sql`DELETE FROM ${table} WHERE id IN (${outdated})`)
}

/** Drafts of locales that become public take the shared values of the locales that already are. */
async function copyPublishedValues(
  transaction: Transaction,
  { locales }: Model,
  type: ContentType,
  relationIds: ReadonlyMap<string, number>,
) {
  const table = sql.table(type.table)
  await copySharedValues(
    transaction,
    type,
    relationIds,
    sql`SELECT draft.id AS to_id, live.id AS from_id FROM ${table} AS draft
      JOIN ${table} AS live ON live.id = (SELECT first.id FROM ${table} AS first
        WHERE first.document_id = draft.document_id AND first.published = 1
        ORDER BY CASE WHEN first.locale = ${locales.default} THEN 0 ELSE 1 END, first.id LIMIT 1)
      WHERE draft.published = 0 AND NOT EXISTS (SELECT 1 FROM ${table} AS own
        WHERE own.document_id = draft.document_id AND own.locale = draft.locale AND own.published = 1)`,
  )
}

const literals = (ids: readonly number[]) => sql.join(ids.map((id) => sql.lit(id)))

/** Drafts of published documents stay hidden; their changes return when draft & publish is switched on again. */
function publishDrafts(transaction: Transaction, after: TypeTable, relations: readonly number[]) {
  const table = sql.table(after.table)
  execute(
    transaction,
    sql`UPDATE ${table} SET published = 1, published_at = updated_at
      WHERE published = 0 AND NOT EXISTS (
        SELECT 1 FROM ${table} AS live WHERE live.document_id = ${table}.document_id
          AND live.locale = ${table}.locale AND live.published = 1)`,
  )
  for (const relation of relations) updatePublishedFlags(transaction, relation, after.table)
}

/** The relations whose edges start at rows of a type. */
const ownedRelations = (type: ContentType, relationIds: ReadonlyMap<string, number>): readonly number[] =>
  [...relationIds].filter(([key]) => key.startsWith(`${type.uid}|`)).map(([, id]) => id)

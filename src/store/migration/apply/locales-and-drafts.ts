/** Content of a type whose localization or draft & publish was switched on or off: all of it stays visible. */
import type { ContentType, Model } from '../../../model/model.ts'
import { compile } from '../../compile.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import { updatePublishedFlags } from '../../tables/edge-published-flag.ts'
import { EDGES } from '../../tables/layout.ts'
import type { TypeTable } from '../../tables/tables.ts'

const run = (transaction: Transaction, query: Sql) => transaction.run(compile(transaction.dialect, query))

/** The default locale's versions become the only ones, or the only ones become the default locale's. */
export function changeLocalization(
  transaction: Transaction,
  model: Model,
  before: TypeTable,
  after: TypeTable,
) {
  if (before.localized === after.localized) return
  const [from, to] = after.localized ? ['', model.locales.default] : [model.locales.default, '']
  const table = sql.table(after.table)
  // A version that a previous switch has left aside under the new name keeps its place.
  run(
    transaction,
    sql`UPDATE ${table} SET locale = ${to} WHERE locale = ${from} AND NOT EXISTS (
      SELECT 1 FROM ${table} AS other WHERE other.document_id = ${table}.document_id
        AND other.published = ${table}.published AND other.locale = ${to})`,
  )
}

/** Gives every published version a draft, or publishes the documents that are only drafts. */
export async function changeDraftAndPublish(
  transaction: Transaction,
  type: ContentType,
  before: TypeTable,
  after: TypeTable,
  relations: ReadonlyMap<string, number>,
) {
  if (before.draftAndPublish === after.draftAndPublish) return
  if (after.draftAndPublish) await addDrafts(transaction, type, after, relations)
  else publishDrafts(transaction, after, ownedBy(type, relations))
}

async function addDrafts(
  transaction: Transaction,
  type: ContentType,
  after: TypeTable,
  relations: ReadonlyMap<string, number>,
) {
  const table = sql.table(after.table)
  const owned = ownedBy(type, relations)
  deleteOutdatedDrafts(transaction, table, owned)
  const columns = [
    ...[
      'document_id',
      'locale',
      'created_at',
      'updated_at',
      'created_by',
      'updated_by',
      'revision',
      'served',
    ],
    ...after.columns.map(({ name }) => name),
  ].map((name) => sql.id(name))
  const last = await transaction.all(
    compile(transaction.dialect, sql`SELECT coalesce(max(id), 0) AS id FROM ${table}`),
  )
  run(
    transaction,
    sql`INSERT INTO ${table} (published, published_at, ${sql.join(columns)})
      SELECT 0, NULL, ${sql.join(columns)} FROM ${table} AS shown
      WHERE shown.published = 1 AND NOT EXISTS (
        SELECT 1 FROM ${table} AS draft WHERE draft.document_id = shown.document_id
          AND draft.locale = shown.locale AND draft.published = 0)
      ORDER BY shown.id`,
  )
  if (owned.length === 0) return
  const edges = sql.table(EDGES)
  run(
    transaction,
    sql`INSERT INTO ${edges} (relation, source, entry, target, published, target_type, position, inverse_position)
      SELECT edge.relation, draft.id, edge.entry, edge.target, 0, edge.target_type, edge.position, edge.inverse_position
      FROM ${table} AS draft
      JOIN ${table} AS shown ON shown.document_id = draft.document_id
        AND shown.locale = draft.locale AND shown.published = 1
      JOIN ${edges} AS edge ON edge.source = shown.id AND edge.relation IN (${among(owned)})
      WHERE draft.published = 0 AND draft.id > ${last[0]?.id ?? 0}`,
  )
}

/**
 * Drafts from before drafts were switched off have not followed what was written since: published, they would undo it.
 * Those with changes of their own, made after all that is published, stay.
 */
function deleteOutdatedDrafts(transaction: Transaction, table: Sql, owned: readonly number[]) {
  const outdated = sql`SELECT draft.id FROM ${table} AS draft
    JOIN ${table} AS shown ON shown.document_id = draft.document_id AND shown.locale = draft.locale
    WHERE draft.published = 0 AND shown.published = 1 AND draft.updated_at <= shown.updated_at`
  if (owned.length > 0)
    run(
      transaction,
      sql`DELETE FROM ${sql.table(EDGES)} WHERE relation IN (${among(owned)}) AND source IN (${outdated})`,
    )
  run(transaction, sql`DELETE FROM ${table} WHERE id IN (${outdated})`)
}

const among = (relations: readonly number[]) => sql.join(relations.map((id) => sql.lit(id)))

/** Drafts of documents that are published too are left aside: changes in them come back when drafts are switched on again. */
function publishDrafts(transaction: Transaction, after: TypeTable, owned: readonly number[]) {
  const table = sql.table(after.table)
  run(
    transaction,
    sql`UPDATE ${table} SET published = 1, published_at = updated_at
      WHERE published = 0 AND NOT EXISTS (
        SELECT 1 FROM ${table} AS shown WHERE shown.document_id = ${table}.document_id
          AND shown.locale = ${table}.locale AND shown.published = 1)`,
  )
  for (const relation of owned) updatePublishedFlags(transaction, relation, after.table)
}

/** The relations whose edges start at rows of a type. */
const ownedBy = (type: ContentType, relations: ReadonlyMap<string, number>): readonly number[] =>
  [...relations].filter(([key]) => key.startsWith(`${type.uid}|`)).map(([, id]) => id)

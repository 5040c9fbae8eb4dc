/** Copies what is not localized from one version of a document to another, which a migration makes visible beside it. */
import { type Attribute, type ContentType, holdsEntries } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import { isComparedColumn } from '../../tables/indexed.ts'
import { columnOf, EDGES } from '../../tables/layout.ts'
import { collectEntryIds } from '../entries/entry-rewriter.ts'
import { parseEntries } from '../inspect/affected-rows.ts'
import { hasColumn } from '../inspect/inspection-context.ts'
import { execute, readWithin } from '../run-sql.ts'

const BATCH = 500

/** Row ids: of the version to change, and of the one it takes the values from. */
type Copy = readonly [to: number, from: number]

/** `pairs` selects the columns `to_id` and `from_id`, and still does so for rows that are already copied. */
export async function copySharedValues(
  transaction: Transaction,
  type: ContentType,
  relationIds: ReadonlyMap<string, number>,
  pairs: Sql,
) {
  if (!type.localized) return
  for (let last = 0; ; ) {
    const rows = await readWithin(transaction)(
      sql`SELECT to_id, from_id FROM (${pairs}) AS pairs WHERE to_id > ${last} ORDER BY to_id LIMIT ${sql.lit(BATCH)}`,
    )
    const copies = rows.map((row): Copy => [Number(row.to_id), Number(row.from_id)])
    if (copies.length > 0) await copyBatch(transaction, type, relationIds, copies)
    const final = copies.at(-1)
    if (!final || copies.length < BATCH) return
    last = final[0]
  }
}

async function copyBatch(
  transaction: Transaction,
  type: ContentType,
  relationIds: ReadonlyMap<string, number>,
  copies: readonly Copy[],
) {
  const shared = [...type.attributes.values()].filter((one) => one.kind !== 'relation' && !one.localized)
  const relations = (isOf: (component: string, attribute: string) => boolean) =>
    [...relationIds].flatMap(([key, id]) => {
      const [owner, component = '', attribute = ''] = key.split('|')
      return owner === type.uid && isOf(component, attribute) ? [id] : []
    })
  const media = new Set(shared.filter(({ kind }) => kind === 'media').map(({ name }) => name))
  const ofMedia = relations((component, attribute) => component === '' && media.has(attribute))
  const ofEntries = relations((component) => component !== '')
  const lists = shared.filter(holdsEntries).map(({ name }) => columnOf(name))
  const before = ofEntries.length > 0 ? await readEntries(transaction, type, lists, copies) : []
  copyColumns(transaction, type, shared.filter(hasColumn), copies)
  const after = ofEntries.length > 0 ? await readEntries(transaction, type, lists, copies) : []
  const documents = copies.map(([to]): EntryAddress => [to, 0])
  replaceEdges(transaction, ofMedia, documents, documents, copies)
  replaceEdges(transaction, ofEntries, before, after, copies)
}

function copyColumns(
  transaction: Transaction,
  { table }: ContentType,
  attributes: readonly Attribute[],
  copies: readonly Copy[],
) {
  if (attributes.length === 0) return
  const list = JSON.stringify(copies)
  const own = sql.table(table)
  const changes = attributes.map((attribute) => {
    const column = sql.id(columnOf(attribute.name))
    const copied = sql`other.${column}`
    if (attribute.kind !== 'scalar' || !attribute.unique) return sql`${column} = ${copied}`
    // A value that another document has in the locale would make the migration impossible.
    return sql`${column} = CASE WHEN ${isComparedColumn(attribute, copied)} AND EXISTS (
      SELECT 1 FROM ${own} AS taken WHERE taken.published = 1 AND taken.locale = ${own}.locale
        AND taken.${column} = ${copied} AND taken.document_id <> ${own}.document_id)
      THEN ${own}.${column} ELSE ${copied} END`
  })
  execute(
    transaction,
    sql`UPDATE ${own} SET ${sql.join(changes)} FROM ${transaction.dialect.jsonItems(sql`${list}`)}
      JOIN ${own} AS other ON other.id = CAST(item.value ->> 1 AS bigint)
      WHERE ${own}.id = CAST(item.value ->> 0 AS bigint)`,
  )
}

/** The id of a row, and that of an entry in it; 0 for the document itself. */
type EntryAddress = readonly [source: number, entry: number]

/** The entries that the changed rows have in these columns. */
async function readEntries(
  transaction: Transaction,
  { table }: ContentType,
  columns: readonly string[],
  copies: readonly Copy[],
): Promise<EntryAddress[]> {
  if (columns.length === 0) return []
  const rows = await readWithin(transaction)(
    sql`SELECT id, ${sql.join(columns.map((column) => sql.id(column)))} FROM ${sql.table(table)}
      WHERE id IN (${sql.join(copies.map(([to]) => sql.lit(to)))})`,
  )
  return rows.flatMap((row) =>
    columns.flatMap((column) =>
      collectEntryIds(parseEntries(row[column] ?? null)).map(
        (entry): EntryAddress => [Number(row.id), entry],
      ),
    ),
  )
}

/** Deletes the edges of `removed` entries, and copies those of `added` ones. */
function replaceEdges(
  transaction: Transaction,
  relations: readonly number[],
  removed: readonly EntryAddress[],
  added: readonly EntryAddress[],
  copies: readonly Copy[],
) {
  if (relations.length === 0) return
  const edges = sql.table(EDGES)
  const isOfRelation = sql`relation IN (${sql.join(relations.map((id) => sql.lit(id)))})`
  const itemsOf = (list: readonly (readonly number[])[]) =>
    transaction.dialect.jsonItems(sql`${JSON.stringify(list)}`)
  execute(
    transaction,
    sql`DELETE FROM ${edges} WHERE ${isOfRelation} AND (source, entry) IN (
      SELECT CAST(item.value ->> 0 AS bigint), CAST(item.value ->> 1 AS bigint) FROM ${itemsOf(removed)})`,
  )
  const fromOf = new Map(copies)
  const copied = added.map(([to, entry]) => [to, fromOf.get(to) ?? 0, entry])
  execute(
    transaction,
    sql`INSERT INTO ${edges} (relation, source, entry, target, published, target_type, position, inverse_position)
      SELECT edge.relation, CAST(item.value ->> 0 AS bigint), edge.entry, edge.target, edge.published,
        edge.target_type, edge.position, edge.inverse_position
      FROM ${itemsOf(copied)} JOIN ${edges} AS edge ON ${isOfRelation}
        AND edge.source = CAST(item.value ->> 1 AS bigint) AND edge.entry = CAST(item.value ->> 2 AS bigint)`,
  )
}

/** Reads saved states of documents, each converted to the current model. */
import type { ContentType, Model } from '../../model/model.ts'
import { deserializeModel } from '../../model/serialize-model.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { ReadRows } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { type ConvertedState, convertState, typeMigrations } from './convert-state.ts'
import { parseState } from './state.ts'
import { history, historyModels } from './tables.ts'

export interface HistoryReader {
  /** Reads inside a transaction or outside. */
  readonly read: ReadRows
  readonly layout: Layout
}

/** A saved state without its content. */
export interface HistoryItem {
  /** Identifies the state; later states have higher numbers. */
  readonly version: number
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
  /** Whether it was published; otherwise it was a draft. */
  readonly published: boolean
  readonly action: string
  /** `user:<documentId>`, `token:<id>`, `public` or `system`. */
  readonly author: string
  readonly at: string
}

export interface ReadState {
  readonly item: HistoryItem
  readonly state: ConvertedState
}

export interface HistoryPage {
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
  readonly includesDrafts: boolean
  readonly start: number
  readonly limit: number
}

const ITEM = sql.raw('h.id, h.document_id, h.locale, h.published, h.action, h.author, h.at')
const STATE = sql.raw('h.model, h.row_id, h.state')

const publishedOnly = (includesDrafts: boolean): Sql => (includesDrafts ? sql`` : sql` and h.published = 1`)

/** The states of a document in a locale, newest first, and their total number. */
export async function listHistory(
  { read }: HistoryReader,
  { uid }: ContentType,
  { documentId, locale, includesDrafts, start, limit }: HistoryPage,
): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }> {
  const rows = await read(historyQuery(uid, { documentId, locale, includesDrafts, start, limit }))
  return {
    items: rows.filter(({ id }) => id !== null).map(itemOf),
    total: Number(rows[0]?.total ?? 0),
  }
}

/** The states that `listHistory` lists. */
export async function listStates(
  reader: HistoryReader,
  type: ContentType,
  { documentId, locale, includesDrafts, start, limit }: HistoryPage,
): Promise<readonly ReadState[]> {
  const rows = await reader.read(
    sql`select ${ITEM}, ${STATE} from ${history} as h
        where h.document_id = ${documentId} and h.locale = ${locale} and h.type = ${type.uid}${publishedOnly(includesDrafts)}
        order by h.id desc limit ${limit} offset ${start}`,
  )
  return readRows(reader, type, rows)
}

/** One statement for the page and the total; a page past the end has one row without an id. */
export function historyQuery(
  uid: string,
  { documentId, locale, includesDrafts, start, limit }: HistoryPage,
): Sql {
  const isListed = sql`h.document_id = ${documentId} and h.locale = ${locale} and h.type = ${uid}${publishedOnly(includesDrafts)}`
  return sql`select c.total, ${ITEM} from (select count(*) as total from ${history} as h where ${isListed}) as c
      left join (select ${ITEM} from ${history} as h where ${isListed}
        order by h.id desc limit ${limit} offset ${start}) as h on true
      order by h.id desc`
}

/** One state of a document, or of any document of the type; null if there is none, or if it belongs to a content-type that was removed since. */
export async function readState(
  reader: HistoryReader,
  type: ContentType,
  documentId: string | null,
  version: number,
): Promise<ReadState | null> {
  const isOfDocument = documentId === null ? sql`` : sql`and h.document_id = ${documentId}`
  const [row] = await reader.read(
    sql`select ${ITEM}, ${STATE} from ${history} as h
        where h.id = ${version} and h.type = ${type.uid} ${isOfDocument}`,
  )
  return row ? readRow(reader, type, row) : null
}

/** The last state before another one; null if that is the oldest. */
export async function readPreviousState(
  reader: HistoryReader,
  type: ContentType,
  { documentId, locale, version }: HistoryItem,
  includesDrafts: boolean,
): Promise<ReadState | null> {
  const [row] = await reader.read(
    sql`select ${ITEM}, ${STATE} from ${history} as h
        where h.document_id = ${documentId} and h.locale = ${locale} and h.id < ${version}
        and h.type = ${type.uid}${publishedOnly(includesDrafts)} order by h.id desc limit 1`,
  )
  return row ? readRow(reader, type, row) : null
}

/** The newest documentId with history of a content-type, for the document of a single type. */
export async function newestDocument({ read }: HistoryReader, { uid }: ContentType): Promise<string | null> {
  const [row] = await read(
    sql`select document_id from ${history} where type = ${uid} and action = 'delete' order by id desc limit 1`,
  )
  return row ? String(row.document_id) : null
}

/** The states of all documents after one, in the order in which they were saved. */
export const statesAfter = (version: number, limit: number): Sql =>
  sql`select h.type, ${ITEM}, ${STATE} from ${history} as h where h.id > ${version} order by h.id limit ${limit}`

export interface DeletedPage extends Omit<HistoryPage, 'documentId' | 'locale'> {
  /** Null for all locales. */
  readonly locale: string | null
}

/** The last states of documents that no longer exist in a locale, the latest deletion first, and their number. */
export async function listDeleted(
  reader: HistoryReader,
  type: ContentType,
  { locale, includesDrafts, start, limit }: DeletedPage,
): Promise<{ readonly states: readonly ReadState[]; readonly total: number }> {
  const { read } = reader
  const isDeleted = sql`h.type = ${type.uid} and h.action = 'delete'${publishedOnly(includesDrafts)}
    ${locale === null ? sql`` : sql`and h.locale = ${locale}`}
    and not exists (select 1 from ${sql.table(type.table)} as t
      where t.document_id = h.document_id and t.locale = h.locale)
    and not exists (select 1 from ${history} as n
      where n.document_id = h.document_id and n.locale = h.locale and n.id > h.id)`
  const rows = await read(
    sql`select c.total, ${ITEM}, ${STATE} from (select count(*) as total from ${history} as h where ${isDeleted}) as c
        left join (select h.* from ${history} as h where ${isDeleted}
          order by h.id desc limit ${limit} offset ${start}) as h on true
        order by h.id desc`,
  )
  const found = rows.filter(({ id }) => id !== null)
  return { states: await readRows(reader, type, found), total: Number(rows[0]?.total ?? 0) }
}

/** The states of rows, without those of content-types that were removed since. */
async function readRows(
  reader: HistoryReader,
  type: ContentType,
  rows: readonly Row[],
): Promise<ReadState[]> {
  const states: ReadState[] = []
  for (const row of rows) {
    const state = await readRow(reader, type, row)
    if (state) states.push(state)
  }
  return states
}

/** The state of a row; null if it belongs to a content-type that was removed since. */
export async function readRow(reader: HistoryReader, type: ContentType, row: Row): Promise<ReadState | null> {
  const blueprint = blueprintOf(reader.layout, type)
  const migrations = await migrationsSince(reader, type, Number(row.model))
  if (!migrations) return null
  const item = itemOf(row)
  const saved = parseState({
    rowId: row.row_id === null ? null : Number(row.row_id),
    locale: item.locale,
    published: item.published,
    state: String(row.state),
  })
  return { item, state: convertState(blueprint, migrations, saved) }
}

const migrationsByLayout = new WeakMap<Layout, Map<string, ReturnType<typeof typeMigrations>>>()

/** The migrations of a content-type since a schema version; found once for each model. */
async function migrationsSince(reader: HistoryReader, { uid }: ContentType, schemaVersion: number) {
  const { layout } = reader
  const known = migrationsByLayout.get(layout) ?? new Map<string, ReturnType<typeof typeMigrations>>()
  migrationsByLayout.set(layout, known)
  const key = `${uid} ${schemaVersion}`
  let migrations = known.get(key)
  if (migrations === undefined) {
    const replaced = await replacedModels(reader)
    const since = replaced.filter(({ version }) => version >= schemaVersion).map(({ model }) => model)
    migrations = typeMigrations([...since, layout.model], uid)
    known.set(key, migrations)
  }
  return migrations
}

interface ReplacedModel {
  readonly version: number
  readonly model: Model
}

const modelsByLayout = new WeakMap<Layout, Promise<readonly ReplacedModel[]>>()

/** The models that migrations have replaced, in order. A migration also replaces the layout. */
function replacedModels({ read, layout }: HistoryReader): Promise<readonly ReplacedModel[]> {
  let models = modelsByLayout.get(layout)
  if (!models) {
    models = read(sql`select version, model from ${historyModels} order by version`).then((rows) =>
      rows.map(({ version, model }) => ({
        version: Number(version),
        model: deserializeModel(String(model)),
      })),
    )
    modelsByLayout.set(layout, models)
    models.catch(() => modelsByLayout.delete(layout))
  }
  return models
}

const itemOf = (row: Row): HistoryItem => ({
  version: Number(row.id),
  documentId: String(row.document_id),
  locale: String(row.locale),
  published: row.published === 1,
  action: String(row.action),
  author: String(row.author),
  at: String(row.at),
})

/** Exports and imports version rows. */
import type { ContentType } from '../../model/model.ts'
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { ReadRows, Transaction } from '../../store/store.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { columnOf, type Layout, VERSION_COLUMNS } from '../../store/tables/layout.ts'
import { servedRow, servedScalars } from '../../store/tables/served.ts'
import type { ChangeSink } from '../changes/change-record.ts'
import { type Blueprint, blueprintOf } from '../rows/blueprint.ts'
import { placeholders, statement } from '../rows/statement.ts'
import { type ArchiveLine, DOCUMENT_ID, type Fields, INSTANT, type UnknownNames } from './archive-line.ts'
import { EntryReader, entriesToJson, type OnInvalidValue, storedScalar } from './entries.ts'
import { recordImported } from './record-import.ts'
import { toJsonValue } from './values.ts'

const BATCH = 100

/** The columns of a type's rows, in the order in which they are inserted. */
const columnsOf = ({ columns }: Blueprint): readonly string[] => [VERSION_COLUMNS.id, ...columns]

/** All rows of a content-type as fields of lines, in batches, ordered by id. */
export async function* rowLines(
  read: ReadRows,
  layout: Layout,
  type: ContentType,
): AsyncGenerator<readonly Fields[]> {
  const blueprint = blueprintOf(layout, type)
  const columns = sql.join(
    columnsOf(blueprint)
      .filter((column) => column !== VERSION_COLUMNS.served)
      .map((column) => sql.id(column)),
  )
  for (let after = 0; ; ) {
    const rows = await read(
      sql`select ${columns} from ${sql.table(type.table)} where id > ${after} order by id limit ${sql.lit(BATCH)}`,
    )
    if (rows.length > 0) yield rows.map((row) => rowToJson(blueprint, row))
    if (rows.length < BATCH) return
    after = Number(rows.at(-1)?.id)
  }
}

/**
 * Whether a version stays in the table without being served, since localization or draft & publish was switched off. It
 * returns when that is switched on again.
 */
const isHidden = (type: ContentType, { locale, published }: Pick<ArchivedRow, 'locale' | 'published'>) =>
  type.localized !== (locale !== '') || (!published && !type.draftAndPublish)

function rowToJson({ model, type, scalars, lists }: Blueprint, row: Row): Fields {
  const values: Record<string, unknown> = {}
  for (const attribute of scalars) {
    const stored = row[columnOf(attribute.name)] ?? null
    if (stored !== null) values[attribute.name] = toJsonValue(attribute.type, stored)
  }
  for (const { name } of lists) {
    const stored = row[columnOf(name)] ?? null
    if (stored === null) continue
    const entries: readonly Entry[] = JSON.parse(String(stored))
    values[name] = entriesToJson(model, entries)
  }
  const [locale, published] = [String(row.locale), row.published === 1]
  return {
    kind: 'row',
    type: type.uid,
    id: row.id,
    documentId: row.document_id,
    locale,
    published,
    ...(isHidden(type, { locale, published }) && { hidden: true }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    revision: row.revision,
    values,
  }
}

/** A row that is ready to be inserted. */
export interface ArchivedRow {
  readonly type: ContentType
  readonly id: number
  readonly documentId: string
  readonly locale: string
  readonly published: boolean
  /** Whether the exporting database did not serve it. */
  readonly wasHidden: boolean
  readonly parameters: readonly SqlValue[]
}

const AUTHOR = /^[a-z]+:\d{1,16}$/
const LOCALE = /^[A-Za-z0-9-]{0,35}$/

export interface RowReadOptions {
  readonly layout: Layout
  readonly unknown: UnknownNames
  /** Whether the archive was made with the same model. What that does not serve was hidden in the exporting database. */
  readonly isOfSameModel?: boolean
  /** Called with the id of each component entry. */
  readonly onEntryId: (entryId: number) => void
  /** Called for a value that its attribute cannot hold, which is then left out. Without it, such a value is an error. */
  readonly onInvalidValue?: OnInvalidValue
  /** May change the values of a row before they are stored. */
  readonly relocate?: (type: ContentType, values: Fields) => Fields
}

/** The row of a line; null, and recorded as unknown, if the project does not have its content-type. */
export function readRow(
  line: ArchiveLine,
  { layout, unknown, isOfSameModel = false, onEntryId: met, onInvalidValue, relocate }: RowReadOptions,
): ArchivedRow | null {
  const uid = line.string('type')
  const type = layout.model.types.get(uid)
  if (!type) {
    unknown.add(`content-type ${uid}`)
    return null
  }
  const blueprint = blueprintOf(layout, type)
  const sent = line.object('values').fields
  for (const name of Object.keys(sent)) {
    const kind = type.attributes.get(name)?.kind
    if (!kind || kind === 'relation' || kind === 'media') unknown.add(`attribute ${name} of ${uid}`)
  }
  const values = relocate ? relocate(type, sent) : sent
  const sentValue = (name: string) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null)
  const stored = new Map(
    blueprint.scalars.map((attribute) => {
      const value = sentValue(attribute.name)
      return [attribute.name, value === null ? null : storedScalar(attribute, value, line, onInvalidValue)]
    }),
  )
  const entries = new EntryReader(layout.model, unknown, met, onInvalidValue)
  const lists = blueprint.lists.map((attribute) => {
    const value = sentValue(attribute.name)
    return value === null ? null : JSON.stringify(entries.list(attribute, value, line, attribute.name))
  })
  const version = versionOf(line, type, isOfSameModel)
  const { id, documentId, locale, published, wasHidden } = version
  const served = servedRow(
    type,
    documentId,
    servedScalars(type, (name) => stored.get(name) ?? null),
    version,
    locale,
  )
  return {
    ...{ type, id, documentId, locale, published, wasHidden },
    parameters: [
      ...[id, documentId, locale, published ? 1 : 0, version.createdAt, version.updatedAt],
      ...[version.publishedAt, version.createdBy, version.updatedBy, version.revision, served],
      ...stored.values(),
      ...lists,
    ],
  }
}

/** A version that the content-type does not serve is an error, unless the exporting database did not serve it either. */
function versionOf(line: ArchiveLine, type: ContentType, isOfSameModel: boolean) {
  const locale = line.string('locale', LOCALE)
  const published = line.boolean('published')
  // Archives of earlier versions do not mark hidden versions.
  const wasHidden = line.fields.hidden === true || (isOfSameModel && isHidden(type, { locale, published }))
  if (!wasHidden && type.localized !== (locale !== '')) {
    throw line.error(
      type.localized
        ? `has no locale, but ${type.uid} is localized`
        : `has a locale, but ${type.uid} is not localized`,
    )
  }
  if (!wasHidden && !published && !type.draftAndPublish)
    throw line.error(`is a draft, but ${type.uid} has no drafts`)
  return {
    id: line.integer('id', 1),
    documentId: line.string('documentId', DOCUMENT_ID),
    locale,
    published,
    wasHidden,
    createdAt: line.string('createdAt', INSTANT),
    updatedAt: line.string('updatedAt', INSTANT),
    publishedAt: line.stringOrNull('publishedAt', INSTANT),
    createdBy: line.stringOrNull('createdBy', AUTHOR),
    updatedBy: line.stringOrNull('updatedBy', AUTHOR),
    revision: line.integer('revision', 1),
  }
}

/** Rows per statement: engines allow about 32,000 parameters. */
export const rowsPerStatement = (parameters: number) =>
  Math.max(1, Math.min(BATCH, Math.floor(30_000 / parameters)))

/** Inserts rows of one content-type with the ids from the archive. */
export async function insertRows(
  transaction: Transaction,
  layout: Layout,
  type: ContentType,
  rows: readonly ArchivedRow[],
  sinks: readonly ChangeSink[],
): Promise<void> {
  const columns = columnsOf(blueprintOf(layout, type))
  const build =
    () => sql`insert into ${sql.table(type.table)} (${sql.join(columns.map((name) => sql.id(name)))})
    values ${sql.join(rows.map(() => sql`(${placeholders(columns.length)})`))}`
  const shape = `import|${type.table}|${columns.join()}|${rows.length}`
  const parameters = rows.flatMap((row) => row.parameters)
  // Wait, so that no more than one batch is in memory.
  await transaction.all(statement(transaction.dialect, shape, build, parameters))
  transaction.touch(type.table)
  const served = rows.filter((row) => !isHidden(type, row))
  if (sinks.length > 0) await recordImported(transaction, layout, sinks, type, 'create', served)
}

/** Version rows outside of a database: read in batches, written as lines, and read back from lines. */
import type { ContentType } from '../../model/model.ts'
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { ReadRows, Transaction } from '../../store/store.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { columnOf, type Layout, VERSION_COLUMNS } from '../../store/tables/layout.ts'
import { servedRow, servedScalars } from '../../store/tables/served.ts'
import { type Blueprint, blueprintOf } from '../rows/blueprint.ts'
import { placeholders, statement } from '../rows/statement.ts'
import { DOCUMENT_ID, type Fields, INSTANT, type Line, type Unknown } from './archive-line.ts'
import { EntryReader, portableEntries, storedScalar } from './entries.ts'
import { portable } from './values.ts'

const BATCH = 100

const { served: SERVED, ...READ_COLUMNS } = VERSION_COLUMNS

/** The columns of a type's rows, in the order in which they are inserted. */
const columnsOf = ({ scalars, lists }: Blueprint): readonly string[] => [
  ...Object.values(READ_COLUMNS),
  SERVED,
  ...[...scalars, ...lists].map(({ name }) => columnOf(name)),
]

/** Every row of a content-type as the fields of a line, some at a time, in the order of their ids. */
export async function* rowLines(
  read: ReadRows,
  layout: Layout,
  type: ContentType,
): AsyncGenerator<readonly Fields[]> {
  const blueprint = blueprintOf(layout, type)
  const columns = sql.join(
    columnsOf(blueprint)
      .filter((column) => column !== SERVED)
      .map((column) => sql.id(column)),
  )
  for (let after = 0; ; ) {
    const rows = await read(
      sql`select ${columns} from ${sql.table(type.table)} where id > ${after} order by id limit ${sql.lit(BATCH)}`,
    )
    if (rows.length > 0) yield rows.map((row) => portableRow(blueprint, row))
    if (rows.length < BATCH) return
    after = Number(rows.at(-1)?.id)
  }
}

function portableRow({ model, type, scalars, lists }: Blueprint, row: Row): Fields {
  const values: Record<string, unknown> = {}
  for (const attribute of scalars) {
    const stored = row[columnOf(attribute.name)] ?? null
    if (stored !== null) values[attribute.name] = portable(attribute.type, stored)
  }
  for (const { name } of lists) {
    const stored = row[columnOf(name)] ?? null
    if (stored === null) continue
    const entries: readonly Entry[] = JSON.parse(String(stored))
    values[name] = portableEntries(model, entries)
  }
  return {
    kind: 'row',
    type: type.uid,
    id: row.id,
    documentId: row.document_id,
    locale: row.locale,
    published: row.published === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    revision: row.revision,
    values,
  }
}

/** A row ready to be inserted. */
export interface ReadRow {
  readonly type: ContentType
  readonly id: number
  readonly locale: string
  readonly parameters: readonly SqlValue[]
}

const AUTHOR = /^[a-z]+:\d{1,16}$/
const LOCALE = /^[A-Za-z0-9-]{0,35}$/

export interface RowReading {
  readonly layout: Layout
  readonly unknown: Unknown
  /** Told of the id of every component entry. */
  readonly met: (entryId: number) => void
  /** May change the values of a row before they are stored. */
  readonly relocate?: (type: ContentType, values: Fields) => Fields
}

/** The row of a line; null when its content-type is unknown, which is noted. */
export function rowFrom(line: Line, { layout, unknown, met, relocate }: RowReading): ReadRow | null {
  const uid = line.text('type')
  const type = layout.model.types.get(uid)
  if (!type) {
    unknown.note(`content-type ${uid}`)
    return null
  }
  const blueprint = blueprintOf(layout, type)
  const given = line.object('values').fields
  for (const name of Object.keys(given)) {
    const kind = type.attributes.get(name)?.kind
    if (!kind || kind === 'relation' || kind === 'media') unknown.note(`attribute ${name} of ${uid}`)
  }
  const values = relocate ? relocate(type, given) : given
  const givenFor = (name: string) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null)
  const stored = new Map(
    blueprint.scalars.map((attribute) => {
      const value = givenFor(attribute.name)
      return [attribute.name, value === null ? null : storedScalar(attribute, value, line)]
    }),
  )
  const entries = new EntryReader(layout.model, unknown, met)
  const lists = blueprint.lists.map((attribute) => {
    const value = givenFor(attribute.name)
    return value === null ? null : JSON.stringify(entries.list(attribute, value, line, attribute.name))
  })
  const version = versionOf(line, type)
  const { id, locale } = version
  const served = servedRow(
    type,
    version.documentId,
    servedScalars(type, (name) => stored.get(name) ?? null),
    version,
    locale,
  )
  return {
    type,
    id,
    locale,
    parameters: [
      ...[id, version.documentId, locale, version.published ? 1 : 0, version.createdAt, version.updatedAt],
      ...[version.publishedAt, version.createdBy, version.updatedBy, version.revision, served],
      ...stored.values(),
      ...lists,
    ],
  }
}

function versionOf(line: Line, type: ContentType) {
  const locale = line.text('locale', LOCALE)
  if (type.localized !== (locale !== '')) {
    throw line.wrong(
      type.localized
        ? `is without a locale, but ${type.uid} is localized`
        : `has a locale, but ${type.uid} is not localized`,
    )
  }
  const published = line.boolean('published')
  if (!published && !type.draftAndPublish) throw line.wrong(`is a draft, but ${type.uid} has no drafts`)
  return {
    id: line.count('id', 1),
    documentId: line.text('documentId', DOCUMENT_ID),
    locale,
    published,
    createdAt: line.text('createdAt', INSTANT),
    updatedAt: line.text('updatedAt', INSTANT),
    publishedAt: line.textOrNull('publishedAt', INSTANT),
    createdBy: line.textOrNull('createdBy', AUTHOR),
    updatedBy: line.textOrNull('updatedBy', AUTHOR),
    revision: line.count('revision', 1),
  }
}

/** Rows that go into one statement: no engine takes more than some 32,000 parameters. */
export const rowsAtATime = (parameters: number) =>
  Math.max(1, Math.min(BATCH, Math.floor(30_000 / parameters)))

/** Inserts rows of one content-type under the ids they have. */
export async function insertRows(
  transaction: Transaction,
  layout: Layout,
  type: ContentType,
  rows: readonly ReadRow[],
): Promise<void> {
  const columns = columnsOf(blueprintOf(layout, type))
  const build =
    () => sql`insert into ${sql.table(type.table)} (${sql.join(columns.map((name) => sql.id(name)))})
    values ${sql.join(rows.map(() => sql`(${placeholders(columns.length)})`))}`
  const shape = `import|${type.table}|${columns.join()}|${rows.length}`
  const parameters = rows.flatMap((row) => row.parameters)
  // Waited for, so that no more than one batch is in memory.
  await transaction.all(statement(transaction.dialect, shape, build, parameters))
  transaction.touch(type.table)
}

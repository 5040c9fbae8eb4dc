/**
 * Files that nothing uses: records that no document shows or mentions, and stored bytes that no record leads to. A text
 * that holds the address of a file uses it as much as a media attribute does.
 */
import type { ContentType } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { columnOf, EDGES, type Layout } from '../../store/tables/layout.ts'
import type { Library } from '../library.ts'
import { fileType, mediaRelations } from './records.ts'

export interface UnusedFile {
  readonly documentId: string
  readonly name: string
  readonly url: string
  /** In kilobytes. */
  readonly size: number
  readonly createdAt: string
}

/** How many rows are looked at in one statement. */
const BATCH = 500

/** Bytes without a record may belong to an upload that is under way; they count as lost only when they are older. */
const ORPHANED_AFTER_MS = 86_400_000

/** The random part of a name in storage, which its formats share. */
const KEY_ID = /_([0-9a-f]{16})(?![0-9a-f])/g

/** The files that no document shows and no text mentions, oldest first; with `before`, only those made before. */
export async function findUnused(store: Store, layout: Layout, before?: Date): Promise<UnusedFile[]> {
  const type = fileType(layout)
  const candidates: (UnusedFile & { readonly mark: string })[] = []
  for await (const row of rowsOf(
    store,
    type,
    ['name', 'url', 'size', 'hash'].map(columnOf),
    notAttached(layout),
  )) {
    if (before && String(row.created_at) >= before.toISOString()) continue
    candidates.push({
      documentId: String(row.document_id),
      name: String(row[columnOf('name')]),
      url: String(row[columnOf('url')]),
      size: Number(row[columnOf('size')]),
      createdAt: String(row.created_at),
      mark: String(row[columnOf('hash')]).slice(-16),
    })
  }
  if (candidates.length === 0) return []
  const mentioned = await mentionedKeyIds(store, layout)
  return candidates.filter(({ mark }) => !mentioned.has(mark)).map(({ mark: _mark, ...file }) => file)
}

export interface OrphanedFiles {
  /** Names of stored bytes that no record leads to. Names that are not ours are never among them. */
  readonly lost: readonly string[]
  /** Whether all that is stored is lost: then it probably belongs to records of another database. */
  readonly isAll: boolean
}

/** Compares what is stored with what is recorded. */
export async function findOrphans(
  store: Store,
  layout: Layout,
  library: Pick<Library, 'storage'>,
): Promise<OrphanedFiles> {
  const recorded = new Set<string>()
  const hash = columnOf('hash')
  const before = Date.now() - ORPHANED_AFTER_MS
  // Storage is read first: what is uploaded meanwhile then has its record before it is looked for.
  const found: { readonly key: string; readonly mark: string; readonly isOld: boolean }[] = []
  for await (const { key, modifiedAt } of library.storage.list()) {
    const [mark] = keyIdsIn(key)
    if (mark) found.push({ key, mark, isOld: modifiedAt.getTime() < before })
  }
  for await (const row of rowsOf(store, fileType(layout), [hash], null))
    recorded.add(String(row[hash]).slice(-16))
  const unrecorded = found.filter(({ mark }) => !recorded.has(mark))
  return {
    lost: unrecorded.filter(({ isOld }) => isOld).map(({ key }) => key),
    isAll: unrecorded.length === found.length,
  }
}

const keyIdsIn = (text: string) => [...text.matchAll(KEY_ID)].flatMap((match) => match[1] ?? [])

/** No edge of a media attribute leads to the file. */
function notAttached(layout: Layout): Sql | null {
  const relations = mediaRelations(layout)
  if (relations.length === 0) return null
  return sql`not exists (select 1 from ${sql.table(EDGES)} as e
    where e.target = document_id and e.relation in (${sql.join(relations)}))`
}

/** The marks of all files whose address stands in some text of some document. */
async function mentionedKeyIds(store: Store, layout: Layout): Promise<Set<string>> {
  const marks = new Set<string>()
  for (const type of layout.model.types.values()) {
    if (type === fileType(layout)) continue
    const columns = textColumns(type)
    if (columns.length === 0) continue
    for await (const row of rowsOf(store, type, columns, null))
      for (const column of columns) for (const mark of keyIdsIn(String(row[column] ?? ''))) marks.add(mark)
  }
  return marks
}

const textColumns = (type: ContentType) =>
  [...type.attributes.values()].flatMap((attribute) => {
    const holdsText =
      attribute.kind === 'component' ||
      attribute.kind === 'zone' ||
      (attribute.kind === 'scalar' && ['text', 'json'].includes(scalarTypes[attribute.type].family))
    return holdsText ? [columnOf(attribute.name)] : []
  })

/** The rows of a table in batches, with some of their columns as text. */
async function* rowsOf(
  store: Store,
  type: ContentType,
  columns: readonly string[],
  where: Sql | null,
): AsyncGenerator<Row> {
  const shown = columns.map((name) => sql`cast(${sql.id(name)} as text) as ${sql.id(name)}`)
  for (let last = 0; ; ) {
    const rows = await store.read(
      compile(
        store.dialect,
        sql`select ${sql.join([sql`id, document_id, created_at`, ...shown])} from ${sql.table(type.table)}
          where id > ${last} ${where ? sql`and ${where}` : sql``} order by id limit ${BATCH}`,
      ),
    )
    yield* rows
    if (rows.length < BATCH) return
    last = Number(rows.at(-1)?.id)
  }
}

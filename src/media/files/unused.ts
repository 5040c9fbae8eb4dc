/**
 * Finds unused files: records that no document attaches or mentions, and stored bytes without a record. A text that
 * contains the url of a file uses it.
 */
import type { ContentType } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { columnOf, EDGES, type Layout } from '../../store/tables/layout.ts'
import type { Storage } from '../storage/storage.ts'
import { stableName } from './names.ts'
import { fileType, KEY_ATTRIBUTES, keysIn, mediaRelations } from './records.ts'

export interface UnusedFile {
  readonly documentId: string
  readonly name: string
  readonly url: string
  /** In kilobytes. */
  readonly size: number
  readonly createdAt: string
}

const BATCH = 500

/** Younger bytes without a record may belong to an upload in progress. */
const ORPHANED_AFTER_MS = 86_400_000

/** The random part of a storage key, which the file's formats share. */
const KEY_ID = /_([0-9a-f]{16})(?![0-9a-f])/g

/** Oldest first; with `before`, only files created earlier. */
export async function findUnused(store: Store, layout: Layout, before?: Date): Promise<UnusedFile[]> {
  const type = fileType(layout)
  const candidates: (UnusedFile & { readonly keyId: string })[] = []
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
      keyId: keyIdOf(String(row[columnOf('hash')])),
    })
  }
  if (candidates.length === 0) return []
  const mentioned = await mentionedKeyIds(store, layout)
  return candidates.filter(({ keyId }) => !mentioned.has(keyId)).map(({ keyId: _keyId, ...file }) => file)
}

export interface OrphanedFiles {
  /** Storage keys without a record. Foreign objects in the storage are never among them. */
  readonly keys: readonly string[]
  /** Whether no stored file has a record: the storage then probably belongs to another database. */
  readonly areAll: boolean
}

export async function findOrphans(store: Store, layout: Layout, storage: Storage): Promise<OrphanedFiles> {
  const recorded = new Set<string>()
  const hash = columnOf('hash')
  const before = Date.now() - ORPHANED_AFTER_MS
  // Storage is read before the records, so that a concurrent upload is not taken for an orphan.
  const found: { readonly key: string; readonly keyId: string; readonly isOld: boolean }[] = []
  for await (const { key, modifiedAt } of storage.list()) {
    const [keyId] = keyIdsIn(key)
    if (keyId) found.push({ key, keyId, isOld: modifiedAt.getTime() < before })
  }
  const original = columnOf('original')
  for await (const row of rowsOf(store, fileType(layout), [hash, original], null)) {
    recorded.add(keyIdOf(String(row[hash])))
    for (const keyId of keyIdsIn(String(row[original] ?? ''))) recorded.add(keyId)
  }
  const unrecorded = found.filter(({ keyId }) => !recorded.has(keyId))
  return {
    keys: unrecorded.filter(({ isOld }) => isOld).map(({ key }) => key),
    areAll: unrecorded.length === found.length,
  }
}

/** Which of these storage keys belong to a file. */
export async function keysInUse(
  store: Store,
  layout: Layout,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(keys)
  const used = new Set<string>()
  const columns = KEY_ATTRIBUTES.map((name) => columnOf(name))
  for await (const row of rowsOf(store, fileType(layout), columns, null)) {
    const [url, formats, original] = columns.map((column) => row[column])
    for (const key of keysIn(url, formats, original)) if (wanted.has(key)) used.add(key)
  }
  return used
}

/** Hashes that other servers have made end with the last 16 characters. */
const keyIdOf = (hash: string) => stableName(hash).slice(-16)

const keyIdsIn = (text: string) => [...text.matchAll(KEY_ID)].flatMap((match) => match[1] ?? [])

function notAttached(layout: Layout): Sql | null {
  const relations = mediaRelations(layout)
  if (relations.length === 0) return null
  return sql`not exists (select 1 from ${sql.table(EDGES)} as e
    where e.target = document_id and e.relation in (${sql.join(relations)}))`
}

/** The key ids of all files whose url occurs in a text. */
async function mentionedKeyIds(store: Store, layout: Layout): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const type of layout.model.types.values()) {
    if (type === fileType(layout)) continue
    const columns = textColumns(type)
    if (columns.length === 0) continue
    for await (const row of rowsOf(store, type, columns, null))
      for (const column of columns) for (const keyId of keyIdsIn(String(row[column] ?? ''))) ids.add(keyId)
  }
  return ids
}

const textColumns = (type: ContentType) =>
  [...type.attributes.values()].flatMap((attribute) => {
    const holdsText =
      attribute.kind === 'component' ||
      attribute.kind === 'zone' ||
      (attribute.kind === 'scalar' && ['text', 'json'].includes(scalarTypes[attribute.type].family))
    return holdsText ? [columnOf(attribute.name)] : []
  })

/** Reads a table in batches, with the columns as text. */
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

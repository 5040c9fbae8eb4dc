/** File records: rows of the content-type of files, in the same form as the rows of documents. */
import { type RawBuilder, sql } from 'kysely'
import { authorOf } from '../documents/identity.ts'
import { type ContentType, FILE, typeOf } from '../model/model.ts'
import type { Stored } from '../model/scalar.ts'
import type { Principal } from '../query/scope.ts'
import { compile } from '../store/compile.ts'
import { columnOf, EDGES, type Layout, ownedRelations } from '../store/layout.ts'
import { servedRow } from '../store/served.ts'
import type { Row, Store, Transaction } from '../store/store.ts'
import type { Size } from './svg.ts'

/** A derived format as a record shows it. */
export interface FormatRecord extends Size {
  readonly name: string
  readonly hash: string
  readonly ext: string
  readonly mime: string
  readonly path: null
  readonly size: number
  readonly sizeInBytes: number
  readonly url: string
}

/** The attributes of a file that the library writes. */
export interface FileAttributes {
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  readonly focalPoint: { readonly x: number; readonly y: number } | null
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, FormatRecord>> | null
  readonly hash: string
  readonly ext: string
  readonly mime: string
  /** In kilobytes. */
  readonly size: number
  readonly url: string
  readonly provider: string
  readonly provider_metadata: Readonly<Record<string, string>> | null
  readonly folderPath: string
}

/** A file as it is kept, as far as the library looks at it. */
export interface KeptFile {
  readonly id: number
  readonly documentId: string
  readonly url: string
  /** Addresses of its derived formats. */
  readonly formatUrls: readonly string[]
  readonly createdAt: string
}

export const filesOf = (layout: Layout): ContentType => typeOf(layout.model, FILE)

const stored = (value: unknown): Stored | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number'
      ? value
      : JSON.stringify(value)

/** Writes a new file record. */
export async function insertFile(
  transaction: Transaction,
  type: ContentType,
  documentId: string,
  attributes: FileAttributes,
  by: Principal,
): Promise<void> {
  const now = new Date().toISOString()
  const author = authorOf(by)
  const values = new Map(Object.entries(attributes).map(([name, value]) => [name, stored(value)]))
  const times = { createdAt: now, updatedAt: now, publishedAt: now }
  const row: Record<string, Stored | null> = {
    document_id: documentId,
    locale: '',
    published: 1,
    created_at: now,
    updated_at: now,
    published_at: now,
    created_by: author,
    updated_by: author,
    revision: 1,
    served: servedRow(type, (name) => values.get(name) ?? null, times, ''),
    ...Object.fromEntries([...values].map(([name, value]) => [columnOf(name), value])),
  }
  const columns = sql.join(Object.keys(row).map((name) => sql.id(name)))
  await run(
    transaction,
    sql`insert into ${sql.table(type.table)} (${columns}) values (${sql.join(Object.values(row))})`,
  )
  transaction.touch(type.table)
}

/** Changes some attributes of a row of any content-type, or none: the row then only counts as changed. */
export async function changeRow(
  transaction: Transaction,
  type: ContentType,
  row: Row,
  attributes: Partial<FileAttributes>,
  by: Principal,
): Promise<void> {
  const now = new Date().toISOString()
  const changes = new Map(Object.entries(attributes).map(([name, value]) => [name, stored(value)]))
  const storedOf = (name: string) =>
    changes.has(name) ? (changes.get(name) ?? null) : (row[columnOf(name)] ?? null)
  const times = {
    createdAt: String(row.created_at),
    updatedAt: now,
    publishedAt: row.published_at === null ? null : String(row.published_at),
  }
  const columns: Record<string, Stored | null> = {
    updated_at: now,
    updated_by: authorOf(by),
    revision: Number(row.revision) + 1,
    served: servedRow(type, storedOf, times, String(row.locale)),
    ...Object.fromEntries([...changes].map(([name, value]) => [columnOf(name), value])),
  }
  const assignments = Object.entries(columns).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
  await run(
    transaction,
    sql`update ${sql.table(type.table)} set ${sql.join(assignments)} where id = ${Number(row.id)}`,
  )
  transaction.touch(type.table)
}

/** The row of a file by its documentId or numeric id; locked against other writers until the transaction ends. */
export async function findFile(transaction: Transaction, type: ContentType, id: string): Promise<Row | null> {
  const named = /^\d{1,15}$/.test(id) ? sql`id = ${Number(id)}` : sql`document_id = ${id}`
  const query = sql`select * from ${sql.table(type.table)} where ${named}`
  const [found] = await all(transaction, query)
  if (!found) return null
  await transaction.lock([String(found.document_id)])
  const [row] = await all(transaction, query)
  return row ?? null
}

/** Which of these names in storage belong to a record. */
export async function recordedHashes(
  store: Store,
  layout: Layout,
  hashes: readonly string[],
): Promise<Set<string>> {
  const hash = sql.id(columnOf('hash'))
  const query = sql`select ${hash} as hash from ${sql.table(filesOf(layout).table)} where ${hash} in (${sql.join(hashes)})`
  return new Set((await store.read(compile(store.engine, query))).map((row) => String(row.hash)))
}

/** Removes a file record and takes the file out of every document. */
export async function deleteFile(transaction: Transaction, layout: Layout, row: Row): Promise<void> {
  const type = filesOf(layout)
  const relations = mediaRelations(layout)
  await run(transaction, sql`delete from ${sql.table(type.table)} where id = ${Number(row.id)}`)
  transaction.touch(type.table)
  if (relations.length === 0) return
  await run(
    transaction,
    sql`delete from ${sql.table(EDGES)}
      where target = ${String(row.document_id)} and relation in (${sql.join(relations)})`,
  )
  transaction.touch(EDGES)
}

/** Whether some document shows the file with this documentId. */
export async function isShown(
  transaction: Transaction,
  layout: Layout,
  documentId: string,
): Promise<boolean> {
  const relations = mediaRelations(layout)
  if (relations.length === 0) return false
  const rows = await all(
    transaction,
    sql`select 1 as one from ${sql.table(EDGES)}
      where target = ${documentId} and relation in (${sql.join(relations)}) limit 1`,
  )
  return rows.length > 0
}

/** What the library needs to know of a file's row. */
export function keptFile(row: Row): KeptFile {
  const formats: unknown = JSON.parse(String(row[columnOf('formats')] ?? 'null'))
  const urls = Object.values(typeof formats === 'object' && formats ? formats : {}).flatMap(
    (format: unknown) =>
      typeof format === 'object' && format && 'url' in format ? [String(format.url)] : [],
  )
  return {
    id: Number(row.id),
    documentId: String(row.document_id),
    url: String(row[columnOf('url')]),
    formatUrls: urls,
    createdAt: String(row.created_at),
  }
}

/** The relations that lead from documents to files: one for each media attribute. */
export const mediaRelations = (layout: Layout): number[] =>
  mediaAttributes(layout).map(({ relation }) => relation)

/** Every media attribute of content-types and of components in them, with its relation. */
export function mediaAttributes(layout: Layout): { type: ContentType; relation: number }[] {
  return ownedRelations(layout.model).flatMap((key) => {
    const shape = key.component
      ? layout.model.components.get(key.component)
      : layout.model.types.get(key.type)
    const isMedia = shape?.attributes.get(key.attribute)?.kind === 'media'
    return isMedia ? [{ type: typeOf(layout.model, key.type), relation: layout.relationId(key) }] : []
  })
}

const all = (transaction: Transaction, query: RawBuilder<unknown>) =>
  transaction.all(compile(transaction.engine, query))
const run = (transaction: Transaction, query: RawBuilder<unknown>) =>
  transaction.run(compile(transaction.engine, query))

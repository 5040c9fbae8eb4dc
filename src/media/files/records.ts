/** File records: rows of the content-type of files, stored like other documents. */
import { authorOf } from '../../documents/author.ts'
import { loadIncoming } from '../../documents/changes/incoming-edges.ts'
import type { ChangeRecorder } from '../../documents/changes/recorder.ts'
import { blueprintOf } from '../../documents/rows/blueprint.ts'
import { deleteEdgesTo } from '../../documents/rows/edge-rows.ts'
import { loadVersions } from '../../documents/rows/load-versions.ts'
import { deleteVersions, insertVersions, updateVersions } from '../../documents/rows/version-rows.ts'
import type { Version } from '../../documents/versions/version.ts'
import { type ContentType, FILE, type MediaAttribute, typeOf } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { isObject } from '../../project/values.ts'
import type { Principal } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { columnOf, EDGES, type Layout, ownedRelations } from '../../store/tables/layout.ts'
import type { Crop, FocalPoint } from '../images/crop.ts'
import type { Size } from '../images/svg.ts'
import { keyOfUrl } from '../storage/storage.ts'
import { stableName } from './names.ts'

/** A derived format in a file record. */
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

export interface FileAttributes {
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  readonly focalPoint: FocalPoint | null
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
  readonly crop: Crop | null
  /** The storage key of the image before it was cropped. */
  readonly original: string | null
}

/** Files have no drafts and no locales, so a file is one version. */
export interface FileDocument {
  readonly documentId: string
  readonly version: Version
}

export const fileType = (layout: Layout): ContentType => typeOf(layout.model, FILE)

const blueprint = (layout: Layout) => blueprintOf(layout, fileType(layout))

const storedValues = (attributes: Partial<FileAttributes>): [string, Stored | null][] =>
  Object.entries(attributes).map(([name, value]) => [name, stored(value)])

const stored = (value: unknown): Stored | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number'
      ? value
      : JSON.stringify(value)

export function insertFile(
  transaction: Transaction,
  layout: Layout,
  documentId: string,
  attributes: FileAttributes,
  by: Principal,
  changes: ChangeRecorder | null,
): void {
  const now = new Date().toISOString()
  const author = authorOf(by)
  const version: Version = {
    id: null,
    locale: '',
    published: true,
    createdAt: now,
    updatedAt: now,
    publishedAt: now,
    createdBy: author,
    updatedBy: author,
    revision: 1,
    values: new Map(storedValues(attributes)),
    lists: new Map(),
    edges: new Map(),
  }
  void insertVersions(transaction, blueprint(layout), documentId, [version])
  changes?.addSaved({
    ...{ type: fileType(layout), documentId, action: 'create', locale: '' },
    ...{ before: [], after: [version], at: now },
  })
}

/** By documentId or numeric id. Locks the file against other writers until the transaction ends. */
export async function findFile(
  transaction: Transaction,
  layout: Layout,
  id: string,
): Promise<FileDocument | null> {
  const documentId = NUMERIC.test(id) ? await documentIdOf(transaction, layout, Number(id)) : id
  if (documentId === null) return null
  transaction.lock([documentId])
  const [version] = await loadVersions(transaction, blueprint(layout), documentId)
  return version ? { documentId, version } : null
}

const NUMERIC = /^\d{1,15}$/

/**
 * Locks the files that one write changes, all at once: locked one by one, two writes that name the same files in another
 * order would wait for each other.
 */
export async function lockFiles(
  transaction: Transaction,
  layout: Layout,
  ids: readonly string[],
): Promise<void> {
  const numbers = ids.filter((id) => NUMERIC.test(id)).map(Number)
  const query = sql`select document_id from ${sql.table(fileType(layout).table)} where id in (${sql.join(numbers)})`
  const rows = numbers.length === 0 ? [] : await transaction.all(compile(transaction.dialect, query))
  const named = ids.filter((id) => !NUMERIC.test(id))
  transaction.lock([...named, ...rows.map((row) => String(row.document_id))])
}

async function documentIdOf(transaction: Transaction, layout: Layout, id: number): Promise<string | null> {
  const query = sql`select document_id from ${sql.table(fileType(layout).table)} where id = ${id}`
  const [row] = await transaction.all(compile(transaction.dialect, query))
  return row ? String(row.document_id) : null
}

export function updateFile(
  transaction: Transaction,
  layout: Layout,
  { documentId, version }: FileDocument,
  values: Partial<FileAttributes>,
  by: Principal,
  changes: ChangeRecorder | null,
): void {
  const after = {
    ...version,
    updatedAt: new Date().toISOString(),
    updatedBy: authorOf(by),
    values: new Map([...version.values, ...storedValues(values)]),
  }
  updateVersions(transaction, blueprint(layout), documentId, [{ before: version, after }])
  changes?.addSaved({
    ...{ type: fileType(layout), documentId, action: 'update', locale: '' },
    ...{ before: [version], after: [after], at: after.updatedAt },
  })
}

/** Also detaches the file from every document. */
export async function deleteFile(
  transaction: Transaction,
  layout: Layout,
  { documentId, version }: FileDocument,
  changes: ChangeRecorder | null,
): Promise<void> {
  if (changes) {
    const incoming = await loadIncoming(transaction, layout, documentId)
    changes.addSaved({
      ...{ type: fileType(layout), documentId, action: 'delete', locale: '' },
      ...{ before: [version], after: [], incoming: incoming.edges, at: new Date().toISOString() },
    })
    for (const [type, owners] of incoming.owners) changes.addRelated(type, owners)
  }
  deleteEdgesTo(transaction, documentId)
  deleteVersions(transaction, blueprint(layout), [Number(version.id)])
}

/** The storage keys of a file: of its contents, its formats, and the image before it was cropped. */
export function keysOf({ version }: FileDocument): string[] {
  const [url, formats, original] = KEY_ATTRIBUTES.map((name) => version.values.get(name))
  return keysIn(url, formats, original)
}

/** The attributes of a file that contain its storage keys, in the order that `keysIn` takes them. */
export const KEY_ATTRIBUTES = ['url', 'formats', 'original'] as const

export function keysIn(url: unknown, formats: unknown, original: unknown): string[] {
  const stored: unknown = JSON.parse(String(formats ?? 'null'))
  const urls = Object.values(typeof stored === 'object' && stored ? stored : {}).flatMap((format: unknown) =>
    typeof format === 'object' && format && 'url' in format ? [String(format.url)] : [],
  )
  return [...[String(url), ...urls].map(keyOfUrl), ...(original ? [String(original)] : [])]
}

/** A file that a storage key leads to, and the key of its current contents in the same format. */
export interface StoredKeyTarget {
  readonly documentId: string
  readonly url: string
}

/**
 * The file of a storage key, even of a former one. The key is its hash with an extension; before it, the name of a derived
 * format. Contents of the same file have hashes that differ in their last part only.
 */
export async function findByKey(store: Store, layout: Layout, key: string): Promise<StoredKeyTarget | null> {
  const parts = stableName(key.replace(/\..*$/, '')).split('_')
  const names = parts.map((_, index) => parts.slice(index).join('_'))
  const [hash, url, formats] = ['hash', 'url', 'formats'].map((name) => sql.id(columnOf(name)))
  const selected = names.map(
    (name) => sql`select document_id, ${hash} as hash, ${url} as url, ${formats} as formats
      from ${sql.table(fileType(layout).table)}
      where published = 1 and locale = '' and (${hash} = ${name} or (${hash} > ${`${name}-`} and ${hash} < ${`${name}.`}))`,
  )
  const rows = await store.read(compile(store.dialect, sql.join(selected, ' union all ')))
  const [row] = rows
  if (!row) return null
  const format = key.slice(0, Math.max(0, key.indexOf(`_${stableName(String(row.hash))}`)))
  const derived: unknown = JSON.parse(String(row.formats ?? 'null'))
  const shown: unknown = isObject(derived) && Object.hasOwn(derived, format) ? derived[format] : null
  return {
    documentId: String(row.document_id),
    url: isObject(shown) ? String(shown.url) : String(row.url),
  }
}

/** Which of these hashes have a record. */
export async function recordedHashes(
  store: Store,
  layout: Layout,
  hashes: readonly string[],
): Promise<Set<string>> {
  const hash = sql.id(columnOf('hash'))
  const query = sql`select ${hash} as hash from ${sql.table(fileType(layout).table)} where ${hash} in (${sql.join(hashes)})`
  return new Set((await store.read(compile(store.dialect, query))).map((row) => String(row.hash)))
}

/** Whether the file is attached to a document. */
export async function isUsed(transaction: Transaction, layout: Layout, documentId: string): Promise<boolean> {
  const relations = mediaRelations(layout)
  if (relations.length === 0) return false
  const query = sql`select 1 as one from ${sql.table(EDGES)}
    where target = ${documentId} and relation in (${sql.join(relations)}) limit 1`
  return (await transaction.all(compile(transaction.dialect, query))).length > 0
}

export const mediaRelations = (layout: Layout): number[] =>
  mediaAttributes(layout).map(({ relation }) => relation)

/** A media attribute of a content-type, or of a component in it. */
interface OwnedMediaAttribute {
  readonly type: ContentType
  readonly component: string | null
  readonly attribute: MediaAttribute
  readonly relation: number
}

/** Every media attribute of content-types and of components in them, with its relation. */
export function mediaAttributes(layout: Layout): OwnedMediaAttribute[] {
  return ownedRelations(layout.model).flatMap((key) => {
    const { component } = key
    const shape = component ? layout.model.components.get(component) : layout.model.types.get(key.type)
    const attribute = shape?.attributes.get(key.attribute)
    if (attribute?.kind !== 'media') return []
    const type = typeOf(layout.model, key.type)
    return [{ type, component, attribute, relation: layout.relationId(key) }]
  })
}

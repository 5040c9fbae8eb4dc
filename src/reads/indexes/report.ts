/** The indexes that would help and those that exist, as people see them. */
import { type ContentType, FILE, type Model, ROLE } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import type { Store } from '../../store/store.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { knownIndexes } from './known-indexes.ts'
import { estimateSize, fieldNameOf, type Suggestion, suggestionsFrom } from './suggestions.ts'
import { readAutomaticIndexes, readShapes, readUses } from './tables.ts'

export interface IndexReport {
  readonly suggested: readonly SuggestedIndex[]
  readonly existing: readonly ExistingIndex[]
}

export interface SuggestedIndex {
  readonly contentType: string
  /** The attributes of the index, in order. */
  readonly on: readonly string[]
  /** How often reads were made that it would serve. */
  readonly reads: number
  /** These reads by kind, the most expensive first. */
  readonly serves: readonly ServedReads[]
  /** Its estimated size, and the bytes that it adds to each write. */
  readonly bytes: number
  readonly bytesPerWrite: number
  /** What to declare in the schema; null for fields that a schema cannot index. */
  readonly declare: { readonly options: { readonly indexes: readonly (readonly string[])[] } } | null
}

interface ServedReads {
  /** A path with a query string whose values are removed. */
  readonly example: string
  readonly reads: number
  readonly rowsRead: number
  readonly rowsReturned: number
  readonly milliseconds: number
  readonly lastAt: string
}

export interface ExistingIndex {
  readonly name: string
  readonly contentType: string
  readonly on: readonly string[]
  /** Whether the server has created it by itself. */
  readonly automatic: boolean
  readonly isReady: boolean
  readonly createdAt: string | null
  /** When a read last used it; null if none has since reads are counted. */
  readonly lastUsedAt: string | null
  readonly bytes: number
}

export async function reportIndexes(store: Store, model: Model): Promise<IndexReport> {
  const automatic = await readAutomaticIndexes(store)
  const suggestions = suggestionsFrom(await readShapes(store), model, automatic, store)
  const suggested: SuggestedIndex[] = []
  for (const one of suggestions) suggested.push(await suggestedIndex(store, one))
  const uses = await readUses(store)
  const sizes = await readSizes(store)
  const created = new Map(automatic.map((index) => [index.name, index]))
  const existing = [...model.types.values()].flatMap((type) => {
    const building = automatic.filter(({ table, state }) => table === type.table && state === 'building')
    return [...knownIndexes(type, automatic, store.dialect), ...building].map(({ name, columns }) => ({
      name,
      contentType: type.uid,
      on: columns.map(fieldNameOf),
      automatic: created.has(name),
      isReady: created.get(name)?.state !== 'building',
      createdAt: created.get(name)?.since ?? null,
      lastUsedAt: uses.get(name) ?? null,
      bytes: sizes.get(name) ?? 0,
    }))
  })
  return { suggested, existing }
}

async function suggestedIndex(store: Store, suggestion: Suggestion): Promise<SuggestedIndex> {
  const { type, columns, shapes, reads } = suggestion
  const { bytes, bytesPerWrite } = await estimateSize(store, suggestion)
  const on = columns.map(fieldNameOf)
  const canDeclare = columns.every((column, place) => column === columnOf(on[place] ?? ''))
  return {
    contentType: type.uid,
    on,
    reads,
    serves: shapes.map(({ example, status, rowsRead, rowsReturned, milliseconds, lastAt, ...shape }) => ({
      example: `${pathOf(type)}?${example}${status === 'draft' ? '&status=draft' : ''}`,
      reads: shape.reads,
      rowsRead,
      rowsReturned,
      milliseconds: Math.round((milliseconds / shape.reads) * 10) / 10,
      lastAt,
    })),
    bytes,
    bytesPerWrite,
    declare: canDeclare ? { options: { indexes: [...type.indexes, on] } } : null,
  }
}

async function readSizes(store: Store): Promise<ReadonlyMap<string, number>> {
  const rows = await store.read(compile(store.dialect, store.dialect.indexSizes))
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
}

/** Built-in types whose path is not their plural name. */
const PATHS: ReadonlyMap<string, string> = new Map([
  [FILE, 'upload/files'],
  [ROLE, 'users-permissions/roles'],
])

/** The path at which documents of a content-type are read. */
export const pathOf = (type: ContentType): string =>
  `/api/${PATHS.get(type.uid) ?? (type.kind === 'single' ? type.singular : type.plural)}`

/** The indexes that would help, from the kinds of reads that were counted, with what they would cost. */
import type { ContentType, Model } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import type { AutomaticIndex } from '../../store/tables/automatic-indexes.ts'
import { VERSION_COLUMNS } from '../../store/tables/layout.ts'
import { knownIndexes } from './known-indexes.ts'
import type { CountedShape } from './tables.ts'

export interface Suggestion {
  readonly type: ContentType
  readonly columns: readonly string[]
  /** The reads that the index would serve, the most expensive first. */
  readonly shapes: readonly CountedShape[]
  readonly reads: number
}

export interface IndexSize {
  /** The rows of the table. */
  readonly rows: number
  readonly bytes: number
  /** What each new row, and each change of an indexed attribute, adds. */
  readonly bytesPerWrite: number
}

/** Those that no index of the content-type serves, the most helpful first. Reads of earlier models are left out. */
export function suggestionsFrom(
  shapes: readonly CountedShape[],
  model: Model,
  automatic: readonly AutomaticIndex[],
  store: Pick<Store, 'dialect'>,
): readonly Suggestion[] {
  const found = new Map<string, Suggestion>()
  for (const shape of shapes) {
    const type = model.types.get(shape.type)
    if (!type?.table || !shape.columns.every((column) => hasColumn(type, column))) continue
    const isServed = knownIndexes(type, automatic, store.dialect).some(({ columns }) =>
      startsWith(columns, shape.columns),
    )
    if (isServed) continue
    const key = JSON.stringify([shape.type, shape.columns])
    const before = found.get(key)
    found.set(key, {
      type,
      columns: shape.columns,
      shapes: [...(before?.shapes ?? []), shape],
      reads: (before?.reads ?? 0) + shape.reads,
    })
  }
  const all = [...found.values()]
  const isPart = (one: Suggestion) =>
    all.some(
      (other) =>
        other !== one &&
        other.type === one.type &&
        other.columns.length > one.columns.length &&
        startsWith(other.columns, one.columns),
    )
  // A longer index serves what its beginning would serve.
  return all.filter((one) => !isPart(one))
}

const startsWith = (columns: readonly string[], start: readonly string[]) =>
  start.every((column, place) => columns[place] === column)

const versionColumns: ReadonlySet<string> = new Set(Object.values(VERSION_COLUMNS))

const hasColumn = (type: ContentType, column: string): boolean =>
  column.startsWith('a_')
    ? type.attributes.get(column.slice(2))?.kind === 'scalar'
    : versionColumns.has(column)

/** The name of an attribute or of a version field by its column. */
export const fieldNameOf = (column: string): string => {
  if (column.startsWith('a_')) return column.slice(2)
  const [name] = Object.entries(VERSION_COLUMNS).find(([, own]) => own === column) ?? [column]
  return name
}

const SAMPLED_ROWS = 1_000

/** Estimates the size of an index from the values of some rows. */
export async function estimateSize(
  store: Store,
  { type, columns }: Pick<Suggestion, 'type' | 'columns'>,
): Promise<IndexSize> {
  const table = sql.table(type.table)
  const lengths = columns.map(
    (column) => sql`coalesce(avg(octet_length(cast(${sql.id(column)} as text))), 0)`,
  )
  const [row] = await store.read(
    compile(
      store.dialect,
      sql`select (select count(*) from ${table}) as rows, (select ${sql.join(lengths, ' + ')}
        from (select * from ${table} limit ${sql.lit(SAMPLED_ROWS)}) as sampled) as bytes`,
    ),
  )
  const rows = Number(row?.rows ?? 0)
  const bytesPerWrite = Math.round(Number(row?.bytes ?? 0)) + store.dialect.indexEntryBytes
  return { rows, bytes: rows * bytesPerWrite, bytesPerWrite }
}

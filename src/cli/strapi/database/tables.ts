/** The tables and columns of a Strapi database, found by the names of content-types, components and attributes. */
import type { Fields } from '../../../documents/transfer/archive-line.ts'
import { isObject } from '../../../project/values.ts'
import { UsageError } from '../../error-message.ts'

/** A content-type or component, and the table of its rows. */
export interface TableShape {
  readonly uid: string
  readonly table: string
  readonly attributes: ReadonlyMap<string, Fields>
  /** The columns of attributes that have one, by attribute. */
  readonly columns: ReadonlyMap<string, string>
}

export type TableColumns = ReadonlyMap<string, readonly string[]>

/** Strapi writes names in snake case: `firstName` is `first_name`, and `line2` is `line_2`. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Attributes without a column in the table of their rows. */
const WITHOUT_COLUMN: ReadonlySet<unknown> = new Set(['relation', 'media', 'component', 'dynamiczone'])

/** Longer names of tables and columns are shortened by Strapi, and cannot be derived from the names of attributes. */
const LONGEST_NAME = 55

/** What Strapi adds to the rows of content-types. */
const SYSTEM_COLUMNS: readonly (readonly [name: string, column: string])[] = [
  ['documentId', 'document_id'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
  ['publishedAt', 'published_at'],
  ['locale', 'locale'],
]

/** The shape of a schema; null if the database has no table for it. */
export function shapeOf(uid: string, schema: Fields, all: TableColumns): TableShape | null {
  const table = tableNamed(String(schema.collectionName ?? ''), all)
  if (table === null) return null
  const declared = isObject(schema.attributes) ? Object.entries(schema.attributes) : []
  const attributes = new Map(declared.flatMap(([name, one]) => (isObject(one) ? [[name, one] as const] : [])))
  const existing = all.get(table) ?? []
  const columns = new Map<string, string>()
  for (const [name, { type }] of attributes) {
    if (WITHOUT_COLUMN.has(type)) continue
    const column = existing.find((one) => plain(one) === plain(name))
    if (column === undefined && name.length > LONGEST_NAME - 10)
      throw new UsageError(
        `The attribute ${name} of ${uid} has a name that Strapi shortens in the database.\n  Run "strapi export" and import the file.`,
      )
    if (column !== undefined) columns.set(name, column)
  }
  for (const [name, column] of SYSTEM_COLUMNS) if (existing.includes(column)) columns.set(name, column)
  return { uid, table, attributes, columns }
}

/** The table with this name, however it is written. */
export function tableNamed(name: string, all: TableColumns): string | null {
  if (all.has(name)) return name
  const wanted = plain(name)
  return wanted === '' ? null : ([...all.keys()].find((table) => plain(table) === wanted) ?? null)
}

/** The table of an attribute: `lnk` for a relation, `mph` for a polymorphic one. */
export const tableOfAttribute = (
  { table }: TableShape,
  attribute: string,
  suffix: 'lnk' | 'mph',
  all: TableColumns,
): string | null => tableNamed(`${table}_${attribute}_${suffix}`, all)

/** The column of a table with this name, however it is written. */
export const columnNamed = (table: string, name: string, all: TableColumns): string | null =>
  all.get(table)?.find((column) => plain(column) === plain(name)) ?? null

/** The tables and columns of a Strapi database, found by the names of content-types, components and attributes. */
import type { Fields } from '../../../documents/transfer/archive-line.ts'
import { isObject } from '../../../project/values.ts'
import { UsageError } from '../../error-message.ts'
import { MAX_LENGTH, type NameParts, shortName, snakeCase } from './short-names.ts'

/** A content-type or component, and the table of its rows. */
export interface TableShape {
  readonly uid: string
  readonly table: string
  /** The name of the table in the schema, which may be longer. */
  readonly collection: string
  readonly attributes: ReadonlyMap<string, Fields>
  /** The columns of attributes that have one, by attribute. */
  readonly columns: ReadonlyMap<string, string>
}

export type TableColumns = ReadonlyMap<string, readonly string[]>

/** Strapi writes names in snake case: `firstName` is `first_name`, and `line2` is `line_2`. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Attributes without a column in the table of their rows. */
const WITHOUT_COLUMN: ReadonlySet<unknown> = new Set(['relation', 'media', 'component', 'dynamiczone'])

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
  const collection = String(schema.collectionName ?? '')
  const table = nameIn([...all.keys()], { parts: [collection] })
  if (table === null) return null
  const declared = isObject(schema.attributes) ? Object.entries(schema.attributes) : []
  const attributes = new Map(declared.flatMap(([name, one]) => (isObject(one) ? [[name, one] as const] : [])))
  const existing = all.get(table) ?? []
  const columns = new Map<string, string>()
  for (const [name, { type }] of attributes) {
    if (WITHOUT_COLUMN.has(type)) continue
    const column = nameIn(existing, { parts: [name] })
    if (column === null && snakeCase(name).length > MAX_LENGTH)
      throw new UsageError(
        `The table ${table} has no column for the attribute ${name} of ${uid}.\n  Run "strapi export" and import the file.`,
      )
    if (column !== null) columns.set(name, column)
  }
  for (const [name, column] of SYSTEM_COLUMNS) if (existing.includes(column)) columns.set(name, column)
  return { uid, table, collection, attributes, columns }
}

/** The name of a table or column among those of a database, however it is written, and shortened if it is long. */
export function nameIn(existing: readonly string[], { parts, ...fixed }: NameParts): string | null {
  if (parts.includes('')) return null
  const wanted = [parts, parts.map(snakeCase)].map((each) => shortName({ ...fixed, parts: each }))
  const exact = wanted.find((name) => existing.includes(name))
  return exact ?? existing.find((name) => wanted.some((one) => plain(one) === plain(name))) ?? null
}

/** The table that links rows to their components. */
export const tableOfComponents = ({ collection }: TableShape, all: TableColumns): string | null =>
  nameIn([...all.keys()], { parts: [collection], suffix: 'cmps' })

/** The table of an attribute: `lnk` for a relation, `mph` for a polymorphic one. */
export const tableOfAttribute = (
  { table }: TableShape,
  attribute: string,
  suffix: 'lnk' | 'mph',
  all: TableColumns,
): string | null => nameIn([...all.keys()], { parts: [table, attribute], suffix })

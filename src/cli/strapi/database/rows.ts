/** Reads the rows of a Strapi database as an export has them: attributes by name, components inside. */
import type { Fields } from '../../../documents/transfer/archive-line.ts'
import { sql } from '../../../store/sql.ts'
import type { SqlValue } from '../../../store/statement.ts'
import type { DatabaseRow, StrapiDatabase } from './connection.ts'
import { type TableColumns, type TableShape, tableOfComponents } from './tables.ts'

export interface RowReader {
  /** All rows of a content-type by ascending id. */
  rowsOf(shape: TableShape): AsyncGenerator<{ readonly id: number; readonly data: Fields }>
}

/** The number of rows that are read together, with everything inside them. */
const PAGE = 500

export function createRowReader(
  database: StrapiDatabase,
  all: TableColumns,
  components: ReadonlyMap<string, TableShape>,
): RowReader {
  const select = ({ table, columns }: TableShape) =>
    sql`select ${sql.join([sql.id('id'), ...[...new Set(columns.values())].map((column) => sql.id(column))])}
      from ${sql.table(table)}`

  /** The data of rows by their ids, with the components inside them. */
  async function withComponents(
    shape: TableShape,
    rows: readonly DatabaseRow[],
  ): Promise<Map<number, Record<string, unknown>>> {
    const found = new Map(rows.map((row) => [Number(row.id), valuesOf(shape, row)]))
    const held = [...shape.attributes].filter(
      ([, { type }]) => type === 'component' || type === 'dynamiczone',
    )
    if (held.length === 0 || found.size === 0) return found
    for (const data of found.values())
      for (const [name, { type, repeatable }] of held)
        data[name] = type === 'dynamiczone' || repeatable === true ? [] : null
    const table = tableOfComponents(shape, all)
    if (table === null) return found
    const links = await database.read(
      sql`select entity_id, cmp_id, component_type, field from ${sql.table(table)}
        where entity_id in (${sql.join([...found.keys()])}) order by entity_id, field, ${sql.id('order')}, id`,
    )
    const entries = await entriesOf(links)
    for (const { entity_id: owner, cmp_id: id, component_type: uid, field } of links) {
      const data = found.get(Number(owner))
      const attribute = shape.attributes.get(String(field))
      const entry = entries.get(String(uid))?.get(Number(id))
      if (!data || !attribute || !entry) continue
      const list = data[String(field)]
      const shown = attribute.type === 'dynamiczone' ? { ...entry, __component: uid } : entry
      if (Array.isArray(list)) list.push(shown)
      else data[String(field)] ??= shown
    }
    return found
  }

  /** The components that links lead to, by uid and id. */
  async function entriesOf(links: readonly DatabaseRow[]): Promise<Map<string, Map<number, Fields>>> {
    const entries = new Map<string, Map<number, Fields>>()
    for (const [uid, ofComponent = []] of Object.entries(
      Object.groupBy(links, ({ component_type }) => String(component_type)),
    )) {
      const shape = components.get(uid)
      if (!shape) continue
      const ids = [...new Set(ofComponent.map(({ cmp_id }) => Number(cmp_id)))]
      const rows: DatabaseRow[] = []
      for (let start = 0; start < ids.length; start += PAGE) {
        const some = ids.slice(start, start + PAGE)
        rows.push(...(await database.read(sql`${select(shape)} where id in (${sql.join(some)})`)))
      }
      const read = await withComponents(shape, rows)
      entries.set(uid, new Map([...read].map(([id, data]) => [id, { id, ...data }])))
    }
    return entries
  }

  return {
    async *rowsOf(shape) {
      for (let last = 0; ; ) {
        const rows = await database.read(
          sql`${select(shape)} where id > ${last} order by id limit ${sql.lit(PAGE)}`,
        )
        for (const [id, data] of await withComponents(shape, rows)) yield { id, data }
        if (rows.length < PAGE) return
        last = Number(rows.at(-1)?.id)
      }
    },
  }
}

const INSTANTS: ReadonlySet<unknown> = new Set(['datetime', 'timestamp'])
const SYSTEM_INSTANTS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt'])

function valuesOf({ attributes, columns }: TableShape, row: DatabaseRow): Record<string, unknown> {
  return Object.fromEntries(
    [...columns].map(([name, column]) => {
      const value = row[column] ?? null
      const type = attributes.get(name)?.type
      const isInstant = SYSTEM_INSTANTS.has(name) || INSTANTS.has(type)
      return [name, value === null ? null : isInstant ? instantOf(value) : attributeValue(type, value)]
    }),
  )
}

/** The forms of values differ between databases; those that attributes accept are left to the import. */
function attributeValue(type: unknown, value: SqlValue): unknown {
  switch (type) {
    case 'json':
    case 'blocks':
      return typeof value === 'string' ? parsed(value) : value
    case 'biginteger':
      return String(value)
    case 'date':
      return typeof value === 'number' ? new Date(value).toISOString().slice(0, 10) : value
    case 'boolean':
      return value === 1 || value === 'true' || value === '1'
    default:
      return typeof value === 'bigint' ? String(value) : value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** SQLite holds milliseconds; the others hold text, in the time zone of the process unless it names one. */
function instantOf(value: SqlValue): unknown {
  if (typeof value === 'bigint') return value.toString()
  const text = typeof value === 'string' ? value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00') : value
  const isCount = typeof text === 'string' && /^\d+$/.test(text)
  const date = text === null ? null : new Date(isCount ? Number(text) : text)
  return date === null || Number.isNaN(date.getTime()) ? value : date.toISOString()
}

/** Reads the links of a Strapi database as an export has them: from the owning side of each relation, by the ids of rows. */
import type { Fields } from '../../../documents/transfer/archive-line.ts'
import { type Sql, sql } from '../../../store/sql.ts'
import type { SqlValue } from '../../../store/statement.ts'
import type { LinkEnd, Part } from '../archive/parts.ts'
import type { DatabaseRow, StrapiDatabase } from './connection.ts'
import { nameIn, type TableColumns, type TableShape, tableOfAttribute } from './tables.ts'

type Link = Extract<Part, { kind: 'link' }>

const PAGE = 5000

export interface LinkReader {
  /** The links of all relations that a content-type or component owns. */
  linksOf(shape: TableShape): AsyncGenerator<Link>
}

export function createLinkReader(database: StrapiDatabase, all: TableColumns): LinkReader {
  async function* rowsIn(table: string, columns: readonly Sql[], where: Sql): AsyncGenerator<DatabaseRow> {
    for (let last = 0; ; ) {
      const rows = await database.read(
        sql`select id, ${sql.join(columns)} from ${sql.table(table)} where id > ${last} and ${where}
          order by id limit ${sql.lit(PAGE)}`,
      )
      yield* rows
      if (rows.length < PAGE) return
      last = Number(rows.at(-1)?.id)
    }
  }

  async function* related(shape: TableShape, name: string, attribute: Fields): AsyncGenerator<Link> {
    const table = tableOfAttribute(shape, name, 'lnk', all)
    const ends = table === null ? null : endsOf(all.get(table) ?? [], shape.uid, attribute)
    if (table === null || !ends) return
    const column = (one: string | null, as: string) =>
      one === null ? sql`null as ${sql.id(as)}` : sql`${sql.id(one)} as ${sql.id(as)}`
    const columns = [
      column(ends.owner, 'owner'),
      column(ends.target, 'target'),
      column(ends.order, 'pos'),
      column(ends.inverseOrder, 'inverse_pos'),
    ]
    const field = typeof attribute.inversedBy === 'string' ? attribute.inversedBy : null
    for await (const row of rowsIn(table, columns, sql`1 = 1`))
      yield {
        kind: 'link',
        left: end(shape.uid, row.owner, name, row.pos),
        right: end(attribute.target, row.target, field, row.inverse_pos),
      }
  }

  /** Polymorphic: each link names the type and the attribute at its other end. */
  async function* morphMany(shape: TableShape, name: string): AsyncGenerator<Link> {
    const table = tableOfAttribute(shape, name, 'mph', all)
    if (table === null) return
    const id = nameIn(all.get(table) ?? [], { parts: [name], suffix: 'id' })
    const type = nameIn(all.get(table) ?? [], { parts: [name], suffix: 'type' })
    const owner = all.get(table)?.find((column) => column.endsWith('_id') && column !== id)
    if (id === null || type === null || owner === undefined) return
    const columns = [
      sql`${sql.id(owner)} as owner`,
      sql`${sql.id(id)} as target`,
      sql`${sql.id(type)} as type`,
      sql`field`,
      sql`${sql.id('order')} as pos`,
    ]
    for await (const row of rowsIn(table, columns, sql`1 = 1`))
      yield {
        kind: 'link',
        left: end(shape.uid, row.owner, name, null),
        right: end(row.type, row.target, typeof row.field === 'string' ? row.field : null, row.pos),
      }
  }

  async function* morphOne(shape: TableShape, name: string): AsyncGenerator<Link> {
    const id = nameIn(all.get(shape.table) ?? [], { parts: [name], suffix: 'id' })
    const type = nameIn(all.get(shape.table) ?? [], { parts: [name], suffix: 'type' })
    if (id === null || type === null) return
    const columns = [sql`${sql.id(id)} as target`, sql`${sql.id(type)} as type`]
    for await (const row of rowsIn(shape.table, columns, sql`${sql.id(id)} is not null`))
      yield {
        kind: 'link',
        left: end(shape.uid, row.id, name, null),
        right: end(row.type, row.target, null, null),
      }
  }

  return {
    async *linksOf(shape) {
      for (const [name, attribute] of shape.attributes) {
        if (attribute.type !== 'relation' || typeof attribute.mappedBy === 'string') continue
        if (attribute.relation === 'morphToMany') yield* morphMany(shape, name)
        else if (attribute.relation === 'morphToOne') yield* morphOne(shape, name)
        else if (attribute.morphBy === undefined) yield* related(shape, name, attribute)
      }
    },
  }
}

const end = (
  type: unknown,
  ref: SqlValue | undefined,
  field: string | null,
  pos: SqlValue | undefined,
): LinkEnd => ({
  type: String(type ?? ''),
  ref: Number(ref ?? 0),
  field,
  pos: pos === null || pos === undefined ? null : Number(pos),
})

const INVERSE = 'inv_'

/** The name of a content-type or component in the columns that refer to it. */
const singularOf = (uid: unknown) => String(uid).split('.').at(-1) ?? ''

/** The columns of a table that links rows; null if it is not one. */
function endsOf(columns: readonly string[], uid: string, { relation, target, inversedBy }: Fields) {
  const ids = columns.filter((column) => column.endsWith('_id'))
  const [source, singular] = [singularOf(uid), singularOf(target)]
  const inverse =
    ids.find((column) => column.startsWith(INVERSE)) ??
    nameIn(ids, { parts: [singular], suffix: 'id' }) ??
    ids.at(1)
  const owner = ids.find((column) => column !== inverse)
  if (inverse === undefined || owner === undefined) return null
  const isOfSameName = inverse.startsWith(INVERSE)
  const orderOf = (name: string, prefix?: string) =>
    nameIn(columns, { parts: [name], suffix: 'ord', ...(prefix && { prefix }) })
  const leadsToMany = String(relation).endsWith('ToMany')
  const comesFromMany = String(relation).startsWith('manyTo') && typeof inversedBy === 'string'
  return {
    owner,
    target: inverse,
    order: leadsToMany ? orderOf(isOfSameName ? source : singular) : null,
    inverseOrder: comesFromMany ? orderOf(source, isOfSameName && leadsToMany ? 'inv' : undefined) : null,
  }
}

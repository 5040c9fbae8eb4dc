/** The tables of what the server has learned from reads: kinds of reads that an index would help, and uses of indexes. */
import { createHash } from 'node:crypto'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import {
  type AutomaticIndex,
  automaticIndexFrom,
  automaticIndexTables,
  selectAutomaticIndexes,
} from '../../store/tables/automatic-indexes.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'
import type { ReadShape } from './examine.ts'

export const READ_SHAPES = 'octavo_read_shapes'
const shapes = sql.table(READ_SHAPES)
const uses = sql.table('octavo_index_uses')

/** A kind of read with how often it was made. */
export interface CountedShape extends ReadShape {
  readonly reads: number
  /** The time of all of these reads together. */
  readonly milliseconds: number
  readonly lastAt: string
}

export const learningTables: OwnTables = (dialect) => [
  ...automaticIndexTables(dialect),
  sql`create table if not exists ${shapes} (id text primary key, shape text not null, reads bigint not null,
    cost double precision not null, milliseconds double precision not null, last_at text not null)`,
  sql`create table if not exists ${uses} (name text primary key, last_used_at text not null)`,
]

/** More kinds of reads are not kept: those that scan the fewest rows are deleted. */
const MAX_SHAPES = 200

const idOf = ({ type, status, equal, range, sort }: ReadShape) =>
  createHash('sha256')
    .update(JSON.stringify([type, status, equal, range, sort]))
    .digest('hex')
    .slice(0, 32)

/** Adds reads of a kind to those before, and returns how many there are. */
export async function addReads(
  transaction: Transaction,
  { reads, milliseconds, lastAt, ...shape }: CountedShape,
): Promise<number> {
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`insert into ${shapes} (id, shape, reads, cost, milliseconds, last_at) values (${idOf(shape)},
        ${JSON.stringify(shape)}, ${reads}, ${reads * shape.rowsRead}, ${milliseconds}, ${lastAt})
        on conflict (id) do update set shape = excluded.shape, reads = ${shapes}.reads + excluded.reads,
        cost = ${shapes}.cost + excluded.cost, milliseconds = ${shapes}.milliseconds + excluded.milliseconds,
        last_at = excluded.last_at returning reads`,
    ),
  )
  return Number(row?.reads ?? 0)
}

/** Deletes kinds of reads that are too many, or were last made before a time. */
export function deleteShapes(transaction: Transaction, before: string): void {
  const kept = sql`select id from ${shapes} order by cost desc limit ${sql.lit(MAX_SHAPES)}`
  transaction.run(
    compile(transaction.dialect, sql`delete from ${shapes} where last_at < ${before} or id not in (${kept})`),
  )
}

export function noteUse(transaction: Transaction, name: string, at: string): void {
  transaction.run(
    compile(
      transaction.dialect,
      sql`insert into ${uses} (name, last_used_at) values (${name}, ${at})
        on conflict (name) do update set last_used_at = excluded.last_used_at`,
    ),
  )
}

/** The kinds of reads that an index would help, those that scan the most rows first. */
export async function readShapes(store: Store): Promise<readonly CountedShape[]> {
  const statement = sql`select shape, reads, milliseconds, last_at from ${shapes} order by cost desc, id`
  return (await store.read(compile(store.dialect, statement))).map(shapeFrom)
}

function shapeFrom(row: Row): CountedShape {
  const shape: ReadShape = JSON.parse(String(row.shape))
  const { reads, milliseconds, last_at } = row
  return { ...shape, reads: Number(reads), milliseconds: Number(milliseconds), lastAt: String(last_at) }
}

/** When each index last served a read, by name. */
export async function readUses(store: Store): Promise<ReadonlyMap<string, string>> {
  const rows = await store.read(compile(store.dialect, sql`select name, last_used_at from ${uses}`))
  return new Map(rows.map(({ name, last_used_at }) => [String(name), String(last_used_at)]))
}

export async function readAutomaticIndexes(store: Store): Promise<readonly AutomaticIndex[]> {
  return (await store.read(compile(store.dialect, selectAutomaticIndexes))).map(automaticIndexFrom)
}

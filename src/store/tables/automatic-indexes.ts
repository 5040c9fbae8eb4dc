/**
 * The indexes that the server has created by itself. Recorded in a table, so that every process and every migration knows
 * them. They have the columns of a declared index and are named without the names of tables, which may change.
 */
import { randomBytes } from 'node:crypto'
import type { Dialect } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'
import type { Row } from '../statement.ts'
import type { IndexDefinition } from '../store.ts'
import type { OwnTables } from './own-tables.ts'

export const AUTOMATIC_INDEXES = 'octavo_auto_indexes'

const automaticIndexes = sql.table(AUTOMATIC_INDEXES)

export interface AutomaticIndex extends IndexDefinition {
  /** `unused`: it was dropped because no read used it, and is not created again for some time. */
  readonly state: 'building' | 'ready' | 'unused'
  /** When it reached this state. */
  readonly since: string
}

export const automaticIndexTables: OwnTables = () => [
  sql`create table if not exists ${automaticIndexes} (
    name text primary key, table_name text not null, columns text not null, state text not null, since text not null)`,
]

export const newIndexName = (): string => `octavo_auto_${randomBytes(6).toString('hex')}`

/** What follows ON in the statement that creates such an index. */
export const automaticIndexRows = (
  dialect: Dialect,
  { table, columns }: Pick<IndexDefinition, 'table' | 'columns'>,
): Sql =>
  sql`${sql.table(table)} (${sql.join([
    sql.id('published'),
    sql.id('locale'),
    // Nulls are sorted first; PostgreSQL uses an index only for exactly that order.
    ...columns.map((column) => sql`${sql.id(column)}${sql.raw(dialect.nullsFirst)}`),
    sql.id('id'),
  ])})`

export const selectAutomaticIndexes = sql`select name, table_name, columns, state, since from ${automaticIndexes} order by name`

export function automaticIndexFrom(row: Row): AutomaticIndex {
  const columns: readonly string[] = JSON.parse(String(row.columns))
  const state = row.state === 'ready' || row.state === 'unused' ? row.state : 'building'
  return { name: String(row.name), table: String(row.table_name), columns, state, since: String(row.since) }
}

/** Stores an index, or what has changed of it. */
export const storeAutomaticIndex = ({ name, table, columns, state, since }: AutomaticIndex): Sql =>
  sql`insert into ${automaticIndexes} (name, table_name, columns, state, since)
    values (${name}, ${table}, ${JSON.stringify(columns)}, ${state}, ${since})
    on conflict (name) do update set table_name = excluded.table_name, columns = excluded.columns,
    state = excluded.state, since = excluded.since`

/** Sets the state of an index that is still recorded, and returns its name. */
export const setIndexState = (name: string, state: AutomaticIndex['state'], since: string): Sql =>
  sql`update ${automaticIndexes} set state = ${state}, since = ${since} where name = ${name} returning name`

export const forgetAutomaticIndex = (name: string): Sql =>
  sql`delete from ${automaticIndexes} where name = ${name}`

/** Opens the database of a Strapi project for reading only, in one consistent snapshot. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { messageOf } from '../../../errors.ts'
import { sqliteFile } from '../../../project/config/database-url.ts'
import { compile } from '../../../store/compile.ts'
import type { Dialect } from '../../../store/dialect.ts'
import { postgresDialect } from '../../../store/postgres/dialect.ts'
import { getTypeParser } from '../../../store/postgres/types.ts'
import type { Sql } from '../../../store/sql.ts'
import { sqliteDialect } from '../../../store/sqlite/dialect.ts'
import type { SqlValue } from '../../../store/statement.ts'
import { printableUrl } from '../../database.ts'
import { UsageError } from '../../error-message.ts'

export type DatabaseRow = Readonly<Record<string, SqlValue>>

export interface StrapiDatabase {
  /** All reads see the state that the database had when it was opened. */
  read(query: Sql): Promise<readonly DatabaseRow[]>
  /** The columns of all tables, by table. */
  columns(): Promise<ReadonlyMap<string, readonly string[]>>
  close(): Promise<void>
}

export async function openStrapiDatabase(url: string): Promise<StrapiDatabase> {
  const file = sqliteFile(url)
  if (file !== null) return openFile(file)
  if (/^postgres(ql)?:\/\//.test(url)) return openServer(url)
  throw new UsageError(
    `${printableUrl(url)} cannot be read: the database of a Strapi project is given as sqlite:PATH or postgres://…\n  For other databases, run "strapi export" and import the file.`,
  )
}

function openFile(file: string): StrapiDatabase {
  if (!existsSync(file)) throw new UsageError(`There is no database ${file}`)
  const database = openReadOnly(file)
  const read = async (query: Sql) => {
    const { sql, parameters } = compile(sqliteDialect, query)
    const statement = database.prepare(sql)
    // A number of 64 bits would be refused otherwise.
    statement.setReadBigInts(true)
    return statement.all(...parameters).map((row) => withNumbers(row))
  }
  return {
    read,
    columns: () => readColumns(read, sqliteDialect),
    close: async () => database.close(),
  }
}

function openReadOnly(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    database.exec('begin')
    // The snapshot starts with the first read.
    database.prepare('select count(*) from sqlite_schema').get()
    return database
  } catch (failure) {
    throw new UsageError(`The database ${file} cannot be read: ${messageOf(failure)}`)
  }
}

function withNumbers(row: Record<string, unknown>): DatabaseRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sqlValue(value)]))
}

function sqlValue(value: unknown): SqlValue {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return String(value)
}

async function openServer(url: string): Promise<StrapiDatabase> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'octavo import',
    types: { getTypeParser },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
  } catch (failure) {
    await client.end().catch(() => {})
    throw new UsageError(`The database ${printableUrl(url)} cannot be read: ${messageOf(failure)}`)
  }
  const read = async (query: Sql) => {
    const { sql, parameters } = compile(postgresDialect, query)
    const result = await client.query<Record<string, unknown>>(sql, [...parameters])
    return result.rows.map(withNumbers)
  }
  return { read, columns: () => readColumns(read, postgresDialect), close: () => client.end() }
}

async function readColumns(
  read: (query: Sql) => Promise<readonly DatabaseRow[]>,
  dialect: Dialect,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const columns = new Map<string, string[]>()
  for (const { kind, owner, name } of await read(dialect.listColumnsAndIndexes))
    if (kind === 'column') columns.set(String(owner), [...(columns.get(String(owner)) ?? []), String(name)])
  return columns
}

/** Opens the database of a Strapi project for reading only, in one consistent snapshot. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqliteFile } from '../../../project/config/database-url.ts'
import { compile } from '../../../store/compile.ts'
import { postgresDialect } from '../../../store/postgres/dialect.ts'
import { getTypeParser } from '../../../store/postgres/types.ts'
import type { Sql } from '../../../store/sql.ts'
import { sqliteDialect } from '../../../store/sqlite/dialect.ts'
import { printableUrl } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { columnsByTable, reading, type StrapiDatabase, withNumbers } from './connection.ts'
import { isMysqlUrl, openMysql } from './mysql.ts'

export async function openStrapiDatabase(url: string): Promise<StrapiDatabase> {
  const file = sqliteFile(url)
  if (file !== null) return openFile(file)
  if (/^postgres(ql)?:\/\//.test(url)) return openServer(url)
  if (isMysqlUrl(url)) return openMysql(url)
  throw new UsageError(
    `${printableUrl(url)} cannot be read: the database of a Strapi project is given as sqlite:PATH, postgres://… or mysql://…`,
  )
}

async function openFile(file: string): Promise<StrapiDatabase> {
  if (!existsSync(file)) throw new UsageError(`There is no database ${file}`)
  const database = await reading(file, () => openReadOnly(file))
  const read = (query: Sql) =>
    reading(file, () => {
      const { sql, parameters } = compile(sqliteDialect, query)
      const statement = database.prepare(sql)
      // A number of 64 bits would be refused otherwise.
      statement.setReadBigInts(true)
      return statement.all(...parameters).map((row) => withNumbers(row))
    })
  return {
    read,
    columns: async () => columnsByTable(await read(sqliteDialect.listColumnsAndIndexes)),
    close: async () => database.close(),
  }
}

function openReadOnly(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true })
  database.exec('begin')
  // The snapshot starts with the first read.
  database.prepare('select count(*) from sqlite_schema').get()
  return database
}

async function openServer(url: string): Promise<StrapiDatabase> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'octavo import',
    types: { getTypeParser },
  })
  client.on('error', () => {})
  const name = printableUrl(url)
  const close = () => client.end().catch(() => {})
  await reading(name, async () => {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
  }).catch(async (failure: unknown) => {
    await close()
    throw failure
  })
  const read = async (query: Sql) => {
    const { sql, parameters } = compile(postgresDialect, query)
    const result = await reading(name, () => client.query<Record<string, unknown>>(sql, [...parameters]))
    return result.rows.map(withNumbers)
  }
  return {
    read,
    columns: async () => columnsByTable(await read(postgresDialect.listColumnsAndIndexes)),
    close,
  }
}

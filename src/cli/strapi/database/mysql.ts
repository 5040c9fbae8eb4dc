/** Reads the database of a Strapi project on MySQL or MariaDB, in one consistent snapshot. */
import type { Connection, TypeCastField, TypeCastNext } from 'mysql2/promise'
import { compileText } from '../../../store/compile.ts'
import { type Sql, sql } from '../../../store/sql.ts'
import { sqliteDialect } from '../../../store/sqlite/dialect.ts'
import { printableUrl } from '../../database.ts'
import { UsageError } from '../../error-message.ts'
import { columnsByTable, reading, type StrapiDatabase, withNumbers } from './connection.ts'

export const isMysqlUrl = (url: string): boolean => /^(mysql|mariadb):\/\//.test(url)

const COLUMNS = sql`select 'column' as kind, table_name as owner, column_name as name
  from information_schema.columns where table_schema = database() order by table_name, ordinal_position`

export async function openMysql(url: string): Promise<StrapiDatabase> {
  const { createConnection } = await loadClient()
  const name = printableUrl(url)
  const opened = await reading(name, () => connect(createConnection, url))
  const read = async (query: Sql) => {
    const { sql: text, parameters } = compileText(sqliteDialect, query)
    const [rows] = await reading(name, () => opened.query(text, [...parameters]))
    return Array.isArray(rows) ? rows.map((row) => withNumbers({ ...row })) : []
  }
  return {
    read,
    columns: async () => columnsByTable(await read(COLUMNS)),
    // A connection that is lost cannot be ended.
    close: () => opened.end().catch(() => opened.destroy()),
  }
}

async function connect(createConnection: Client['createConnection'], url: string): Promise<Connection> {
  const connection = await createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    typeCast: withoutZeroDates,
  })
  connection.on('error', () => {})
  try {
    // Names are quoted as in standard SQL.
    await connection.query("set session sql_mode = 'ANSI_QUOTES'")
    await connection.query('set session transaction isolation level repeatable read')
    await connection.query('start transaction with consistent snapshot, read only')
    return connection
  } catch (failure) {
    connection.destroy()
    throw failure
  }
}

/** Servers that are not strict store `0000-00-00` for a missing date. */
function withoutZeroDates(field: TypeCastField, next: TypeCastNext): unknown {
  switch (field.type) {
    case 'DATE':
    case 'DATETIME':
    case 'TIMESTAMP': {
      const text = field.string()
      return text?.startsWith('0000-') ? null : text
    }
    default:
      return next()
  }
}

type Client = typeof import('mysql2/promise')

async function loadClient(): Promise<Client> {
  try {
    return await import('mysql2/promise')
  } catch (cause) {
    throw new UsageError(
      'A database of MySQL or MariaDB is read with the package mysql2, which is not installed.\n  Run: npm install mysql2',
      { cause },
    )
  }
}

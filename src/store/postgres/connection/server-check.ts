/** Refuses servers and databases that Octavo cannot use, when it starts. */
import pg from 'pg'
import { StartError } from '../../errors.ts'
import type { Row } from '../../statement.ts'

/** The first version that is supported, as `server_version_num` reports it. */
const FIRST_VERSION = { number: 140_000, name: '14' }

interface ServerProperties {
  /** Such as `150004`. */
  readonly number: number
  /** Such as `15.4 (Debian 15.4-1)`. */
  readonly version: string
  readonly encoding: string
}

const PROPERTIES = `SELECT current_setting('server_version_num')::int AS number,
  current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
  current_schema()::text AS schema`

/** Why a server cannot be used; null if it can. */
export function serverProblem({ number, version, encoding }: ServerProperties): string | null {
  if (number < FIRST_VERSION.number)
    return `PostgreSQL ${version} is not supported: version ${FIRST_VERSION.name} or later is required`
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, but must have UTF8: create another one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`
  return null
}

/** Throws a StartError if the server cannot be used. `schema` is the one that the configuration names. */
export async function checkServer(
  read: (sql: string) => Promise<readonly Row[]>,
  schema: string | null,
): Promise<void> {
  const [row = {}] = await read(PROPERTIES)
  const problem = serverProblem({
    number: Number(row.number),
    version: String(row.version),
    encoding: String(row.encoding),
  })
  if (problem !== null) throw new StartError(problem)
  if (row.schema !== null) return
  throw new StartError(
    schema === null
      ? 'The search_path of the database user names no schema that exists: set database.schema in the configuration'
      : `The database has no schema ${schema}: create it first (CREATE SCHEMA ${pg.escapeIdentifier(schema)})`,
  )
}

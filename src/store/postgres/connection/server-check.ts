/** Refuses servers and databases that Octavo cannot use, when it starts. */
import type pg from 'pg'
import { StartError } from '../../errors.ts'

/** The first version that is supported, as `server_version_num` reports it. */
const FIRST_VERSION = { number: 140_000, name: '14' }

interface ServerProperties {
  /** Such as `150004`. */
  readonly number: number
  /** Such as `15.4 (Debian 15.4-1)`. */
  readonly version: string
  readonly encoding: string
  /** The schema that tables are created in; null if the search path names none that exists. */
  readonly schema: string | null
}

const PROPERTIES = `SELECT current_setting('server_version_num')::int AS number,
  current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
  current_schema()::text AS schema`

/** Why a server cannot be used; null if it can. */
export function serverProblem({ number, version, encoding, schema }: ServerProperties): string | null {
  if (number < FIRST_VERSION.number)
    return `PostgreSQL ${version} is not supported: version ${FIRST_VERSION.name} or later is required`
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, but must have UTF8: create another one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`
  if (schema === null)
    return 'The search_path of the database user names no schema that exists: set database.schema in the configuration'
  return null
}

/** Throws a StartError if the server cannot be used. */
export async function checkServer(client: pg.Pool | pg.ClientBase): Promise<void> {
  const [properties] = (await client.query<ServerProperties>(PROPERTIES)).rows
  const problem = properties ? serverProblem(properties) : null
  if (problem !== null) throw new StartError(problem)
}

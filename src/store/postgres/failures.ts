/** Translates the failures of PostgreSQL and its driver into the errors that the rest of the server knows. */
import { ApiError, errors } from '../../errors.ts'
import { serverOf, urlsOfHosts } from '../../project/config/database-url.ts'
import { UniqueViolation } from '../errors.ts'
import { SCHEMA_CHANGED, SchemaChanged } from '../schema-changed.ts'

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENETUNREACH',
])

/** The server has ended the connection: it stops or crashed, starts, or the connection was idle for too long. */
const ENDED: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'])

const textOf = (error: unknown, property: string): string => {
  if (!(error instanceof Error)) return ''
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' ? value : ''
}

/** Whether the connection broke while (or before) the statement ran. */
export function connectionLost(error: unknown): boolean {
  const code = textOf(error, 'code')
  return (
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code.startsWith('08') ||
    ENDED.has(code) ||
    /^Connection terminated|^Query read timeout|not queryable/.test(textOf(error, 'message'))
  )
}

/** Whether a failure to connect means that the server does not respond at all. A failed name lookup may be temporary. */
export function isUnreachable(error: unknown): boolean {
  const code = textOf(error, 'code')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return false
  return connectionLost(error) || NETWORK.has(code) || /^timeout expired/.test(textOf(error, 'message'))
}

/** Whether no connection of a pool became free in time. */
export const isPoolExhausted = (error: unknown): boolean =>
  /^timeout exceeded when trying to connect/.test(textOf(error, 'message'))

/** No server accepts writes now. The code is that of a server which does not accept connections yet. */
export class NoPrimary extends Error {
  readonly code = '57P03'
}

/** No such database, or no such user or password, which can change while the server runs. */
const REFUSED: ReadonlySet<string> = new Set(['28000', '28P01', '3D000'])

/** A certificate that cannot be verified, such as one that has expired. */
const UNTRUSTED =
  /^(ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_GET_ISSUER_|UNABLE_TO_VERIFY_|HOSTNAME_MISMATCH)/

/** Whether the server does not let us connect, or we do not trust it. Someone has to change that before it works again. */
function isRefused(error: unknown): boolean {
  const code = textOf(error, 'code')
  // The database accepts no connections, or none of this user: there are no codes of their own for that.
  return REFUSED.has(code) || UNTRUSTED.test(code) || textOf(error, 'routine') === 'CheckMyDatabase'
}

/** Whether a write has reached a server that accepts none, such as a former primary. */
export const isReadOnlyServer = (error: unknown): boolean =>
  textOf(error, 'code') === '25006' || textOf(error, 'routine') === 'check_transaction_read_only'

/** Whether the server cancelled a statement that ran too long. */
export const isStatementTimeout = (error: unknown): boolean => textOf(error, 'code') === '57014'

/** Whether a statement with a limit on its bytes exceeded it (`limited-reads.ts`). Nothing else divides. */
export const isTooLarge = (error: unknown): boolean => textOf(error, 'code') === '22012'

/** Whether the transaction lost against a concurrent one and can be run again. */
export function isConflict(error: unknown): boolean {
  const code = textOf(error, 'code')
  return code === '40001' || code === '40P01'
}

/**
 * Whether a prepared statement is stale: the server no longer has it or has another one of its name, or its tables have changed, so that it returns
 * other columns or its parameters have the types of the previous ones.
 */
export function isStale(error: unknown): boolean {
  const code = textOf(error, 'code')
  const isPlan = code === '0A000' && /cached plan/.test(textOf(error, 'message'))
  return isPlan || STALE.has(code)
}

/** The last two mean that a value does not fit the type of its parameter; our values fit the current columns. */
const STALE: ReadonlySet<string> = new Set(['26000', '42P05', '42804', '42883', '22P02', '22003'])

/** What to do about a transaction pooler that the configuration does not mention. */
export const POOLER_HINT =
  'Connections to PostgreSQL are shared by a transaction pooler: set database.prepare to false, and database.directUrl to a URL without the pooler'

/** Whether a failure shows that a pooler is between: it rejects our settings, or mixes up prepared statements. */
export function showsPooler(error: unknown): boolean {
  const code = textOf(error, 'code')
  return (
    code === '42P05' ||
    code === '26000' ||
    (code === '08P01' && /startup parameter/.test(textOf(error, 'message')))
  )
}

/** The error that the rest of the server sees for a failure of PostgreSQL. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = textOf(error, 'code')
  if (code === SCHEMA_CHANGED) return new SchemaChanged()
  if (code === '23505') {
    // The detail is in the server's language, but its parentheses are not: "Key (a, b)=(x, y) …".
    const columns = /^[^(]*\((.*?)\)=\(/s.exec(textOf(error, 'detail'))?.[1] ?? ''
    return new UniqueViolation(textOf(error, 'table'), columnsIn(columns), error)
  }
  if (connectionLost(error) || NETWORK.has(code)) return errors.unavailable(1, 'Database unavailable')
  if (isRefused(error)) {
    const refused = errors.unavailable(30, 'The database refuses connections')
    refused.cause = error
    return refused
  }
  if (code === '53300') return errors.unavailable(1, 'The database accepts no more connections')
  if (code.startsWith('53')) return errors.unavailable(30, 'The database is out of disk or memory')
  if (code === '55P03') return errors.unavailable(1, 'The database is busy')
  if (isStatementTimeout(error)) return errors.unavailable(1, 'The database took too long to respond')
  if (isReadOnlyServer(error)) return errors.unavailable(1, 'The database is read-only')
  if (code === '40001' || code === '40P01')
    return errors.unavailable(1, 'Too many writes of the same documents')
  if (code.startsWith('54')) return errors.invalid('The request exceeds a limit of the database')
  if (isPoolExhausted(error)) return errors.unavailable(1, 'No database connection became free in time')
  return error
}

/** The columns of a key. A part that is an expression in parentheses is not a column: it distinguishes empty strings. */
const columnsIn = (key: string): string[] =>
  key
    .split(', ')
    .filter((part) => !part.startsWith('('))
    .map(columnIn)

/** The column of a part of a key; long values are unique by their digest: `md5("a_Body")`. */
const columnIn = (part: string): string => part.replace(/^md5\((.*)\)$/, '$1').replace(/^"|"$/g, '')

/** A short reason for the log. */
export const reasonOf = (error: unknown): string =>
  textOf(error, 'message') || textOf(error, 'code') || 'it does not respond'

/** The one-line message when the server cannot start. */
export function startMessage(url: string, error: unknown): string {
  if (error instanceof NoPrimary) return error.message
  const servers = urlsOfHosts(url)
  const { pathname, username } = new URL(servers[0])
  const host = servers.map(serverOf).join(' or ')
  const code = textOf(error, 'code')
  const database = decodeURIComponent(pathname.slice(1))
  if (code === '28P01' || code === '28000')
    return `PostgreSQL at ${host} refused the user ${decodeURIComponent(username)}: check the user and password of the database url`
  if (code === '3D000')
    return `PostgreSQL at ${host} has no database ${database}: create it first (createdb ${database})`
  if (showsPooler(error)) return `PostgreSQL at ${host}: ${reasonOf(error)}. ${POOLER_HINT}`
  if (code === '53300') return `PostgreSQL at ${host} accepts no more connections`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `PostgreSQL cannot be reached: the host ${host} is unknown`
  return `PostgreSQL at ${host} cannot be reached: ${reasonOf(error)}`
}

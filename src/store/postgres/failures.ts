/** What PostgreSQL and its driver report when something fails, as the errors that the rest of the server knows. */
import { ApiError, errors } from '../../errors.ts'
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
    ['57P01', '57P02', '57P03'].includes(code) ||
    /^Connection terminated|not queryable/.test(textOf(error, 'message'))
  )
}

/** Whether a failure to connect tells that no connection to the server can work. A name may be unknown for a moment only. */
export function isAway(error: unknown): boolean {
  const code = textOf(error, 'code')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return false
  return connectionLost(error) || NETWORK.has(code) || /^timeout expired/.test(textOf(error, 'message'))
}

/** Whether all connections of a pool were busy for too long. */
export const isCrowded = (error: unknown): boolean =>
  /^timeout exceeded when trying to connect/.test(textOf(error, 'message'))

/** Whether the server gave a statement up because it ran too long. */
export const tookTooLong = (error: unknown): boolean => textOf(error, 'code') === '57014'

/** Whether the server chose this transaction to fail so that others can go on: it may simply run again. */
export function isConflict(error: unknown): boolean {
  const code = textOf(error, 'code')
  return code === '40001' || code === '40P01'
}

/**
 * Whether a prepared statement no longer fits: the server has forgotten it, or its tables have changed under it, so that
 * it yields something else or its parameters have the types of former columns.
 */
export function isStale(error: unknown): boolean {
  const code = textOf(error, 'code')
  const isPlan = code === '0A000' && /cached plan/.test(textOf(error, 'message'))
  return isPlan || STALE.has(code)
}

/** The last two are values that do not fit the type of a parameter: what we send fits the columns as they are now. */
const STALE: ReadonlySet<string> = new Set(['26000', '42804', '42883', '22P02', '22003'])

/** The error that the rest of the server sees for a failure of PostgreSQL. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = textOf(error, 'code')
  if (code === SCHEMA_CHANGED) return new SchemaChanged()
  if (code === '23505') {
    // The words of the detail follow the server's language, its parentheses do not: "Key (a, b)=(x, y) …".
    const columns = /\(([^=]*)\)=\(/.exec(textOf(error, 'detail'))?.[1] ?? ''
    return new UniqueViolation(textOf(error, 'table'), columns.split(', ').map(columnIn), error)
  }
  if (connectionLost(error) || NETWORK.has(code)) return errors.unavailable(1, 'The database is away')
  if (code === '53300') return errors.unavailable(1, 'The database takes no more connections')
  if (code.startsWith('53')) return errors.unavailable(30, 'The database is out of disk or memory')
  if (code === '55P03') return errors.unavailable(1, 'The database is busy')
  if (tookTooLong(error)) return errors.unavailable(1, 'The database took too long to answer')
  if (code === '25006') return errors.unavailable(1, 'The database cannot be written to at the moment')
  if (code === '40001' || code === '40P01')
    return errors.unavailable(1, 'Too many writes of the same documents')
  if (code.startsWith('54'))
    return errors.invalid('The request asks for more than the database can do at once')
  if (isCrowded(error)) return errors.unavailable(1, 'The database has no connection free')
  return error
}

/** The column that a part of a key is about; long values are unique by their digest: `md5("a_Body")`. */
const columnIn = (part: string): string => part.replace(/^md5\((.*)\)$/, '$1').replace(/^"|"$/g, '')

/** A failure in a few words, for the log. */
export const reasonOf = (error: unknown): string =>
  textOf(error, 'message') || textOf(error, 'code') || 'it does not answer'

/** One line for the person who starts the server. */
export function startMessage(url: string, error: unknown): string {
  const { host, pathname, username } = new URL(url)
  const code = textOf(error, 'code')
  const database = decodeURIComponent(pathname.slice(1))
  if (code === '28P01' || code === '28000')
    return `PostgreSQL at ${host} refused the user ${decodeURIComponent(username)}: check the user and password of the database url`
  if (code === '3D000')
    return `PostgreSQL at ${host} has no database ${database}: create it first (createdb ${database})`
  if (code === '53300') return `PostgreSQL at ${host} takes no more connections`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `PostgreSQL cannot be reached: the host ${host} is not known`
  return `PostgreSQL at ${host} cannot be reached: ${reasonOf(error)}`
}

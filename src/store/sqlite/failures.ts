/** Translates the failures of SQLite into the errors that the rest of the server knows. */
import { errors, messageOf } from '../../errors.ts'
import { StartError, UniqueViolation } from '../errors.ts'
import { SCHEMA_CHANGED, SchemaChanged } from '../schema-changed.ts'

export interface SqliteFailure {
  readonly message: string
  /** SQLite's extended result code; 0 for other failures. */
  readonly code: number
}

export const failureOf = (error: unknown): SqliteFailure => ({
  message: messageOf(error),
  code: error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0,
})

const PRIMARY = 0xff
const BUSY = 5
const BUSY_SNAPSHOT = 517
const LOCKED = 6
const READONLY = 8
/** The statement was ended because it had run for too long. */
export const INTERRUPT = 9
const IO_ERROR = 10
const FAILED_SYNC = 1034
const CORRUPT = 11
const FULL = 13
/** A text is longer than the connection allows. */
export const TOO_BIG = 18
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26
const UNIQUE = 2067
const PRIMARY_KEY = 1555

/** The error that the rest of the server sees for a failure of SQLite. */
export function translate(failure: SqliteFailure, cause: unknown = failure): Error {
  if (failure.message === SCHEMA_CHANGED) return new SchemaChanged()
  if (failure.code === UNIQUE || failure.code === PRIMARY_KEY) {
    const columns = failure.message.replace(/^.*: /, '').split(', ')
    return new UniqueViolation(
      columns[0]?.split('.')[0] ?? '',
      columns.map((column) => column.split('.').at(-1) ?? column),
      cause,
    )
  }
  switch (failure.code & PRIMARY) {
    case BUSY:
    case LOCKED:
      return errors.unavailable(1, 'The database is busy')
    case FULL:
      return errors.unavailable(30, 'The disk of the database is full')
    case READONLY:
      return errors.unavailable(30, 'The database is read-only')
    case INTERRUPT:
      return errors.unavailable(1, 'The database took too long to respond')
    case IO_ERROR:
    case CANNOT_OPEN: {
      const diskFailed = errors.unavailable(30, 'The disk of the database has failed')
      diskFailed.cause = failure
      return diskFailed
    }
    default:
      return LIMIT_EXCEEDED.test(failure.message)
        ? errors.invalid('The request exceeds a limit of the database')
        : new Error(`SQLite: ${failure.message}`, { cause })
  }
}

/** A failure that a reader thread has reported. */
export class ReaderFailure extends Error {
  readonly failure: SqliteFailure

  constructor(failure: SqliteFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Runs `work`, whose failures become errors that the rest of the server knows. */
export function translating<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw translate(failureOf(error), error)
  }
}

/** The failure that SQLite reports when a transaction would write to a state that is no longer the latest. */
export const staleSnapshot = (): Error =>
  Object.assign(new Error('Another program has written meanwhile'), { errcode: BUSY_SNAPSHOT })

/** Whether another program holds the lock of the file. */
export const isBusy = ({ code }: SqliteFailure) => (code & PRIMARY) === BUSY

/** Whether an error of `translate` is a failed sync: the disk may not have stored what was written. */
export const isFailedSync = (error: unknown): boolean =>
  error instanceof Error &&
  typeof error.cause === 'object' &&
  error.cause !== null &&
  'code' in error.cause &&
  error.cause.code === FAILED_SYNC

/** SQLite's limits for one statement. Those for queries are tighter, unless the configuration raises them. */
const LIMIT_EXCEEDED =
  /^(Expression tree is too large|Recursion limit|parser stack overflow|too many (SQL variables|terms|columns|references)|at most 64 tables)/

/** The error when the server cannot start. */
export function startError(path: string, failure: SqliteFailure): StartError {
  const remedy = REMEDIES.get(failure.code & PRIMARY)
  return new StartError(startMessage(path, failure), remedy === undefined ? {} : { remedy })
}

const REMEDIES = new Map([
  [CORRUPT, 'restore a backup, or correct database.url'],
  [NOT_A_DATABASE, 'restore a backup, or correct database.url'],
  [BUSY, 'stop the other program, or wait until it has finished'],
  [FULL, 'make room on the disk'],
])

function startMessage(path: string, failure: SqliteFailure): string {
  switch (failure.code & PRIMARY) {
    case READONLY:
      return notWritable(path)
    case CANNOT_OPEN:
      return `The database ${path} cannot be opened: check that it is a file you may read and write`
    case CORRUPT:
    case NOT_A_DATABASE:
      return `The file ${path} is damaged or is not an SQLite database`
    case BUSY:
      return `The database ${path} is locked by another program`
    case FULL:
      return `The disk of the database ${path} is full`
    default:
      return `The database ${path} cannot be opened: ${failure.message}`
  }
}

export const notWritable = (path: string) =>
  `The database ${path} cannot be written to: check the permissions of the file and its folder`

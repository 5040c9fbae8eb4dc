/** The errors of a store beside those of the API, the same for both engines. */
import { ApiError } from '../errors.ts'

/**
 * The database did not respond to the commit of a write: it is stored, or not, or will be after a while, as when the commit
 * waits for a standby. Nothing that the write refers to may be removed.
 */
export class UnknownOutcome extends ApiError {
  constructor() {
    const message = 'The connection to the database was lost: the write may or may not be stored'
    super('ServiceUnavailableError', 503, message, {}, { 'retry-after': '1' })
  }
}

/** A write violates a unique index. `documents` turns it into a ValidationError. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly table: string
  /** The columns of the index, such as `locale` and `a_slug`. */
  readonly columns: readonly string[]

  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`Another row of ${table} has the same ${columns.join(', ')}`, { cause })
    this.table = table
    this.columns = columns
  }
}

/** The server cannot start; the message is one line for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** What to do about it, for `octavo doctor`; null if the message says so, or nothing more is known. */
  readonly remedy: string | null

  constructor(message: string, { remedy, ...options }: ErrorOptions & { readonly remedy?: string } = {}) {
    super(message, options)
    this.remedy = remedy ?? null
  }
}

/** The errors of a store beside those of the API, the same for both engines. */

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
}

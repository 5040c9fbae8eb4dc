/** What can go wrong in a store beside the errors of the API: named once, the same for both engines. */

/** A write broke a unique index. The first of two wins; `documents` turns the loser's into a ValidationError. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly table: string
  /** The columns of the index, such as `locale` and `a_slug`. */
  readonly columns: readonly string[]

  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`A row of ${table} has the same ${columns.join(', ')}`, { cause })
    this.table = table
    this.columns = columns
  }
}

/** The server cannot start; the message is one line for the person who starts it. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

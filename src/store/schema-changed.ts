/** The error for a write that was prepared for a model which the database no longer has. */

/** The SQLSTATE of the check in PostgreSQL, and the message of the one in SQLite. */
export const SCHEMA_CHANGED = 'OV001'

/** The database has another model than the write was prepared for; nothing was written. */
export class SchemaChanged extends Error {
  override readonly name = 'SchemaMoved'

  constructor() {
    super('The content-types have changed')
  }
}

/** What is told when a write was prepared for a model that the database no longer has. Nothing else lives here. */

/** SQLSTATE of PostgreSQL's guard, and what SQLite's throws. */
export const SCHEMA_CHANGED = 'OV001'

/** A write was meant for a model that the database no longer has; nothing was written. */
export class SchemaChanged extends Error {
  override readonly name = 'SchemaMoved'

  constructor() {
    super('The content-types have changed')
  }
}

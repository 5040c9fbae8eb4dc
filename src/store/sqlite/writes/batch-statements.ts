/** The statements around the writes of a batch. */
import type { Operation } from './operation.ts'

const plain = (sql: string): Operation => ({ sql, parameters: [], rows: false })
export const BEGIN = plain('BEGIN IMMEDIATE')
export const COMMIT = plain('COMMIT')
export const ROLLBACK = plain('ROLLBACK')
/** Not a statement of SQLite: rolls back and begins again, and fails if another program has written in between. */
export const RESTART = plain('RESTART')
export const INDEX_ROWS = 'INDEX ROWS'
/** Not a statement of SQLite: adds changed rows of tables to their search indexes, either if many wait, or all that wait. */
export const indexRows = (tables: Iterable<string>, which: 'many' | 'all'): Operation => ({
  sql: INDEX_ROWS,
  parameters: [which, ...tables],
  rows: false,
})
export const SAVEPOINT = plain('SAVEPOINT job')
export const RELEASE = plain('RELEASE job')
export const ROLLBACK_TO = plain('ROLLBACK TO job')
export const bumpVersions = (tables: Iterable<string>): Operation => ({
  sql: `INSERT INTO octavo_versions (name, version)
    SELECT value, (SELECT coalesce(max(version), 0) + 1 FROM octavo_versions) FROM json_each(?) WHERE true
    ON CONFLICT (name) DO UPDATE SET version = excluded.version`,
  parameters: [JSON.stringify([...tables])],
  rows: false,
})
export const reserveEntryIds = (count: number): Operation => ({
  sql: `UPDATE octavo_counters SET value = value + ? WHERE name = 'entry' RETURNING value`,
  parameters: [count],
  rows: true,
})

/** The statements around the writes of a batch on SQLite. */
import type { Operation } from './operation.ts'

const plain = (sql: string): Operation => ({ sql, parameters: [], rows: false })
export const BEGIN = plain('BEGIN IMMEDIATE')
export const COMMIT = plain('COMMIT')
export const ROLLBACK = plain('ROLLBACK')
/** Ours, not SQLite's: rolls back and begins anew, and fails when another program has written in between. */
export const RESTART = plain('RESTART')
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
/** Says the same as long as no other connection has written. */
export const STATE: Operation = {
  sql: 'SELECT data_version AS state FROM pragma_data_version',
  parameters: [],
  rows: true,
}
export const reserve = (count: number): Operation => ({
  sql: `UPDATE octavo_counters SET value = value + ? WHERE name = 'entry' RETURNING value`,
  parameters: [count],
  rows: true,
})

/**
 * Writes that were prepared for one model must not reach tables made for another. Each such write begins with a
 * guard: it fails when the model has moved on, and a migration waits until writes under way have ended.
 */
import { compile } from '../compile.ts'
import { SCHEMA_CHANGED } from '../schema-changed.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../store.ts'

/** Names the lock that writers share and migrations have to themselves (PostgreSQL; SQLite has one writer anyway). */
const LOCK = 2_611_150_239

/** Lets the transaction fail with SchemaMoved unless the database has the model of this number. */
export const checkSchemaVersion = (transaction: Transaction, number: number): void =>
  transaction.runOnce(
    transaction.engine === 'sqlite'
      ? {
          sql: `SELECT octavo_moved() FROM octavo_meta WHERE key = 'number' AND value <> ?`,
          parameters: [String(number)],
        }
      : { sql: 'SELECT octavo_expect($1)', parameters: [number] },
  )

/** Waits for writes under way, and keeps others waiting until the migration has ended. */
export function blockWriters(transaction: Transaction): void {
  if (transaction.engine === 'postgres')
    transaction.run(compile('postgres', sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK)})`))
}

/** Makes the guard of PostgreSQL. Its statements each see what was committed before them, also after a wait. */
export function createSchemaVersionCheck(transaction: Transaction): void {
  transaction.run({
    sql: `CREATE OR REPLACE FUNCTION octavo_expect(expected bigint) RETURNS void LANGUAGE plpgsql VOLATILE AS $guard$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(${LOCK});
        IF EXISTS (SELECT 1 FROM octavo_meta WHERE key = 'number' AND value <> expected::text) THEN
          RAISE EXCEPTION 'The content-types have changed' USING ERRCODE = '${SCHEMA_CHANGED}';
        END IF;
      END $guard$`,
    parameters: [],
  })
}

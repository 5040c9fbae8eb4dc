/**
 * The check that starts every write prepared for a schema. Writes share a lock that a migration takes for itself, so
 * none of them runs while the tables change.
 */
import { SCHEMA_CHANGED } from '../schema-changed.ts'
import { sql } from '../sql.ts'
import type { Statement } from '../statement.ts'

const LOCK = 2_611_150_239

export const checkSchemaVersion = (number: number): Statement => ({
  sql: 'SELECT octavo_expect($1)',
  parameters: [number],
})

export const blockWriters = sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK)})`

/** In PL/pgSQL each statement sees what was committed before it, even after it has waited for the lock. */
export const createSchemaCheck: Statement = {
  sql: `CREATE OR REPLACE FUNCTION octavo_expect(expected bigint) RETURNS void LANGUAGE plpgsql VOLATILE AS $guard$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(${LOCK});
      IF EXISTS (SELECT 1 FROM octavo_meta WHERE key = 'number' AND value <> expected::text) THEN
        RAISE EXCEPTION 'The content-types have changed' USING ERRCODE = '${SCHEMA_CHANGED}';
      END IF;
    END $guard$`,
  parameters: [],
}

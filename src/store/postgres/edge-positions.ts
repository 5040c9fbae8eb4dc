/**
 * The positions of new edges in the lists of their targets come from a sequence, so that each is above all before it. Looking
 * up the last position of a list takes longer, because PostgreSQL reads all positions of the list on that page of the index.
 */
import { type Sql, sql } from '../sql.ts'
import type { Statement } from '../statement.ts'

const plain = (text: string): Statement => ({ sql: text, parameters: [] })

/** Creates the sequence. In a database that already has edges, it starts after them. */
export const createPositions: readonly Statement[] = [
  plain('CREATE SEQUENCE IF NOT EXISTS octavo_positions'),
  plain(`SELECT setval('octavo_positions', greatest(1, (SELECT ceil(max(inverse_position)) FROM octavo_edges)::bigint))
    FROM octavo_positions WHERE NOT is_called`),
]

export const nextPosition = sql`nextval('octavo_positions')`

/** Only an import leaves a larger gap, and nothing else writes meanwhile. */
const MAX_STEPS = 100_000

/** Advances step by step: `setval` could return the sequence to values that other transactions have taken meanwhile. */
export const advancePositions = (highest: Sql): readonly Sql[] => [
  sql`SELECT CASE WHEN gap > ${sql.lit(MAX_STEPS)} THEN setval('octavo_positions', highest)
      ELSE (SELECT count(${nextPosition}) FROM generate_series(1, gap)) END
    FROM (SELECT highest, highest - last_value AS gap
      FROM octavo_positions, (SELECT ceil(${highest})::bigint AS highest) AS given) AS found`,
]

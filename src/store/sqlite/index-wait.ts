/**
 * Estimates how long the creation of an index holds up writes. SQLite creates an index in one transaction, which scans the
 * table and sorts the values: about 2.5 s of processor time for a million rows.
 */
import { compile } from '../compile.ts'
import { type Sql, sql } from '../sql.ts'
import type { Row, Statement } from '../statement.ts'
import { sqliteDialect } from './dialect.ts'

/** Few enough for the main thread. */
const SAMPLED_ROWS = 4_000
/** Many rows take longer to sort than a few, and the index has to be written. Seen: 1.3 to 2 times. */
const MARGIN = 2

/** The milliseconds, from the time that it takes to sort some rows. */
export async function estimateIndexWait(
  read: (statement: Statement) => Promise<readonly Row[]> | readonly Row[],
  table: string,
  columns: readonly string[],
): Promise<number> {
  const rowsOf = async (query: Sql) => Number((await read(compile(sqliteDialect, query)))[0]?.rows ?? 0)
  const all = await rowsOf(sql`select count(*) as rows from ${sql.table(table)}`)
  const keys = sql.join(['published', 'locale', ...columns, 'id'].map((name) => sql.id(name)))
  const start = performance.now()
  const sampled = await rowsOf(sql`select count(*) as rows from (
    select ${keys} from (select * from ${sql.table(table)} limit ${sql.lit(SAMPLED_ROWS)}) order by ${keys} limit -1 offset 0)`)
  return (performance.now() - start) * (all / Math.max(sampled, 1)) * MARGIN
}

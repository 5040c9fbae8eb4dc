/**
 * Keeps PostgreSQL's planner statistics up to date while tables are small. Autovacuum analyzes a table only after fifty
 * changes, and checks once a minute. Until then the planner assumes tiny tables, and a filter through three relations
 * may compare every row with every other.
 */
import pg from 'pg'
import type { Row, SqlValue } from '../../statement.ts'

export interface Statistics {
  noteWrite(tables: Iterable<string>): void
  close(): Promise<void>
}

/** Milliseconds in which the writes that arrive together are collected. */
const DELAY = 100
/** A table is analyzed whenever the number of its writes has doubled, up to this number; then autovacuum is enough. */
const MAX_WRITES = 4_096

const hasDoubled = (count: number) => count <= MAX_WRITES && Number.isInteger(Math.log2(count))

/** Analyzes the tables that never were at the start, and others as they are written to. `analyze` gets their writes so far. */
export function keepStatistics(
  analyze: (table: string, writes: number) => Promise<unknown>,
  findNeverAnalyzed: () => Promise<readonly string[]>,
): Statistics {
  const writes = new Map<string, number>()
  const due = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let analyzing: Promise<void> | null = null
  let isClosed = false

  // Failures are ignored: only speed depends on this, and the next doubling tries again.
  async function analyzeDue(find: () => Promise<readonly string[]>) {
    for (const table of await find().catch(() => [])) due.add(table)
    for (const table of due) {
      due.delete(table)
      if (!isClosed) await analyze(table, writes.get(table) ?? 0).catch(() => {})
    }
    analyzing = null
  }

  function analyzeSoon(find: () => Promise<readonly string[]> = async () => []) {
    timer ??= setTimeout(() => {
      timer = null
      if (analyzing) analyzeSoon(find)
      else analyzing = analyzeDue(find)
    }, DELAY).unref()
  }

  analyzeSoon(findNeverAnalyzed)
  return {
    noteWrite(tables) {
      for (const table of tables) {
        const count = (writes.get(table) ?? 0) + 1
        writes.set(table, count)
        if (hasDoubled(count)) due.add(table)
      }
      if (due.size > 0 && !isClosed) analyzeSoon()
    },
    async close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      await analyzing
    },
  }
}

const NEVER_ANALYZED = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND reltuples < 0 AND relnamespace = current_schema()::regnamespace`
/**
 * A tenth of the rows must have changed, or the table must have grown by a tenth: to analyze a large table takes as long as
 * hundreds of writes. Each write is counted as one row.
 */
const IS_OUTDATED = `SELECT pg_relation_size(oid) > 0 AND (reltuples <= $2::float8 * 10
    OR pg_relation_size(oid) > 1.1 * relpages * current_setting('block_size')::int) AS outdated
  FROM pg_class WHERE oid = to_regclass($1)`

/** Keeps the statistics of the database in which `read` runs statements. */
export const keepDatabaseStatistics = (
  read: (sql: string, ...parameters: readonly SqlValue[]) => Promise<readonly Row[]>,
): Statistics =>
  keepStatistics(
    async (table, writes) => {
      const name = pg.escapeIdentifier(table)
      const [row] = await read(IS_OUTDATED, name, writes)
      // Without SKIP_LOCKED, this and CREATE INDEX CONCURRENTLY, which waits for earlier statements, would wait for each other.
      if (row?.outdated) await read(`ANALYZE (SKIP_LOCKED) ${name}`)
    },
    async () => (await read(NEVER_ANALYZED)).map(({ name }) => String(name)),
  )

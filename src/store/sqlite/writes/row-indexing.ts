/** Adds changed rows to their search indexes, many together. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { UNLISTED_WORDS } from '../../search/full-text-query.ts'
import { createListedWords } from '../../search/listed-words.ts'
import type { Row } from '../../statement.ts'

/**
 * The characters of changed rows that are added together. With more, a write takes less time on average, but the one that adds
 * them takes longer (20 to 45 milliseconds with this number), and so does a search.
 */
const MAX_WAITING = 288_000
/** One long transaction may have changed many more rows. They are added in steps, whose texts are held in memory. */
const MAX_STEP = 2 * MAX_WAITING
const MAX_STEP_ROWS = 5_000

/** The search indexes: the table of the rows, the view of those that wait, and the table that notes them. */
const INDEXES = `SELECT rows.tbl_name AS rows, waiting, found.name || '_pending' AS pending
  FROM (SELECT name AS waiting, substr(name, 1, length(name) - length('_waiting')) AS name FROM sqlite_schema
    WHERE type = 'view' AND name LIKE 'octavo\\_search\\_%\\_waiting' ESCAPE '\\') AS found
  JOIN sqlite_schema AS rows ON rows.type = 'trigger' AND rows.name = found.name || '_insert'`

/** The tables with rows that wait to be added. */
export const tablesWithWaitingRows = (read: (sql: string) => readonly Row[]): readonly string[] =>
  read(INDEXES)
    .filter(({ pending }) => read(`SELECT 1 FROM "${pending}" LIMIT 1`).length > 0)
    .map(({ rows }) => String(rows))

interface Waiting {
  readonly view: string
  readonly table: string
  /** The last row that was measured, and the characters of those up to it. Only an estimate: others may have added some meanwhile. */
  measured: { readonly seq: number; readonly length: number }
}

const NONE = { seq: 0, length: 0 }

export interface RowIndexing {
  /** Adds the waiting rows of these tables if there are many, or all that wait. */
  add(tables: readonly string[], areAll: boolean): void
  /** Must be called when something was rolled back: its indexes and words do not exist. */
  forget(): void
}

export function createRowIndexing(
  database: DatabaseSync,
  prepare: (sql: string) => StatementSync,
): RowIndexing {
  const listed = createListedWords()
  database.function(UNLISTED_WORDS, (index, text) => JSON.stringify(listed.take(String(index), String(text))))
  /** The version of the schema that has these indexes. A later schema can have it too if this one was rolled back. */
  let schemaVersion: unknown = null
  let indexes: ReadonlyMap<string, Waiting> = new Map()

  /** The indexes by the tables of their rows. */
  function currentIndexes() {
    const version = prepare('PRAGMA schema_version').get()?.schema_version
    if (version === schemaVersion) return indexes
    forget()
    schemaVersion = version
    indexes = new Map(
      prepare(INDEXES)
        .all()
        .map(({ rows, waiting, pending }) => [
          String(rows),
          { view: String(waiting), table: String(pending), measured: NONE },
        ]),
    )
    return indexes
  }

  function forget() {
    schemaVersion = null
    listed.forget()
  }

  /** Measures the rows that were not measured before. */
  function lengthOf(index: Waiting): number {
    const last = Number(prepare(`SELECT max(seq) AS last FROM "${index.table}"`).get()?.last ?? 0)
    const before = last < index.measured.seq ? NONE : index.measured
    if (last === before.seq) return before.length
    const added = prepare(`SELECT sum(length) AS length FROM "${index.view}" WHERE seq > ?`).get(before.seq)
    index.measured = { seq: last, length: before.length + Number(added?.length ?? 0) }
    return index.measured.length
  }

  /** Adds a step; false if no row waits. */
  function addSome({ view }: Waiting): boolean {
    let length = 0
    let last: number | null = null
    for (const row of prepare(
      `SELECT seq, length FROM "${view}" ORDER BY seq LIMIT ${MAX_STEP_ROWS}`,
    ).all()) {
      last = Number(row.seq)
      length += Number(row.length)
      if (length > MAX_STEP) break
    }
    if (last === null) return false
    prepare(`INSERT INTO "${view}" (seq) VALUES (?)`).run(last)
    return true
  }

  return {
    add(tables, areAll) {
      const known = currentIndexes()
      for (const table of tables) {
        const index = known.get(table)
        if (!index || (!areAll && lengthOf(index) <= MAX_WAITING)) continue
        while (addSome(index));
        index.measured = NONE
      }
    },
    forget,
  }
}

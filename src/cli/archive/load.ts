/** The writing of an archive into a database: one transaction, so that all of it arrives or nothing. */
import { clearAccess, parseAccessLine } from '../../access/transfer.ts'
import type { Line } from '../../documents/transfer/archive-line.ts'
import {
  createEdgeReader,
  EDGES_AT_A_TIME,
  putEdges,
  type ReadEdge,
  settleEdges,
} from '../../documents/transfer/edges.ts'
import { insertRows, type ReadRow, rowFrom, rowsAtATime } from '../../documents/transfer/rows.ts'
import { withUrlsOf } from '../../media/transfer.ts'
import { compile } from '../../store/compile.ts'
import { blockWriters, checkSchemaVersion } from '../../store/migration/schema-version-check.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { advanceEntryIds, advanceRowIds } from '../../store/tables/counters.ts'
import { EDGES, type Layout } from '../../store/tables/layout.ts'
import type { Opened } from './open-project.ts'
import type { Survey } from './verify.ts'

/** Rows are flushed when so many characters wait. */
const HEAVY = 4_000_000

/** Puts the lines in the place of everything that is in the database. Answers with how much of it there was. */
export async function load(
  { store, layout, number, storage }: Opened,
  { header, highestEntry }: Survey,
  lines: () => AsyncIterable<Line>,
  step: () => void,
): Promise<{ readonly rows: number; readonly relations: number }> {
  return store.write(async (transaction) => {
    const written = { rows: 0, relations: 0 }
    blockWriters(transaction)
    checkSchemaVersion(transaction, number)
    clear(transaction, layout)
    const rows = new RowBatch(transaction, layout)
    const ignored = { note: () => {} }
    const reading = {
      layout,
      unknown: ignored,
      met: () => {},
      ...(header.media && { relocate: withUrlsOf(storage) }),
    }
    const edgeFrom = createEdgeReader(layout, ignored)
    let edges: ReadEdge[] = []
    for await (const line of lines()) {
      if (line.kind === 'row') {
        const row = rowFrom(line, reading)
        if (row) {
          await rows.add(row)
          written.rows++
        }
      } else if (line.kind === 'edge') {
        const edge = edgeFrom(line)
        if (edge) {
          edges.push(edge)
          written.relations++
        }
        if (edges.length >= EDGES_AT_A_TIME) {
          await putEdges(transaction, edges)
          edges = []
        }
      } else await parseAccessLine(line)?.(transaction)
      step()
    }
    await rows.flush()
    await putEdges(transaction, edges)
    await settleEdges(transaction, layout)
    for (const { uid, table } of layout.model.types.values())
      await advanceRowIds(transaction, table, Math.max(header.rowIds[uid] ?? 0, rows.highest.get(uid) ?? 0))
    await advanceEntryIds(transaction, Math.max(header.entryIds, highestEntry))
    return written
  })
}

function clear(transaction: Transaction, layout: Layout): void {
  const run = (query: ReturnType<typeof sql>) => transaction.run(compile(transaction.dialect, query))
  for (const setting of transaction.dialect.withoutStatementTimeout) run(setting)
  for (const { table } of layout.model.types.values()) {
    run(sql`delete from ${sql.table(table)}`)
    transaction.touch(table)
  }
  run(sql`delete from ${sql.table(EDGES)}`)
  transaction.touch(EDGES)
  clearAccess(transaction)
}

/** Rows of one content-type that wait to be inserted together. */
class RowBatch {
  readonly highest = new Map<string, number>()
  readonly #transaction: Transaction
  readonly #layout: Layout
  #rows: ReadRow[] = []
  #weight = 0

  constructor(transaction: Transaction, layout: Layout) {
    this.#transaction = transaction
    this.#layout = layout
  }

  async add(row: ReadRow): Promise<void> {
    const { uid } = row.type
    if (this.#rows[0] && this.#rows[0].type !== row.type) await this.flush()
    this.#rows.push(row)
    this.#weight += row.parameters.reduce<number>((sum, value) => sum + String(value).length, 0)
    this.highest.set(uid, Math.max(this.highest.get(uid) ?? 0, row.id))
    if (this.#rows.length >= rowsAtATime(row.parameters.length) || this.#weight > HEAVY) await this.flush()
  }

  async flush(): Promise<void> {
    const [first] = this.#rows
    if (first) await insertRows(this.#transaction, this.#layout, first.type, this.#rows)
    this.#rows = []
    this.#weight = 0
  }
}

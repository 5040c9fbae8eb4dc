/** Writes an archive into a database in one transaction, so that the import is all or nothing. */
import { clearAccess, parseAccessLine } from '../../access/transfer.ts'
import type { ChangeSink } from '../../documents/changes/change-record.ts'
import {
  type ArchivedState,
  clearHistory,
  createStateReader,
  HISTORY_LINE,
  hasHistoryTable,
  insertArchivedStates,
  STATES_PER_BATCH,
} from '../../documents/history/transfer.ts'
import type { ArchiveLine } from '../../documents/transfer/archive-line.ts'
import { completeDrafts } from '../../documents/transfer/complete-drafts.ts'
import {
  type ArchivedEdge,
  completeEdges,
  createEdgeReader,
  EDGES_PER_BATCH,
  insertArchivedEdges,
} from '../../documents/transfer/edges.ts'
import { deleteAllRows } from '../../documents/transfer/record-import.ts'
import { type ArchivedRow, insertRows, readRow, rowsPerStatement } from '../../documents/transfer/rows.ts'
import { rebuildFolders } from '../../media/folders/folder-rows.ts'
import { withUrlsOf } from '../../media/transfer.ts'
import type { ContentType } from '../../model/model.ts'
import { compile } from '../../store/compile.ts'
import { blockWriters, checkSchemaVersion } from '../../store/migration/schema-version-check.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { advanceEntryIds, advanceRowIds } from '../../store/tables/counters.ts'
import { EDGES, type Layout } from '../../store/tables/layout.ts'
import { hasUniqueValues, rebuildUniqueValues } from '../../store/tables/unique-values.ts'
import { signatureOf } from './header.ts'
import type { OpenProject } from './open-project.ts'
import type { ArchiveSummary } from './verify.ts'

/** Rows are inserted when this many characters are pending. */
const MAX_PENDING_CHARACTERS = 4_000_000

/** Replaces everything in the database with the lines. Returns the number of rows and relations. */
export async function loadArchive(
  { store, layout, schemaVersion, storage, sinks }: OpenProject,
  { header, highestEntry }: ArchiveSummary,
  lines: () => AsyncIterable<ArchiveLine>,
  step: () => void,
  withHistory: boolean,
): Promise<{ readonly rows: number; readonly relations: number }> {
  return store.write(async (transaction) => {
    const written = { rows: 0, relations: 0 }
    blockWriters(transaction)
    checkSchemaVersion(transaction, schemaVersion)
    await clearContent(transaction, layout, sinks)
    const rows = new RowBatch(transaction, layout, sinks)
    const ignored = { add: () => {} }
    const reading = {
      layout,
      unknown: ignored,
      isOfSameModel: header.model === signatureOf(layout.model),
      onEntryId: () => {},
      ...(header.media && { relocate: withUrlsOf(storage) }),
    }
    const edgeFrom = createEdgeReader(layout, ignored)
    const stateFrom = createStateReader(layout)
    const keepsHistory = withHistory && (await hasHistoryTable(transaction))
    const withHiddenDrafts = new Set<ContentType>()
    let states: ArchivedState[] = []
    let edges: ArchivedEdge[] = []
    for await (const line of lines()) {
      if (line.kind === 'row') {
        const row = readRow(line, reading)
        if (row) {
          if (row.wasHidden && !row.published) withHiddenDrafts.add(row.type)
          await rows.add(row)
          written.rows++
        }
      } else if (line.kind === 'edge') {
        const edge = edgeFrom(line)
        if (edge) {
          edges.push(edge)
          written.relations++
        }
        if (edges.length >= EDGES_PER_BATCH) {
          await insertArchivedEdges(transaction, edges)
          edges = []
        }
      } else if (line.kind === HISTORY_LINE) {
        const state = keepsHistory ? stateFrom(line) : null
        if (state) states.push(state)
        if (states.length >= STATES_PER_BATCH) {
          await insertArchivedStates(transaction, states)
          states = []
        }
      } else await parseAccessLine(line)?.(transaction)
      step()
    }
    await insertArchivedStates(transaction, states)
    await rows.flush()
    await insertArchivedEdges(transaction, edges)
    await completeEdges(transaction, layout)
    if (hasUniqueValues(layout.model)) await rebuildUniqueValues(transaction, layout.model)
    for (const { uid, table } of layout.model.types.values())
      await advanceRowIds(transaction, table, Math.max(header.rowIds[uid] ?? 0, rows.highest.get(uid) ?? 0))
    await advanceEntryIds(transaction, Math.max(header.entryIds, highestEntry))
    await completeDrafts(transaction, layout, withHiddenDrafts)
    await rebuildFolders(transaction, layout)
    return written
  })
}

/** Deletes all content with its history, and everything about access. */
export async function clearContent(
  transaction: Transaction,
  layout: Layout,
  sinks: readonly ChangeSink[],
): Promise<void> {
  const run = (query: ReturnType<typeof sql>) => transaction.run(compile(transaction.dialect, query))
  for (const setting of transaction.dialect.withoutStatementTimeout) run(setting)
  for (const type of layout.model.types.values()) await deleteAllRows(transaction, layout, sinks, type)
  run(sql`delete from ${sql.table(EDGES)}`)
  transaction.touch(EDGES)
  await clearHistory(transaction)
  clearAccess(transaction)
}

/** Rows of one content-type that are inserted together. */
export class RowBatch {
  readonly highest = new Map<string, number>()
  readonly #transaction: Transaction
  readonly #layout: Layout
  readonly #sinks: readonly ChangeSink[]
  #rows: ArchivedRow[] = []
  #characters = 0

  constructor(transaction: Transaction, layout: Layout, sinks: readonly ChangeSink[]) {
    this.#transaction = transaction
    this.#layout = layout
    this.#sinks = sinks
  }

  async add(row: ArchivedRow): Promise<void> {
    const { uid } = row.type
    if (this.#rows[0] && this.#rows[0].type !== row.type) await this.flush()
    this.#rows.push(row)
    this.#characters += row.parameters.reduce<number>((sum, value) => sum + String(value).length, 0)
    this.highest.set(uid, Math.max(this.highest.get(uid) ?? 0, row.id))
    if (
      this.#rows.length >= rowsPerStatement(row.parameters.length) ||
      this.#characters > MAX_PENDING_CHARACTERS
    )
      await this.flush()
  }

  async flush(): Promise<void> {
    const [first] = this.#rows
    if (first) await insertRows(this.#transaction, this.#layout, first.type, this.#rows, this.#sinks)
    this.#rows = []
    this.#characters = 0
  }
}

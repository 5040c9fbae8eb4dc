/** Exports and imports history. In an archive, states have the attributes of the current model, and relations by name. */
import { isObject } from '../../project/values.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { ReadRows, Transaction } from '../../store/store.ts'
import { advanceRowIds } from '../../store/tables/counters.ts'
import { type Layout, ownedRelations, relationKeyText } from '../../store/tables/layout.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { placeholders, statement } from '../rows/statement.ts'
import { type ArchiveLine, DOCUMENT_ID, type Fields, INSTANT } from '../transfer/archive-line.ts'
import { currentModel } from './insert-states.ts'
import { readRow, statesAfter } from './read-states.ts'
import { isStoredState, serializeContent, serializeState } from './state.ts'
import { HISTORY, history } from './tables.ts'

/** The kind of the lines. */
export const HISTORY_LINE = 'history'

const BATCH = 100

/** The saved states of the content-types of the model as fields of lines, in batches. */
export async function* historyLines(read: ReadRows, layout: Layout): AsyncGenerator<readonly Fields[]> {
  const keys = new Map(
    ownedRelations(layout.model).map((key) => [layout.relationId(key), relationKeyText(key)]),
  )
  for (let after = 0; ; ) {
    const rows = await read(statesAfter(after, BATCH))
    const lines: Fields[] = []
    for (const row of rows) {
      const type = layout.model.types.get(String(row.type))
      const found = type ? await readRow({ read, layout }, type, row) : null
      if (!type || !found) continue
      const { version, ...item } = found.item
      const { version: saved } = found.state
      const state: Fields = JSON.parse(
        serializeState(saved, serializeContent(blueprintOf(layout, type), saved)),
      )
      const edges = renameRelations(state.e, (relation) => keys.get(Number(relation)))
      lines.push({
        ...{ kind: HISTORY_LINE, type: type.uid, version, ...item },
        ...{ rowId: saved.id, state: { ...state, e: edges } },
      })
    }
    if (lines.length > 0) yield lines
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = Number(last.id)
  }
}

/** Edges with another name for their relation; those without one are left out. */
const renameRelations = (edges: unknown, nameOf: (relation: unknown) => unknown): unknown[] =>
  Array.isArray(edges)
    ? edges.flatMap((edge: unknown) => {
        const [relation, ...rest]: unknown[] = Array.isArray(edge) ? edge : []
        const name = nameOf(relation)
        return name === undefined ? [] : [[name, ...rest]]
      })
    : []

/** A saved state that is ready to be inserted. */
export interface ArchivedState {
  readonly version: number
  readonly parameters: readonly SqlValue[]
}

const LOCALE = /^[A-Za-z0-9-]{0,35}$/
const ACTION = /^[a-z]{1,20}$/
const AUTHOR = /^[a-z]+(?::[\w-]{1,64})?$/

/** Reads states from lines; null if the model does not have the content-type. */
export function createStateReader(layout: Layout): (line: ArchiveLine) => ArchivedState | null {
  const relations = new Map<unknown, number>(
    ownedRelations(layout.model).map((key) => [relationKeyText(key), layout.relationId(key)]),
  )
  return (line) => {
    const type = line.string('type')
    const { fields } = line.object('state')
    const state = { ...fields, e: renameRelations(fields.e, (relation) => relations.get(relation)) }
    if (!isObject(fields) || !isStoredState(state)) throw line.invalid('state')
    const version = line.integer('version', 1)
    const rowId = line.fields.rowId === null ? null : line.integer('rowId')
    const parameters = [
      ...[version, type, line.string('documentId', DOCUMENT_ID), line.string('locale', LOCALE)],
      ...[line.boolean('published') ? 1 : 0, line.string('action', ACTION)],
      ...[line.string('author', AUTHOR), line.string('at', INSTANT), rowId, JSON.stringify(state)],
    ]
    return layout.model.types.has(type) ? { version, parameters } : null
  }
}

const COLUMNS = [
  ...['id', 'type', 'document_id', 'locale', 'published', 'action', 'author', 'at', 'row_id', 'state'],
].map((name) => sql.id(name))

/** States per statement. */
export const STATES_PER_BATCH = BATCH

/** Inserts states with their numbers. */
export async function insertArchivedStates(
  transaction: Transaction,
  states: readonly ArchivedState[],
): Promise<void> {
  if (states.length === 0) return
  const { dialect } = transaction
  const build = () => sql`insert into ${history} (${sql.join(COLUMNS)}, model) ${dialect.overridingIds}
    values ${sql.join(states.map(() => sql`(${placeholders(COLUMNS.length)}, ${currentModel})`))}`
  const parameters = states.flatMap((state) => state.parameters)
  // Wait, so that no more than one batch is in memory.
  await transaction.all(statement(dialect, `history import|${states.length}`, build, parameters))
  await advanceRowIds(transaction, HISTORY, Math.max(...states.map(({ version }) => version)))
}

/** Deletes all history, if the database has any. */
export async function clearHistory(transaction: Transaction): Promise<void> {
  if (await hasHistoryTable(transaction))
    transaction.run(compile(transaction.dialect, sql`delete from ${history}`))
}

export async function hasHistoryTable(transaction: Transaction): Promise<boolean> {
  const { dialect } = transaction
  return (await transaction.all(compile(dialect, dialect.hasTable(HISTORY)))).length > 0
}

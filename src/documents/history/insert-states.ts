/** Inserts saved states, any number with one statement. */
import type { ContentType } from '../../model/model.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { placeholder, placeholders, rowInsert, statement } from '../rows/statement.ts'
import { HISTORY, history } from './tables.ts'

export interface SavedState {
  readonly type: ContentType
  readonly documentId: string
  readonly locale: string
  /** Whether callers who may not read drafts may see it. */
  readonly published: boolean
  readonly action: string
  readonly author: string
  readonly requestId: string | null
  readonly at: string
  /** The id of the row; null if the database has just assigned it. */
  readonly rowId: number | null
  readonly rowPublished: boolean
  /** The result of `serializeState`. */
  readonly state: string
}

const COLUMNS = [
  ...['type', 'document_id', 'locale', 'published', 'action', 'author', 'request_id', 'at', 'state'],
  ...['model', 'row_id'],
]
/** Those that have a parameter. */
const PLAIN_COLUMNS = 9
/** Rows per statement. */
const MAX_ROWS = 64

/** The schema version that a state is saved with. */
export const currentModel = sql`(select cast(value as integer) from octavo_meta where key = 'number')`

const insertWithRowIds = rowInsert(
  HISTORY,
  COLUMNS,
  sql`${placeholders(PLAIN_COLUMNS)}, ${currentModel}, ${placeholder}`,
)

export function insertStates(transaction: Transaction, states: readonly SavedState[]): void {
  const { dialect } = transaction
  if (states.every(({ rowId }) => rowId !== null)) {
    transaction.append(insertWithRowIds(dialect, states.map(valuesOf)))
    return
  }
  for (let from = 0; from < states.length; from += MAX_ROWS) {
    const chunk = states.slice(from, from + MAX_ROWS)
    const build = () => sql`${dialect.insertInto(history)} (${sql.join(COLUMNS.map((name) => sql.id(name)))})
      values ${sql.join(chunk.map((state) => sql`(${placeholders(PLAIN_COLUMNS)}, ${currentModel}, ${rowIdOf(state)})`))}`
    const shape = chunk.map(({ type, rowId }) => (rowId === null ? type.table : '')).join('|')
    transaction.run(statement(dialect, `history|${shape}`, build, chunk.flatMap(valuesOf)))
  }
}

const rowIdOf = ({ type, rowId }: SavedState): Sql =>
  rowId === null
    ? sql`(select id from ${sql.table(type.table)} where document_id = ${placeholder}
        and locale = ${placeholder} and published = ${placeholder})`
    : placeholder

const valuesOf = (saved: SavedState): SqlValue[] => [
  ...[saved.type.uid, saved.documentId, saved.locale, saved.published ? 1 : 0, saved.action],
  ...[saved.author, saved.requestId, saved.at, saved.state],
  ...(saved.rowId === null ? [saved.documentId, saved.locale, saved.rowPublished ? 1 : 0] : [saved.rowId]),
]

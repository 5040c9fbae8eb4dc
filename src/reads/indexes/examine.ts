/**
 * Examines a plan that is in use: which indexes the engine uses for it, how many rows it scans, and which index would
 * let it scan far fewer. Runs in the background, with the values of a read that has just been made.
 */
import { compileCount } from '../../plan/plan.ts'
import { bind } from '../../plan/prepared-statement.ts'
import type { Condition, Query } from '../../plan/query-tree.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { AutomaticIndex } from '../../store/tables/automatic-indexes.ts'
import { exampleOf } from './example.ts'
import { knownIndexes } from './known-indexes.ts'
import type { ReadUsage } from './read-usage.ts'
import { bestIndex, type CountRows, rowsReadWith } from './rows-read.ts'
import { type FieldCondition, selectionOf } from './selection.ts'

/** A kind of read for which an index would help. Holds names of the model, never values. */
export interface ReadShape {
  /** uid of the content-type. */
  readonly type: string
  readonly status: Query['status']
  /** The attributes that are compared with a value, and those that are limited to a range. */
  readonly equal: readonly string[]
  readonly range: readonly string[]
  /** The attributes that documents are sorted by; `-` before those in descending order. */
  readonly sort: readonly string[]
  /** A query string without values. */
  readonly example: string
  /** The columns of the index that would help most. */
  readonly columns: readonly string[]
  readonly rowsRead: number
  readonly rowsReturned: number
}

export interface Examination {
  /** The names of the declared and automatic indexes of the content-type that the engine uses. */
  readonly used: readonly string[]
  /** Null when the read scans few rows, or no index would change that. */
  readonly shape: ReadShape | null
}

/** A read that scans fewer rows is fast enough. */
const MIN_ROWS = 1_000
/** A read should scan no more than this many times the rows that it returns. */
const MAX_RATIO = 10
/** With an index, a read must scan only one of this many rows. */
const MIN_GAIN = 5

export async function examine(
  store: Store,
  { plan, layout, last: { checked, params } }: ReadUsage,
  automatic: readonly AutomaticIndex[],
): Promise<Examination> {
  const { query, values } = checked
  const { dialect } = store
  const selection = selectionOf(query, layout.model)
  const { indexes } = await store.explain(bind(plan.read, values))
  const known = knownIndexes(selection.type, automatic, dialect)
  const usedHere = known.filter(({ name }) => indexes.includes(name))
  const used = usedHere.map(({ name }) => name)
  const served = { used, shape: null }

  const countWhere = async (where: Condition | null): Promise<number> => {
    const statement = bind(compileCount({ ...query, where }, layout, dialect), values)
    const [row] = await store.read(statement, plan.countTables)
    return Number(row?.count ?? 0)
  }
  const count: CountRows = (all) => countWhere(all.length === 0 ? null : { kind: 'and', all })
  if ((await count([])) < MIN_ROWS) return served
  const matching = await countWhere(query.where)
  const { start, limit } = pageOf(query, values)
  const list = { matching, end: start + limit }
  const rowsReturned = Math.max(Math.min(matching - start, limit), 0)

  const rowsRead = await rowsReadWith(usedHere, selection, list, count)
  if (rowsRead < MIN_ROWS || rowsRead < MAX_RATIO * Math.max(rowsReturned, 1)) return served
  const best = await bestIndex(selection, dialect.limitsIndexedLength, list, count)
  if (!best || best.cost * MIN_GAIN > rowsRead) return served
  if (known.some(({ columns }) => best.columns.every((column, place) => columns[place] === column)))
    return served
  return {
    used,
    shape: {
      type: selection.type.uid,
      status: query.status,
      equal: namesOf(selection.equal),
      range: namesOf(selection.range),
      sort: selection.sortedBy,
      example: exampleOf(params),
      columns: best.columns,
      rowsRead,
      rowsReturned,
    },
  }
}

const namesOf = (parts: readonly FieldCondition[]) => parts.map(({ field }) => field.name)

/** The requested part of a list. */
function pageOf({ target }: Query, values: readonly SqlValue[]) {
  const numberIn = (slot: number) => Number(values[slot] ?? 0)
  return {
    start: target.kind === 'page' ? numberIn(target.start.slot) : 0,
    limit: target.kind === 'page' || target.kind === 'cursor' ? numberIn(target.limit.slot) : 1,
  }
}

/** How many rows a list scans with an index, and which index would make them fewest. */
import type { Condition, Field } from '../../plan/query-tree.ts'
import type { KnownIndex } from './known-indexes.ts'
import { type FieldCondition, fittingFields, isUniqueLookup, type Selection } from './selection.ts'

/** Counts the rows of the list's status and locale that meet all conditions. */
export type CountRows = (conditions: readonly Condition[]) => Promise<number>

export interface ListedRows {
  /** The rows that meet every condition of the list. */
  readonly matching: number
  /** The number of the last row of the page, counted from the start of the list. */
  readonly end: number
}

/** Rows that have to be sorted cost more than rows that are read in order. */
const SORT_FACTOR = 2

/** The rows that are read in the order of the list until the page is full. */
const untilFull = (rows: number, { matching, end }: ListedRows): number =>
  matching <= end ? rows : Math.ceil((rows * end) / matching)

/** The rows that the engine scans with these indexes; without any, with the one of pages, which is sorted by id. */
export async function rowsReadWith(
  used: readonly KnownIndex[],
  selection: Selection,
  list: ListedRows,
  count: CountRows,
): Promise<number> {
  const indexes = used.length > 0 ? used : [{ columns: [] }]
  const rows = await Promise.all(indexes.map((index) => rowsReadOf(index.columns, selection, list, count)))
  return Math.min(...rows)
}

async function rowsReadOf(
  columns: readonly string[],
  { equal, range, order, sortedBy }: Selection,
  list: ListedRows,
  count: CountRows,
): Promise<number> {
  const equalTo = new Map(equal.map(({ field, condition }) => [field.column, condition]))
  const end = columns.findIndex((column) => !equalTo.has(column))
  const covered = end < 0 ? columns : columns.slice(0, end)
  const rest = columns.slice(covered.length)
  const conditions = covered.flatMap((column) => equalTo.get(column) ?? [])
  const bound = range.find(({ field }) => field.column === rest[0])
  if (bound) return count([...conditions, bound.condition])
  const isInOrder =
    sortedBy.length === 0
      ? rest.length === 0
      : order.length > 0 && order.every(({ column }, place) => column === rest[place])
  const rows = await count(conditions)
  return isInOrder ? untilFull(rows, list) : rows
}

export interface BestIndex {
  readonly columns: readonly string[]
  /** The rows that a list would scan; more where they have to be sorted. */
  readonly cost: number
}

/** The index with which a list scans the fewest rows; null when none can serve it. */
export async function bestIndex(
  selection: Selection,
  limitsLength: boolean,
  list: ListedRows,
  count: CountRows,
): Promise<BestIndex | null> {
  const { type, equal, range, order, canSort, sortedBy } = selection
  if (equal.some(({ field }) => isUniqueLookup(type, field))) return null
  const columnsOf = (last: readonly Field[]): readonly string[] => {
    const fields = [...equal.map(({ field }) => field), ...last].filter(({ column }) => column !== 'id')
    return (limitsLength ? fittingFields(type, fields) : fields).map(({ column }) => column)
  }
  const conditionsOf = (parts: readonly FieldCondition[]) => parts.map(({ condition }) => condition)
  const candidates: BestIndex[] = []
  const equalRows = await count(conditionsOf(equal))
  if (canSort) candidates.push({ columns: columnsOf(order), cost: untilFull(equalRows, list) })
  const factor = sortedBy.length > 0 ? SORT_FACTOR : 1
  for (const bound of range) {
    const rows = await count(conditionsOf([...equal, bound]))
    candidates.push({ columns: columnsOf([bound.field]), cost: rows * factor })
  }
  if (!canSort && range.length === 0) candidates.push({ columns: columnsOf([]), cost: equalRows * factor })
  const possible = candidates.filter(({ columns }) => columns.length > 0)
  return possible.reduce<BestIndex | null>((best, one) => (best && best.cost <= one.cost ? best : one), null)
}

/** Keyset pagination: finds the rows after a position in a sorted list without skipping those before it. */
import type { ContentType } from '../../model/model.ts'
import { type Sql, sql } from '../../store/sql.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { all, parameter } from '../conditions.ts'
import type { CursorPosition, Slot, Sort } from '../query-tree.ts'
import { type Compilation, column, type Source } from '../sources.ts'
import { sortValues } from './sort-values.ts'
import { type SortExpression, withPrefixTest } from './text-prefix.ts'

/** A range of consecutive rows, in which the first `fixedTerms` sort values are constant. */
export interface KeyRange {
  readonly where: Sql
  readonly fixedTerms: number
}

/** The sort terms before the id. Ids are unique, so that terms after the id have no effect. */
export function termsBeforeId(sort: readonly Sort[]): readonly Sort[] {
  const byId = indexOfId(sort)
  return byId < 0 ? sort : sort.slice(0, byId)
}

const indexOfId = (sort: readonly Sort[]) =>
  sort.findIndex(({ steps, field }) => steps.length === 0 && field.type === 'id')

/** The sort order of a list, ending with the id; reversed when backward. Nulls sort before all values. */
export function sortExpressions(
  c: Compilation,
  sort: readonly Sort[],
  source: Source,
  backward: boolean,
): readonly SortExpression[] {
  const byId = sort[indexOfId(sort)]
  return [
    ...sortValues(c, termsBeforeId(sort), source),
    { value: column(source, 'id'), descending: byId?.descending ?? false, nullable: false, prefix: null },
  ].map((term) => ({ ...term, descending: term.descending !== backward }))
}

/**
 * The ranges after a position, nearest first. Each is a set of equalities and one inequality, which an index can seek; it
 * could not seek all of them combined with OR.
 */
export function rangesBeyond(order: readonly SortExpression[], from: CursorPosition): readonly KeyRange[] {
  const keys: readonly (Slot | null)[] = [...from.keys, from.id]
  const equal = (count: number) =>
    order.slice(0, count).map((term, index) => {
      const key = keys[index]
      return key ? compared(term, sql`=`, key) : isNull(term)
    })
  return order
    .flatMap((term, index) => {
      const last = index === order.length - 1
      return beyond(term, keys[index] ?? null, last && from.inclusive, last).map(({ where, isFixed }) => ({
        where: all([...equal(index), where]),
        fixedTerms: isFixed ? index + 1 : index,
        index,
      }))
    })
    .sort((a, b) => b.index - a.index)
}

/** The values after a key: up to two ranges, because nulls have to be tested for separately. */
function beyond(term: SortExpression, key: Slot | null, inclusive: boolean, never: boolean) {
  const { value, descending } = term
  if (key === null) return descending ? [] : [{ where: sql`${value} is not null`, isFixed: false }]
  const loose = descending ? sql`<=` : sql`>=`
  const operator = inclusive ? loose : descending ? sql`<` : sql`>`
  const range = { where: compared(term, operator, key, loose), isFixed: false }
  return descending && !never ? [range, { where: isNull(term), isFixed: true }] : [range]
}

/** A comparison with a key; `loose` is the operator that then holds for the prefixes of long text. */
const compared = ({ value, prefix: beginning }: SortExpression, operator: Sql, key: Slot, loose = operator) =>
  withPrefixTest(
    beginning,
    sql`${value} ${operator} ${parameter(key)}`,
    (begin) => sql`${begin(value)} ${loose} ${begin(parameter(key))}`,
  )

const isNull = ({ value, prefix: beginning }: SortExpression) =>
  withPrefixTest(beginning, sql`${value} is null`, (begin) => sql`${begin(value)} is null`)

/** Whether an index has the rows in the order of a sort, so that each range can be sought. */
export function isIndexed(type: ContentType, [first]: readonly Sort[]): boolean {
  if (!first || first.steps.length > 0) return false
  const attribute = type.attributes.get(first.field.name)
  return (
    type.indexes.some(([name = '']) => columnOf(name) === first.field.column) ||
    (attribute?.kind === 'scalar' && attribute.unique)
  )
}

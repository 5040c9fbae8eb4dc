/** The rows on one side of a position in a sorted list, found without counting those before it. */
import { sql } from 'kysely'
import type { ContentType } from '../model/model.ts'
import { columnOf } from '../store/layout.ts'
import { all, parameter } from './conditions.ts'
import type { Sql } from './dialect.ts'
import { sortValues } from './json.ts'
import { type Compilation, column, type Place } from './place.ts'
import type { Position, Slot, Sort } from './tree.ts'

/** What a list is ordered by, the id that settles ties included. Nulls are smaller than anything. */
interface Ordering {
  readonly value: Sql
  readonly descending: boolean
}

/** A run of rows that follow each other in the order; the first `fixed` values are the same for all of them. */
export interface Stretch {
  readonly where: Sql
  readonly fixed: number
}

/** The terms of a sort that come before the id, which settles ties: what follows an id decides nothing. */
export function termsBeforeId(sort: readonly Sort[]): readonly Sort[] {
  const byId = indexOfId(sort)
  return byId < 0 ? sort : sort.slice(0, byId)
}

const indexOfId = (sort: readonly Sort[]) =>
  sort.findIndex(({ steps, field }) => steps.length === 0 && field.type === 'id')

/** The order of a list, read from its end when backward; the id comes last. */
export function orderings(
  c: Compilation,
  sort: readonly Sort[],
  place: Place,
  backward: boolean,
): readonly Ordering[] {
  const byId = sort[indexOfId(sort)]
  return [
    ...sortValues(c, termsBeforeId(sort), place),
    { value: column(place, 'id'), descending: byId?.descending ?? false },
  ].map(({ value, descending }) => ({ value, descending: descending !== backward }))
}

/**
 * The stretches that follow a position, nearest first. Each asks for equal values and one range, which is what an index
 * can find at once; all of them together with "or" it could not.
 */
export function stretchesBeyond(order: readonly Ordering[], from: Position): readonly Stretch[] {
  const keys: readonly (Slot | null)[] = [...from.keys, from.id]
  const equal = (count: number) =>
    order.slice(0, count).map(({ value }, index) => {
      const key = keys[index]
      return key ? sql`${value} = ${parameter(key)}` : sql`${value} is null`
    })
  return order
    .flatMap((term, index) => {
      const last = index === order.length - 1
      return beyond(term, keys[index] ?? null, last && from.inclusive, last).map(({ where, isFixed }) => ({
        where: all([...equal(index), where]),
        fixed: isFixed ? index + 1 : index,
        index,
      }))
    })
    .sort((a, b) => b.index - a.index)
}

/** The values behind a key: up to two ranges, because nulls are smaller than anything and equal to nothing. */
function beyond({ value, descending }: Ordering, key: Slot | null, inclusive: boolean, never: boolean) {
  if (key === null) return descending ? [] : [{ where: sql`${value} is not null`, isFixed: false }]
  const operator = descending ? (inclusive ? sql`<=` : sql`<`) : inclusive ? sql`>=` : sql`>`
  const range = { where: sql`${value} ${operator} ${parameter(key)}`, isFixed: false }
  return descending && !never ? [range, { where: sql`${value} is null`, isFixed: true }] : [range]
}

/** Whether an index has the rows of a type in the order of a sort, so that each stretch is read from where it begins. */
export function isIndexed(type: ContentType, [first]: readonly Sort[]): boolean {
  if (!first || first.steps.length > 0) return false
  const attribute = type.attributes.get(first.field.name)
  return (
    type.indexes.some(([name = '']) => columnOf(name) === first.field.column) ||
    (attribute?.kind === 'scalar' && (attribute.unique || attribute.type === 'uid'))
  )
}

/** The filters of a list: conditions in groups that match all or any of them. */
import type { Operator } from '../fields/field-type.ts'

export interface FilterCondition {
  readonly kind: 'condition'
  /** The name of an attribute, or a path through a relation such as `district.name`. */
  readonly attribute: string
  readonly operator: Operator
  readonly value: string
}

export interface FilterGroup {
  readonly kind: 'group'
  readonly match: 'all' | 'any'
  readonly of: readonly Filter[]
}

export type Filter = FilterCondition | FilterGroup

export const NO_FILTER: FilterGroup = { kind: 'group', match: 'all', of: [] }

/** Operators that compare with nothing. */
export const hasValue = (operator: Operator) => operator !== '$null' && operator !== '$notNull'

/** Whether the condition can be sent: a value that was not entered yet is left out. */
const isComplete = (filter: Filter): boolean =>
  filter.kind === 'group'
    ? filter.of.some(isComplete)
    : filter.attribute !== '' && (!hasValue(filter.operator) || filter.value !== '')

/** The group without conditions that are incomplete; undefined when nothing is left. */
export function completeFilter(group: FilterGroup): FilterGroup | undefined {
  const of = group.of
    .filter(isComplete)
    .map((filter) => (filter.kind === 'group' ? (completeFilter(filter) ?? filter) : filter))
  return of.length === 0 ? undefined : { ...group, of }
}

/** The `filters` parameter of the API. */
export function filtersParameter(filter: Filter): Record<string, unknown> {
  if (filter.kind === 'group')
    return { [filter.match === 'all' ? '$and' : '$or']: filter.of.map(filtersParameter) }
  const { attribute, operator, value } = filter
  return attribute.split('.').reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), {
    [operator]: hasValue(operator) ? value : true,
  })
}

const OPERATORS: ReadonlySet<unknown> = new Set<Operator>([
  '$eq',
  '$ne',
  '$containsi',
  '$notContainsi',
  '$startsWithi',
  '$endsWithi',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$null',
  '$notNull',
])

export const isOperator = (value: unknown): value is Operator => OPERATORS.has(value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Reads a group from a URL; undefined when it is not one. */
export function parseFilterGroup(value: unknown): FilterGroup | undefined {
  if (!isObject(value) || !Array.isArray(value.of)) return undefined
  const of = value.of.flatMap((item): Filter[] => {
    const group = parseFilterGroup(item)
    if (group) return [group]
    if (!isObject(item) || typeof item.attribute !== 'string' || !isOperator(item.operator)) return []
    return [
      {
        kind: 'condition',
        attribute: item.attribute,
        operator: item.operator,
        value: String(item.value ?? ''),
      },
    ]
  })
  return of.length === 0 ? undefined : { kind: 'group', match: value.match === 'any' ? 'any' : 'all', of }
}

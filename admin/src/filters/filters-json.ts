/** The filters of a permission as the groups that the filter builder edits. Pure. */
import { type Filter, type FilterGroup, isOperator } from './filter.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null when the filters use what the builder does not offer; they are then edited as JSON. */
export function groupOfFilters(filters: Readonly<Record<string, unknown>>): FilterGroup | null {
  const of = filtersIn(filters, [])
  if (of === null) return null
  const [only] = of
  return of.length === 1 && only?.kind === 'group' ? only : { kind: 'group', match: 'all', of }
}

function filtersIn(
  filters: Readonly<Record<string, unknown>>,
  path: readonly string[],
): readonly Filter[] | null {
  const found = Object.entries(filters).map(([key, value]): readonly Filter[] | null => {
    if (key === '$and' || key === '$or')
      return path.length === 0 ? groupIn(value, key === '$and' ? 'all' : 'any') : null
    if (key.startsWith('$')) return conditionIn(path, key, value)
    if (isObject(value)) return filtersIn(value, [...path, key])
    return conditionIn([...path, key], '$eq', value)
  })
  return found.some((each) => each === null) ? null : found.flatMap((each) => each ?? [])
}

function groupIn(value: unknown, match: FilterGroup['match']): readonly Filter[] | null {
  if (!Array.isArray(value) || !value.every(isObject)) return null
  const parts = value.map((each) => {
    const of = filtersIn(each, [])
    // Several conditions in one object must all match.
    return of === null || of.length === 1 ? of : [{ kind: 'group' as const, match: 'all' as const, of }]
  })
  if (parts.some((part) => part === null)) return null
  return [{ kind: 'group', match, of: parts.flatMap((part) => part ?? []) }]
}

function conditionIn(path: readonly string[], operator: string, value: unknown): readonly Filter[] | null {
  const attribute = path.join('.')
  if (operator === '$null' || operator === '$notNull') {
    const isNull = (operator === '$null') === (value === true || value === 'true')
    return [{ kind: 'condition', attribute, operator: isNull ? '$null' : '$notNull', value: '' }]
  }
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isScalar && isOperator(operator) && attribute !== ''
    ? [{ kind: 'condition', attribute, operator, value: String(value) }]
    : null
}

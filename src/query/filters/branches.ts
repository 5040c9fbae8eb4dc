/** The branches of `$and`, `$or` and `$not` in filters, and which of them are about a relation itself. */
import { isObject } from '../../project/values.ts'
import { listOf, type Param } from '../params.ts'
import { mistaken, type Reading } from '../parse-context.ts'

/** `$and[0]…`, or an object whose keys are branches of their own. */
export function branches(reading: Reading, value: Param, path: readonly string[]): readonly Param[] {
  const list = listOf(value)
  if (list) return list
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).map(([key, v]) => ({ [key]: v }))
  return mistaken(reading, path, 'expected a list of conditions')
}

const RELATION_OPERATORS = new Set(['$null', '$notNull', '$eq', '$in', '$ne', '$notIn'])

/** Whether a branch below a relation says something of the relation itself: an id, or an operator that relations have. */
export function isOfRelation(branch: Param): boolean {
  if (!isObject(branch) || listOf(branch)) return true
  return Object.entries(branch).some(
    ([key, operand]) =>
      RELATION_OPERATORS.has(key) ||
      (key === '$not' && isOfRelation(operand)) ||
      ((key === '$and' || key === '$or') && (listOf(operand) ?? [operand]).some(isOfRelation)),
  )
}

/**
 * The branches below a relation that are parsed each by itself, and those that ask for one related thing together. Of
 * `$or` it makes no difference, since a thing that meets one branch is enough.
 */
export function parted(
  reading: Reading,
  operator: '$and' | '$or',
  value: Param,
  path: readonly string[],
): { readonly apart: readonly Param[] | null; readonly together: Param | null } {
  const all = branches(reading, value, path)
  const own = all.filter(isOfRelation)
  if (own.length === 0) return { apart: null, together: value }
  if (operator === '$or' || own.length === all.length) return { apart: all, together: null }
  return { apart: own, together: all.filter((branch) => !own.includes(branch)) }
}

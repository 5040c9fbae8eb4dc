/** The branches of `$and`, `$or` and `$not` in filters, and which of them are about a relation itself. */
import { isObject } from '../../project/values.ts'
import { listOf, type Param } from '../params.ts'
import { type ParseContext, refuseValue } from '../parse-context.ts'

/** `$and[0]…`, or an object whose keys are branches of their own. */
export function branches(context: ParseContext, value: Param, path: readonly string[]): readonly Param[] {
  const list = listOf(value)
  if (list) return list
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).map(([key, v]) => ({ [key]: v }))
  return refuseValue(context, path, 'expected a list of conditions')
}

const RELATION_OPERATORS = new Set(['$null', '$notNull', '$eq', '$in', '$ne', '$notIn'])

/** Whether a branch below a relation says something of the relation itself: an id, or an operator that relations have. */
export function isOnRelationItself(branch: Param): boolean {
  if (!isObject(branch) || listOf(branch)) return true
  return Object.entries(branch).some(
    ([key, operand]) =>
      RELATION_OPERATORS.has(key) ||
      (key === '$not' && isOnRelationItself(operand)) ||
      ((key === '$and' || key === '$or') && (listOf(operand) ?? [operand]).some(isOnRelationItself)),
  )
}

/**
 * The branches below a relation that are parsed each by itself, and those that ask for one related thing together. Of
 * `$or` it makes no difference, since a thing that meets one branch is enough.
 */
export function splitBranches(
  context: ParseContext,
  operator: '$and' | '$or',
  value: Param,
  path: readonly string[],
): { readonly apart: readonly Param[] | null; readonly together: Param | null } {
  const all = branches(context, value, path)
  const own = all.filter(isOnRelationItself)
  if (own.length === 0) return { apart: null, together: value }
  if (operator === '$or' || own.length === all.length) return { apart: all, together: null }
  return { apart: own, together: all.filter((branch) => !own.includes(branch)) }
}

/** The branches of `$and`, `$or` and `$not`, and which of them are conditions on a relation itself. */
import { isObject } from '../../project/values.ts'
import { listOf, type Param } from '../params.ts'
import { type ParseContext, refuseValue } from '../parse-context.ts'
import { operatorOf } from './operators.ts'

export const LOGICAL_OPERATORS = ['$and', '$or', '$not'] as const

/** The branches of a list, or of an object with one branch per key. */
export function branchesOf(context: ParseContext, value: Param, path: readonly string[]): readonly Param[] {
  const list = listOf(value)
  if (list) return list
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).map(([key, v]) => ({ [key]: v }))
  return refuseValue(context, path, 'expected a list of conditions')
}

/** Whether a branch below a relation contains a condition on the relation itself: an id, or an operator for relations. */
export function isOnRelationItself(branch: Param): boolean {
  if (!isObject(branch) || listOf(branch)) return true
  return Object.entries(branch).some(
    ([key, operand]) =>
      operatorOf(key)?.onRelation !== undefined ||
      (key === '$not' && isOnRelationItself(operand)) ||
      ((key === '$and' || key === '$or') && (listOf(operand) ?? [operand]).some(isOnRelationItself)),
  )
}

/**
 * Splits the branches below a relation into those that are separate conditions and those that must match the same related
 * document. For `$or` this makes no difference, because one matching branch is enough.
 */
export function splitBranches(
  context: ParseContext,
  operator: '$and' | '$or',
  value: Param,
  path: readonly string[],
): { readonly separate: readonly Param[] | null; readonly together: Param | null } {
  const all = branchesOf(context, value, path)
  const onRelation = all.filter(isOnRelationItself)
  if (onRelation.length === 0) return { separate: null, together: value }
  if (operator === '$or' || onRelation.length === all.length) return { separate: all, together: null }
  return { separate: onRelation, together: all.filter((branch) => !onRelation.includes(branch)) }
}

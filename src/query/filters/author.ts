/**
 * Filters by the user who created a document or changed it last: `filters[createdBy][$eq]=7`. For row rules and for the
 * admin app; other callers do not see who wrote a document.
 */
import { isObject } from '../../project/values.ts'
import { listOf, type Param, type ParamObject } from '../params.ts'
import { type ParseContext, refuseKey, refuseValue } from '../parse-context.ts'

const NESTING: readonly string[] = ['$eq', '$ne', '$in', '$notIn', '$not', '$and', '$or']
const OPERATORS: readonly string[] = [...NESTING, '$null', '$notNull']

/** The filter with the ids of users as rows store them. `createdBy[id][$eq]` means the same as `createdBy[$eq]`. */
export function storedAuthors(context: ParseContext, value: Param, path: readonly string[]): Param {
  if (value === null) return null
  const list = listOf(value)
  if (list) return list.map((one) => storedAuthors(context, one, path))
  if (!isObject(value)) return storedAuthor(context, value, path)
  const { id, ...operators }: ParamObject = value
  if (id !== undefined && Object.keys(operators).length === 0)
    return storedAuthors(context, id, [...path, 'id'])
  return Object.fromEntries(
    Object.entries(value).map(([key, operand]) => {
      if (!OPERATORS.includes(key)) return refuseKey(context, key, path, OPERATORS)
      return [key, NESTING.includes(key) ? storedAuthors(context, operand, [...path, key]) : operand]
    }),
  )
}

/** See `documents/author.ts`. */
function storedAuthor(context: ParseContext, value: Param, path: readonly string[]): string {
  const id = String(value)
  return /^\d{1,15}$/.test(id) ? `user:${id}` : refuseValue(context, path, 'expected the id of a user')
}

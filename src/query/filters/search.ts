/** The `_q` parameter: a word in any public text of a document, or an exact public number. */
import { errors } from '../../errors.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Condition, Field } from '../../plan/query-tree.ts'
import { fold } from '../../store/fold/fold.ts'
import { readableFields, type Subject } from '../find-name.ts'
import type { Param } from '../params.ts'
import { addValue, type ParseContext } from '../parse-context.ts'
import { storableValue } from './compare-integers.ts'

const textTypes = new Set<Field['type']>(['string', 'text', 'richtext', 'email', 'uid', 'enumeration'])

/** The condition that a search puts on documents; null for an empty search. */
export function parseSearch(
  context: ParseContext,
  subject: Subject,
  input: Param | undefined,
): Condition | null {
  if (input === undefined || input === '') return null
  if (typeof input !== 'string') throw errors.invalidParameter('_q', null, 'expected a text')
  const needle = fold(input)
  const all = readableFields(context, subject).flatMap(({ field, attribute }): Condition[] => {
    const { type } = field
    if (textTypes.has(type)) {
      return [{ kind: 'text', field, op: 'contains', fold: true, value: addValue(context, needle) }]
    }
    if (type !== 'integer' && type !== 'biginteger' && type !== 'float' && type !== 'decimal') return []
    // Read as filters read it, so that both find the same numbers.
    const number = scalarTypes[type].parseFilter(input, attribute)
    const value = number.ok ? storableValue(field, number.value) : null
    return value === null ? [] : [{ kind: 'compare', field, op: 'eq', value: addValue(context, value) }]
  })
  return { kind: 'or', all }
}

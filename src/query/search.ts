/** The `_q` parameter: a word in any public text of a document, or an exact public number. */
import { errors } from '../errors.ts'
import type { Condition, Field } from '../plan/tree.ts'
import { fold } from '../store/fold.ts'
import { readableFields, type Subject } from './names.ts'
import type { Param } from './params.ts'
import { type Reading, slot } from './reading.ts'

const textTypes = new Set<Field['type']>(['string', 'text', 'richtext', 'email', 'uid', 'enumeration'])

/** The condition that a search puts on documents; null for an empty search. */
export function parseSearch(reading: Reading, subject: Subject, input: Param | undefined): Condition | null {
  if (input === undefined || input === '') return null
  if (typeof input !== 'string') throw errors.invalidParameter('_q', null, 'expected a text')
  const needle = fold(input)
  const number = input.trim() === '' ? Number.NaN : Number(input)
  const all = readableFields(reading, subject).flatMap(({ field }): Condition[] => {
    if (textTypes.has(field.type)) {
      return [{ kind: 'text', field, op: 'contains', fold: true, value: slot(reading, needle) }]
    }
    const fits = field.type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
    if ((field.type === 'integer' || field.type === 'float' || field.type === 'decimal') && fits) {
      return [{ kind: 'compare', field, op: 'eq', value: slot(reading, number) }]
    }
    if (field.type === 'biginteger' && /^-?\d{1,18}$/.test(input)) {
      return [{ kind: 'compare', field, op: 'eq', value: slot(reading, BigInt(input)) }]
    }
    return []
  })
  return { kind: 'or', all }
}

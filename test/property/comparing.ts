/** How the naive evaluator compares values: nulls, numbers, text by code point, letters folded. */
import type { Json } from '../reference/recording.ts'
import type { Operator } from './question.ts'
import type { FieldType, Thing } from './thing.ts'

/** Upper case first, so that letters with several lower cases meet. */
const fold = (text: string) => text.toUpperCase().toLowerCase()

const asText = (value: Json, type: FieldType) =>
  typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value)

/** A value as it is ordered: big integers travel as text and count as numbers. */
export type Comparable = Json | bigint
export const comparable = (value: Json, type: FieldType): Comparable =>
  type === 'biginteger' && value !== null ? BigInt(String(value)) : value

export function compare(operator: Operator, value: Json, values: readonly Json[], type: FieldType): boolean {
  const text = asText(value, type)
  const any = (test: (difference: number) => boolean) =>
    values.some((other) => test(byValue(comparable(value, type), comparable(other, type))))
  const anyText = (test: (other: string) => boolean) => values.some((other) => test(String(other)))
  switch (operator) {
    case '$eq':
    case '$in':
      return any((difference) => difference === 0)
    case '$ne':
    case '$notIn':
      return !any((difference) => difference === 0)
    case '$lt':
      return any((difference) => difference < 0)
    case '$lte':
      return any((difference) => difference <= 0)
    case '$gt':
      return any((difference) => difference > 0)
    case '$gte':
      return any((difference) => difference >= 0)
    case '$between': {
      const [low = null, high = null] = values
      return compare('$gte', value, [low], type) && compare('$lte', value, [high], type)
    }
    case '$eqi':
      return TEXTS.includes(type)
        ? anyText((other) => fold(text) === fold(other))
        : compare('$eq', value, values, type)
    case '$nei':
      return !compare('$eqi', value, values, type)
    case '$contains':
      return anyText((other) => text.includes(other))
    case '$notContains':
      return !anyText((other) => text.includes(other))
    case '$containsi':
      return anyText((other) => fold(text).includes(fold(other)))
    case '$notContainsi':
      return !anyText((other) => fold(text).includes(fold(other)))
    case '$startsWith':
      return anyText((other) => text.startsWith(other))
    case '$startsWithi':
      return anyText((other) => fold(text).startsWith(fold(other)))
    case '$endsWith':
      return anyText((other) => text.endsWith(other))
    case '$endsWithi':
      return anyText((other) => fold(text).endsWith(fold(other)))
    case '$null':
    case '$notNull':
      throw new Error('Whether something is null was asked before')
  }
}

/** Numbers and booleans by value, text by code point. */
function byValue(a: Comparable, b: Comparable): number {
  if (typeof a === 'string' || typeof b === 'string') {
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  }
  const [left, right] = [orderable(a), orderable(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const orderable = (value: Comparable) => (typeof value === 'bigint' ? value : Number(value))

/** Nulls first, or last when descending. */
export function inOrder(a: Comparable, b: Comparable, descending: boolean): number {
  const ascending = a === null || b === null ? Number(a !== null) - Number(b !== null) : byValue(a, b)
  return descending ? -ascending : ascending
}

const TEXTS: readonly FieldType[] = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration']
const NUMBERS: readonly FieldType[] = ['integer', 'biginteger', 'float', 'decimal']

/** Whether a search finds a version: a part of its text, or one of its numbers. */
export function matchesSearch(row: Thing, search: string): boolean {
  return Object.entries(row.shape.attributes).some(([name, attribute]) => {
    const value = row.scalars[name] ?? null
    if (attribute.kind !== 'scalar' || attribute.private || value === null) return false
    if (TEXTS.includes(attribute.type)) return fold(String(value)).includes(fold(search))
    return NUMBERS.includes(attribute.type) && String(value) === search
  })
}

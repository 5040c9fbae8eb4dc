/** How the naive evaluator compares values: null, numbers, text by code point, and text without case. */
import type { Json } from '../reference/recording.ts'
import type { ContentNode, FieldType } from './content-node.ts'
import type { Operator } from './read-query.ts'

/** Upper case first, so that letters with several lower-case forms compare as equal. */
const fold = (text: string) => text.toUpperCase().toLowerCase()

const asText = (value: Json, type: FieldType) =>
  typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value)

/** Big integers are strings in JSON and compare as numbers. */
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
      throw new Error('$null and $notNull must be handled by the caller')
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
export function compareForSort(a: Comparable, b: Comparable, descending: boolean): number {
  const ascending = a === null || b === null ? Number(a !== null) - Number(b !== null) : byValue(a, b)
  return descending ? -ascending : ascending
}

const TEXTS: readonly FieldType[] = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration']
const NUMBERS: readonly FieldType[] = ['integer', 'biginteger', 'float', 'decimal']

/** The texts of a document that contain a search text: string attributes, and numbers that equal it. */
function foundTexts(row: ContentNode, search: string): string[] {
  return Object.entries(row.shape.attributes).flatMap(([name, attribute]) => {
    const value = row.scalars[name] ?? null
    if (attribute.kind !== 'scalar' || attribute.private || value === null) return []
    const text = fold(String(value))
    if (TEXTS.includes(attribute.type)) return text.includes(fold(search)) ? [text] : []
    return NUMBERS.includes(attribute.type) && String(value) === search ? [text] : []
  })
}

export const matchesSearch = (row: ContentNode, search: string) => foundTexts(row, search).length > 0

/** How well a document matches: by the place of the search text, then by how often texts have it for their length. */
export function score(row: ContentNode, search: string | null): number {
  if (search === null) throw new Error('There is no score without a search')
  const term = fold(search)
  const texts = foundTexts(row, search)
  const places = texts.map((text) =>
    text === term ? 3 : text.startsWith(term) ? 2 : text.includes(` ${term}`) ? 1 : 0,
  )
  const frequencies = texts.map((text) => {
    const count = text.split(term).length - 1
    return Math.floor((1_000_000 * count) / (1_000 * count + 300 + 9 * [...text].length))
  })
  return Math.max(...places) * 1e9 + frequencies.reduce((sum, one) => sum + one, 0)
}

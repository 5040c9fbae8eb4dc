/**
 * What an index holds of an attribute. PostgreSQL takes some 2,700 bytes a row into an index and refuses a row that needs
 * more, so of what may be long it is given a part: no index keeps content from being stored.
 */
import type { ContentType, ScalarAttribute } from '../../model/model.ts'
import { SHORT_TEXT } from '../../model/scalars/string.ts'

/** Lengths are those of attributes, in halves of surrogate pairs: three bytes each at most. */
const LONGEST_INDEXED = 600
/** What all attributes of one index may have together; the rest is for the columns that every index has. */
const LONGEST_TOGETHER = 840

/** So many characters of a long text are in an index of PostgreSQL. */
export const BEGINNING = 100
/** A character has four bytes at most. */
const BEGINNING_LENGTH = Math.ceil((BEGINNING * 4) / 3)
/** Numbers, and moments as text. */
const FIXED_LENGTH = 24

/** Whether values may be too long for an index. */
export const isLong = ({ type, maxLength }: ScalarAttribute): boolean =>
  ['text', 'richtext', 'json', 'blocks'].includes(type) || (maxLength ?? 0) > LONGEST_INDEXED

/** Whether a declared index has an attribute whose values may be long. */
export function isLongAndIndexed(type: ContentType, name: string): boolean {
  const attribute = type.attributes.get(name)
  return (
    attribute?.kind === 'scalar' && isLong(attribute) && type.indexes.some((names) => names.includes(name))
  )
}

/** Those attributes of a declared index that fit into it, from the first on: an index serves from its first on, too. */
export function fitting(attributes: readonly ScalarAttribute[]): readonly ScalarAttribute[] {
  let length = 0
  const tooMany = attributes.findIndex((attribute) => {
    length += isLong(attribute) ? BEGINNING_LENGTH : longest(attribute)
    return length > LONGEST_TOGETHER
  })
  return tooMany < 0 ? attributes : attributes.slice(0, tooMany)
}

function longest({ type, maxLength, enum: words }: ScalarAttribute): number {
  switch (type) {
    case 'string':
    case 'email':
    case 'uid':
    case 'password':
      return Math.max(maxLength ?? SHORT_TEXT, FIXED_LENGTH)
    case 'enumeration':
      return words.reduce((most, { length }) => Math.max(most, length), 0)
    default:
      return FIXED_LENGTH
  }
}

/**
 * What an index holds of an attribute. PostgreSQL takes some 2,700 bytes a row into an index and refuses a row that needs
 * more, so of what may be long it is given a part: no index keeps content from being stored.
 */
import type { ContentType, ScalarAttribute } from '../../model/model.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

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
export const isLong = (attribute: ScalarAttribute): boolean => {
  const length = maxLengthOf(attribute)
  return length === null || length > LONGEST_INDEXED
}

const maxLengthOf = (attribute: ScalarAttribute) => scalarTypes[attribute.type].maxStoredLength(attribute)

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
    length += isLong(attribute) ? BEGINNING_LENGTH : Math.max(maxLengthOf(attribute) ?? 0, FIXED_LENGTH)
    return length > LONGEST_TOGETHER
  })
  return tooMany < 0 ? attributes : attributes.slice(0, tooMany)
}

/**
 * What an index stores of an attribute. PostgreSQL refuses a row that needs more than about 2,700 bytes in an index, so
 * an index stores only a digest or prefix of values that may be long, and never prevents content from being stored.
 */
import type { ContentType, ScalarAttribute } from '../../model/model.ts'
import { NO_RULES, type Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { type Sql, sql } from '../sql.ts'

/** In UTF-16 code units, which take three bytes at most. */
const LONGEST_INDEXED = 600
/** The limit for all attributes of an index together; the rest is for the columns that every index has. */
const LONGEST_TOGETHER = 840

/** The number of characters of a long text that an index of PostgreSQL stores. */
export const BEGINNING = 100
/** A character takes four bytes at most. */
const BEGINNING_LENGTH = Math.ceil((BEGINNING * 4) / 3)
/** For numbers, and for dates and times as text. */
const FIXED_LENGTH = 24

/** Whether documents may share an empty string although the attribute is unique. */
export const repeatsEmpty = ({ type }: ScalarAttribute): boolean => {
  const { family, isNullWhenEmpty, parse } = scalarTypes[type]
  return family === 'text' && !isNullWhenEmpty && parse('', NO_RULES, 'full').ok
}

/** Whether a stored value must differ from those of other documents if the attribute is unique. */
export const isComparedForUnique = (attribute: ScalarAttribute, value: Stored | null): value is Stored =>
  value !== null && !(value === '' && repeatsEmpty(attribute))

/** The same as a condition on a column with values of the attribute. */
export const isComparedColumn = (attribute: ScalarAttribute, column: Sql): Sql =>
  repeatsEmpty(attribute) ? sql`${column} <> ''` : sql`${column} IS NOT NULL`

/** Whether values may be too long for an index. */
export const isLong = (attribute: ScalarAttribute): boolean => {
  const length = maxLengthOf(attribute)
  return length === null || length > LONGEST_INDEXED
}

const maxLengthOf = (attribute: ScalarAttribute) => scalarTypes[attribute.type].maxStoredLength(attribute)

/** Whether the attribute is part of a declared index and its values may be too long for it. */
export function isLongAndIndexed(type: ContentType, name: string): boolean {
  const attribute = type.attributes.get(name)
  return (
    attribute?.kind === 'scalar' && isLong(attribute) && type.indexes.some((names) => names.includes(name))
  )
}

/** The leading attributes of a declared index that fit into it. */
export function fitting(attributes: readonly ScalarAttribute[]): readonly ScalarAttribute[] {
  let length = 0
  const tooMany = attributes.findIndex((attribute) => {
    length += isLong(attribute) ? BEGINNING_LENGTH : Math.max(maxLengthOf(attribute) ?? 0, FIXED_LENGTH)
    return length > LONGEST_TOGETHER
  })
  return tooMany < 0 ? attributes : attributes.slice(0, tooMany)
}

/** Scalar values in an archive: JSON, the same for every engine. */
import type { ScalarAttribute, ScalarTypeName } from '../../model/model.ts'
import type { Parsed, Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { compactJson } from '../../model/scalars/json.ts'
import { storableText } from '../../model/scalars/shared/text.ts'

/** The JSON value for a stored one: as it is served, or the hash of a password. */
export function toJsonValue(type: ScalarTypeName, stored: Stored): unknown {
  const { isSecret, json } = scalarTypes[type]
  return isSecret ? String(stored) : JSON.parse(json(stored))
}

/**
 * The stored value for a JSON value of an archive. Only what the column cannot hold is refused: existing content need not
 * satisfy rules that the schema has for new values.
 */
export function fromJsonValue(attribute: ScalarAttribute, value: unknown): Parsed<Stored> {
  const { family, parse } = scalarTypes[attribute.type]
  if (family === 'json') return compactJson(value)
  if (family === 'text') return storableText(value)
  return parse(value, { ...attribute, min: null, max: null }, 'draft')
}

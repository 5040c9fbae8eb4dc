/** Values of scalar attributes outside of a database: as JSON, the same for every engine. */
import type { ScalarAttribute, ScalarTypeName } from '../../model/model.ts'
import type { Parsed, Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { compactJson } from '../../model/scalars/json.ts'
import { storableText } from '../../model/scalars/shared/text.ts'

/** The JSON value that stands for a stored one: what is served, and for passwords the hash that never is. */
export function portable(type: ScalarTypeName, stored: Stored): unknown {
  const { isSecret, json } = scalarTypes[type]
  return isSecret ? String(stored) : JSON.parse(json(stored))
}

/**
 * What is stored for a JSON value of an archive. Content that was good when it was written stays: only what the column
 * cannot hold is refused, not what the schema would ask of a new value.
 */
export function storedFrom(attribute: ScalarAttribute, value: unknown): Parsed<Stored> {
  const { family, parse } = scalarTypes[attribute.type]
  if (family === 'json') return compactJson(value)
  if (family === 'text') return storableText(value)
  return parse(value, { ...attribute, min: null, max: null }, 'draft')
}

/** What an attribute has when nothing was sent for it. */
import type { ScalarAttribute } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

const known = new WeakMap<ScalarAttribute, { readonly stored: Stored | null }>()

/** The stored form of the default in the schema; null when there is none, when it does not fit, and for passwords. */
export function defaultOf(attribute: ScalarAttribute): Stored | null {
  if (attribute.default === undefined || attribute.default === null || attribute.type === 'password')
    return null
  let found = known.get(attribute)
  if (!found) {
    const parsed = scalarTypes[attribute.type].parse(attribute.default, attribute, 'draft')
    found = { stored: parsed.ok ? parsed.value : null }
    known.set(attribute, found)
  }
  return found.stored
}

/** The default values of attributes. */
import type { ScalarAttribute } from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

const cached = new WeakMap<ScalarAttribute, { readonly stored: Stored | null }>()

/** The default in its stored form; null if there is none or it is invalid, and for passwords. */
export function defaultOf(attribute: ScalarAttribute): Stored | null {
  if (attribute.default === undefined || attribute.default === null || isSecret(attribute)) return null
  let found = cached.get(attribute)
  if (!found) {
    const parsed = scalarTypes[attribute.type].parse(attribute.default, attribute, 'draft')
    found = { stored: parsed.ok ? parsed.value : null }
    cached.set(attribute, found)
  }
  return found.stored
}

/**
 * Converts a stored value to another scalar type and says whether that loses anything. Pure. Only the type matters;
 * validation rules such as lengths and bounds are not checked.
 */
import type { ScalarAttribute, ScalarTypeName } from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'

export type Conversion =
  /** `lossless` if converting back gives the original value. */
  { readonly ok: true; readonly value: Stored; readonly lossless: boolean } | { readonly ok: false }

/** Whether every value is stored alike under both types, so that nothing has to be converted. */
export const hasSameStorage = (from: ScalarTypeName, to: ScalarTypeName): boolean =>
  from === to || (scalarTypes[to].alsoHolds ?? []).includes(scalarTypes[from].storedAs)

/** Converts a stored value. Passwords are hashes and cannot be converted, in either direction. */
export function convertValue(stored: Stored, from: ScalarAttribute, to: ScalarAttribute): Conversion {
  if (hasSameStorage(from.type, to.type)) return { ok: true, value: stored, lossless: true }
  const value = convertOnce(stored, from, to)
  if (value === null) return { ok: false }
  return { ok: true, value, lossless: isSameValue(convertOnce(value, to, from), stored) }
}

const isSameValue = (one: Stored | null, other: Stored) => one !== null && String(one) === String(other)

function convertOnce(stored: Stored, from: ScalarAttribute, to: ScalarAttribute): Stored | null {
  if (isSecret(from) || isSecret(to)) return null
  const served: unknown = JSON.parse(scalarTypes[from.type].json(stored))
  const { parse, inputFrom = numberFrom } = scalarTypes[to.type]
  const parsed = parse(inputFrom(served, scalarTypes[from.type]), withoutRules(to), 'draft')
  return parsed.ok ? parsed.value : null
}

const withoutRules = (attribute: ScalarAttribute): ScalarAttribute => ({
  ...attribute,
  min: null,
  max: null,
  minLength: null,
  maxLength: Number.MAX_SAFE_INTEGER,
  regex: null,
})

/** A served value as a body would send it to a number. */
const numberFrom = (served: unknown): unknown => (typeof served === 'boolean' ? Number(served) : served)

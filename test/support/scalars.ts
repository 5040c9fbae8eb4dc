/** Sends values to scalar types and returns the results. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { plainScalar, type ScalarAttribute, type ScalarTypeName } from '../../src/model/model.ts'
import type { Strictness } from '../../src/model/scalar-type.ts'
import { scalarTypes } from '../../src/model/scalars/index.ts'

/** A scalar attribute without rules but those given. */
export const attribute = (type: ScalarTypeName, rules: Partial<ScalarAttribute> = {}): ScalarAttribute => ({
  ...plainScalar('a', type),
  ...rules,
})

export const parse = (
  type: ScalarTypeName,
  input: unknown,
  rules: Partial<ScalarAttribute> = {},
  strictness: Strictness = 'full',
) => scalarTypes[type].parse(input, attribute(type, rules), strictness)

export const filter = (type: ScalarTypeName, input: string) => scalarTypes[type].parseFilter(input)

/** What a client gets back for what it sent. */
export function roundTrip(
  type: ScalarTypeName,
  input: unknown,
  rules: Partial<ScalarAttribute> = {},
): unknown {
  const parsed = parse(type, input, rules)
  return parsed.ok ? JSON.parse(scalarTypes[type].json(parsed.value)) : `refused: it ${parsed.message}`
}

export const TEXTS: readonly ScalarTypeName[] = [
  'string',
  'text',
  'richtext',
  'email',
  'password',
  'uid',
  'enumeration',
]
export const NUMBERS: readonly ScalarTypeName[] = ['integer', 'biginteger', 'float', 'decimal']
export const INSTANTS: readonly ScalarTypeName[] = ['date', 'time', 'datetime', 'timestamp']

/** Asserts that a type takes none of these. */
export const assertRefused = (
  type: ScalarTypeName,
  inputs: readonly unknown[],
  rules: Partial<ScalarAttribute> = {},
) => {
  for (const input of inputs) {
    assert.equal(parse(type, input, rules).ok, false, `${type} takes ${inspect(input)}`)
  }
}

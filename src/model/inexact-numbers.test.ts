import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { inexactSource, parseJsonExactly } from './inexact-numbers.ts'
import { isExactDouble } from './scalars/shared/exact-decimal.ts'

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.integer({ min: 1, max: 9 }), digits(0, 24)).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1, 24).map((text) => `.${text}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 4))
        .map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''))
const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t'), maxLength: 2 })

describe('the numbers of a JSON text', () => {
  it('keep their text if they lose digits, wherever they are', () => {
    fc.assert(
      fc.property(numberText, space, digits(0, 20), (text, around, id) => {
        const expected = isExactDouble(text) ? undefined : text
        const number = `${around}${text}${around}`
        const parsed = parseJsonExactly(`{"id":"id${id}","n":${number},"list":[${number},${number}]}`)
        assert.ok(typeof parsed === 'object' && parsed && 'list' in parsed && Array.isArray(parsed.list))
        assert.equal(inexactSource(parsed, 'n'), expected)
        assert.equal(inexactSource(parsed, 'id'), undefined)
        for (const index of ['0', '1']) assert.equal(inexactSource(parsed.list, index), expected)
      }),
      { numRuns: 2_000 },
    )
  })
})

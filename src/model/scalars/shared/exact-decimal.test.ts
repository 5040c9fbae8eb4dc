/** Which decimal texts keep their digits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isExactDouble } from './exact-decimal.ts'

test('every text of up to 15 significant digits is exact', () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })
  fc.assert(
    fc.property(digits, fc.integer({ min: -300, max: 290 }), fc.boolean(), (number, exponent, isNegative) => {
      assert.equal(isExactDouble(`${isNegative ? '-' : ''}${number}e${exponent}`), true)
    }),
  )
})

test('every number as JavaScript writes it is exact', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assert.equal(isExactDouble(String(number)), true)
    }),
  )
})

test('a text is exact if and only if the double has its value as its shortest form', () => {
  for (const text of [
    '0',
    '-0',
    '0.0',
    '007',
    '1.50',
    ' 12.5 ',
    '+3',
    '.5',
    '5.',
    '1e3',
    '1E+3',
    '100000000000000000000',
  ])
    assert.equal(isExactDouble(text), true, text)
  for (const text of [
    ...['12345678901234567890.12', '9007199254740993', '0.12345678901234567890', '1e-400', '1e400'],
    ...['0.10000000000000001', '-1.00000000000000000001', '1.0000000000000000000000001e5', 'x', '1x'],
  ])
    assert.equal(isExactDouble(text), false, text)
})

test('a million digits take linear time', () => {
  const start = performance.now()
  for (const text of [`1${'0'.repeat(1_000_000)}1`, `0.${'0'.repeat(1_000_000)}1`, '7'.repeat(1_000_000)])
    assert.equal(isExactDouble(text), false)
  assert.ok(performance.now() - start < 2_000)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatNumber } from './format-number.ts'

test('a number is shown with all of its digits', () => {
  for (const number of [0.12345, 2.1234, 1_250_000.000_01, -0.0001, 9_007_199_254_740_991])
    assert.equal(Number(formatNumber(number).replaceAll(',', '')), number)
})

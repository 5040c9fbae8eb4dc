import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseJson } from './parse-json.ts'

describe('JSON that a person types', () => {
  test('is its value, and no value when it is empty', () => {
    assert.deepEqual(parseJson(' {"a": [1.50, 1e3]} '), { isValid: true, value: { a: [1.5, 1000] } })
    assert.deepEqual(parseJson(' '), { isValid: true, value: null })
  })

  test('is refused when a number would lose digits, wherever it is', () => {
    for (const number of ['9007199254740993', '0.12345678901234567891', '1e400'])
      assert.deepEqual(parseJson(`{"list": [1, {"id": ${number}}]}`), {
        isValid: false,
        problem: `The number ${number} would lose digits. Write it as a string, in quotation marks.`,
      })
    assert.equal(parseJson('{"id": "9007199254740993"}').isValid, true)
  })

  test('is refused when it is not JSON', () => {
    assert.deepEqual(parseJson('{"a": }'), { isValid: false, problem: 'This is not valid JSON' })
  })
})

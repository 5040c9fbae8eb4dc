import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { numberIn } from './number-in.ts'

describe('a number that a person types', () => {
  test('is a number when it keeps every digit', () => {
    for (const [text, number] of [
      ['0', 0],
      ['-5', -5],
      ['12.5', 12.5],
      [' 7 ', 7],
      ['1,5', 1.5],
    ] as const)
      assert.equal(numberIn(text, true), number)
  })

  test('stays as it was typed while it is incomplete, and when a number would change it', () => {
    for (const text of ['-', '.', '12.', '12.50', '007', '1e', '9007199254740993', '0.12345678901234567891'])
      assert.equal(numberIn(text, true), text)
  })

  test('is nothing when it is empty', () => {
    assert.equal(numberIn(' ', true), null)
  })

  test('cannot contain anything else, and an integer no fraction', () => {
    for (const text of ['a', '1a', '1.2.3', '--1', '1 000']) assert.equal(numberIn(text, true), undefined)
    for (const text of ['1.5', '1,5', '1e3']) assert.equal(numberIn(text, false), undefined)
  })
})

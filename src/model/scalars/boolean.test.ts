import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertRefused, filter, roundTrip } from '../../../test/support/scalars.ts'

describe('booleans', () => {
  test('true, false, 1 and 0 are accepted, also as strings', () => {
    for (const input of [true, 'true', 'TRUE', 1, '1']) assert.equal(roundTrip('boolean', input), true)
    for (const input of [false, 'false', 0, '0']) assert.equal(roundTrip('boolean', input), false)
    assertRefused('boolean', ['yes', 't', 'f', '', 2, -1, [], [true], {}])
  })

  test('a filter also accepts t and f', () => {
    for (const word of ['true', '1', 't']) assert.deepEqual(filter('boolean', word), { ok: true, value: 1 })
    for (const word of ['false', '0', 'f']) assert.deepEqual(filter('boolean', word), { ok: true, value: 0 })
    for (const word of ['', 'yes', '2', 'null']) assert.equal(filter('boolean', word).ok, false)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { newDocumentId } from './document-id.ts'

/** From 1970 until beyond the year 4000. */
const times = fc.integer({ min: 0, max: 26 * 36 ** 8 - 1 })

describe('a new documentId', () => {
  it('has 24 lower-case letters and digits, starting with a letter', () =>
    fc.assert(fc.property(times, (now) => assert.match(newDocumentId(now), /^[a-z][a-z0-9]{23}$/))))

  it('sorts after those created before it', () =>
    fc.assert(
      fc.property(times, times, (one, other) => {
        fc.pre(one < other)
        assert.ok(newDocumentId(one) < newDocumentId(other))
      }),
    ))

  it('is random after the time', () => {
    const ids = Array.from({ length: 10_000 }, () => newDocumentId(0))
    assert.equal(new Set(ids.map((id) => id.slice(9))).size, ids.length)
    for (let index = 9; index < 24; index++)
      assert.equal(new Set(ids.map((id) => id.charAt(index))).size, 36, `at ${index}`)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { newDocumentId } from './identity.ts'

/** Till far behind the year 4000. */
const moments = fc.integer({ min: 0, max: 26 * 36 ** 8 - 1 })

describe('a new documentId', () => {
  it('has 24 lower-case letters and digits, a letter first', () =>
    fc.assert(fc.property(moments, (now) => assert.match(newDocumentId(now), /^[a-z][a-z0-9]{23}$/))))

  it('comes behind those that were made before it', () =>
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        fc.pre(one < other)
        assert.ok(newDocumentId(one) < newDocumentId(other))
      }),
    ))

  it('shares nothing but the moment with others', () => {
    const ids = Array.from({ length: 10_000 }, () => newDocumentId(0))
    assert.equal(new Set(ids.map((id) => id.slice(9))).size, ids.length)
    for (let place = 9; place < 24; place++)
      assert.equal(new Set(ids.map((id) => id.charAt(place))).size, 36, `at ${place}`)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import qs from 'qs'
import { queryString } from './query-string.ts'

describe('a query string', () => {
  it('writes nesting in brackets and lists by index', () => {
    const text = queryString({ a: { b: ['c', { d: 1 }] }, e: true })
    assert.equal(decodeURIComponent(text), '?a[b][0]=c&a[b][1][d]=1&e=true')
  })

  it('omits undefined values, and is empty if nothing remains', () => {
    assert.equal(queryString({ a: undefined, b: { c: undefined }, d: [] }), '')
  })

  it('writes dates in ISO 8601 and big integers exactly', () => {
    const text = queryString({ at: new Date(0), many: 9007199254740993n })
    assert.equal(decodeURIComponent(text), '?at=1970-01-01T00:00:00.000Z&many=9007199254740993')
  })

  it('is parsed by the server to the same parameters', () => {
    const key = fc.stringMatching(/^[a-zA-Z_$][\w$]{0,8}$/)
    const value = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'grapheme' }),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 3 }),
      ),
    })).tree
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 3 }), (parameters) => {
        const read = qs.parse(queryString(parameters), {
          ignoreQueryPrefix: true,
          depth: 40,
          allowPrototypes: true,
        })
        assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(parameters)))
      }),
    )
  })
})

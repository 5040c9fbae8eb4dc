import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQueryString, stringifyQuery } from '../request/query-string.ts'
import { queryOf } from './query.ts'

const BOUNDS = { depth: 100, keys: 10_000, listLength: 1000, planSize: 500 }

const name = fc.stringMatching(/^[$a-zA-Z][\w.:-]{0,8}$/).filter((key) => key !== '__proto__')
const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.array(tie('value'), { minLength: 1, maxLength: 4 }),
    fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  ),
}))

/** A query string has only strings. */
function asText(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(asText)
  if (typeof given !== 'object' || given === null) return String(given)
  return Object.fromEntries(Object.entries(given).map(([key, one]) => [key, asText(one)]))
}

test('arguments are the same after they were sent in a query string', () => {
  fc.assert(
    fc.property(value, (filters) => {
      const sent = parseQueryString(stringifyQuery(queryOf({ filters }, ['filters'])), BOUNDS)
      assert.deepEqual(asText(sent), { filters: asText(filters) })
    }),
  )
})

test('values that a query string would lose are refused, with their path', () => {
  for (const lost of [null, [], {}, { $in: [] }, { $eq: null }, { $and: [{}] }])
    assert.throws(
      () => queryOf({ filters: { name: lost } }, ['filters']),
      /^\w+: filters\.name.*must not be/s,
    )
})

test('keys and texts that would change the query string are refused', () => {
  for (const key of ['', 'a]', 'a&b', 'a=b', 'a%5B', 'a#', 'a[b]'])
    assert.throws(() => queryOf({ filters: { [key]: '1' } }, ['filters']), /invalid key/)
  for (const bad of ['\0', '\ud800']) assert.throws(() => queryOf({ search: bad }, ['search']), /well-formed/)
})

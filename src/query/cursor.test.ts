import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../errors.ts'
import type { Field, Sort } from '../plan/query-tree.ts'
import type { SqlValue } from '../store/statement.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

const by = (type: Field['type']): Sort => ({
  steps: [],
  field: { name: 'x', column: 'a_x', type },
  descending: false,
})

const whole = fc.maxSafeInteger()
const values: readonly (readonly [Field['type'], fc.Arbitrary<SqlValue>])[] = [
  ['string', fc.string({ unit: 'grapheme', maxLength: 50 }).filter((text) => !text.includes('\0'))],
  ['integer', whole],
  ['biginteger', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
  ['float', fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)],
  ['boolean', fc.constantFrom(0, 1)],
  ['datetime', fc.constant('2026-01-01T00:00:00.000Z')],
]

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 400

describe('a cursor', () => {
  it('is decoded as it was encoded, for any values', () => {
    const mark = fc.record({
      id: whole,
      keys: fc.tuple(...values.map(([, value]) => fc.option(value))),
    })
    fc.assert(
      fc.property(mark, fc.constantFrom('>', '>=', '<', '<=' as const), (given, way) => {
        const cursor = encodeCursor('query', way, given)
        assert.match(cursor, /^[\w-]+$/)
        const read = decodeCursor(
          cursor,
          'query',
          values.map(([type]) => by(type)),
        )
        assert.equal(read.direction, way)
        assert.deepEqual(
          [read.position.id, ...read.position.keys].map(String),
          [given.id, ...given.keys].map(String),
        )
      }),
    )
  })

  it('that was forged cannot contain a value of another type', () => {
    const forged = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.constantFrom(2, -1, '9'.repeat(19), 'a\0'),
    )
    const fits: Readonly<Record<string, (value: SqlValue) => boolean>> = {
      string: (value) => typeof value === 'string' && !value.includes('\0'),
      integer: Number.isSafeInteger,
      biginteger: (value) => BigInt.asIntN(64, BigInt(value ?? 0)) === BigInt(value ?? 0),
      float: (value) => typeof value === 'number',
      boolean: (value) => value === 0 || value === 1,
      datetime: (value) => typeof value === 'string',
    }
    fc.assert(
      fc.property(fc.constantFrom(...values.map(([type]) => type)), forged, (type, key) => {
        try {
          const [value = null] = decodeCursor(encodeCursor('query', '>', { id: 1, keys: [key] }), 'query', [
            by(type),
          ]).position.keys
          assert.ok(value === null || fits[type]?.(value), `${type} ${value}`)
        } catch (error) {
          if (!isRefused(error)) throw error
        }
      }),
    )
  })

  it('with more or fewer values than the sort has is refused', () => {
    for (const keys of [[], [1, 2]])
      assert.throws(
        () => decodeCursor(encodeCursor('query', '>', { id: 1, keys }), 'query', [by('integer')]),
        isRefused,
      )
  })

  it('of another version is refused with its own message', () => {
    const cursor = Buffer.from('[2,"later"]').toString('base64url')
    assert.throws(() => decodeCursor(cursor, 'query', []), /another version/)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { filter, INSTANTS, NUMBERS, parse, roundTrip, TEXTS } from '../../../test/support/scalars.ts'
import type { ScalarTypeName } from '../model.ts'
import { scalarTypes } from './index.ts'

describe('every type', () => {
  const isType = (name: string): name is ScalarTypeName => Object.hasOwn(scalarTypes, name)
  const typeNames = Object.keys(scalarTypes).filter(isType)
  const samples: Readonly<Record<ScalarTypeName, unknown>> = {
    string: 'a',
    text: 'a',
    richtext: 'a',
    blocks: [],
    email: 'a@b.co',
    password: 'secret',
    uid: 'a',
    integer: 1,
    biginteger: '1',
    float: 1.5,
    decimal: 1.5,
    boolean: true,
    date: '2024-02-29',
    time: '10:00:00.000',
    datetime: '2024-02-29T10:00:00.000Z',
    timestamp: '2024-02-29T10:00:00.000Z',
    enumeration: 'a',
    json: { a: 1 },
  }

  test('a served value can be sent back and is served unchanged', () => {
    for (const type of typeNames.filter((name) => name !== 'password')) {
      const sample = samples[type]
      const once = roundTrip(type, sample, { enum: ['a'] })
      assert.deepEqual(once, sample)
      assert.deepEqual(roundTrip(type, once, { enum: ['a'] }), once)
    }
  })

  test('no input makes a type throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...typeNames),
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
        (type, value, word) => {
          parse(type, value ?? 0)
          parse(type, word)
          filter(type, word)
        },
      ),
    )
  })

  test('text and instants are stored in text columns', () => {
    for (const type of [...TEXTS, ...INSTANTS]) {
      assert.equal(scalarTypes[type].family, TEXTS.includes(type) ? 'text' : 'instant')
      assert.deepEqual(scalarTypes[type].column, { sqlite: 'TEXT', postgres: 'text COLLATE "C"' })
    }
    for (const type of NUMBERS) assert.equal(scalarTypes[type].family, 'number')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { attribute } from '../../../test/support/scalars.ts'
import type { ScalarTypeName } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import { convertValue } from './convert-value.ts'

const from = (stored: Stored, type: ScalarTypeName, to: ScalarTypeName, rules = {}) => {
  const result = convertValue(stored, attribute(type), attribute(to, rules))
  return result.ok ? [result.value, result.lossless ? 'lossless' : 'lossy'] : 'nothing'
}

describe('converting a value', () => {
  test('keeps a value that both types can represent', () => {
    assert.deepEqual(from('12', 'string', 'integer'), [12, 'lossless'])
    assert.deepEqual(from(12, 'integer', 'string'), ['12', 'lossless'])
    assert.deepEqual(from(1, 'boolean', 'string'), ['true', 'lossless'])
    assert.deepEqual(from('true', 'string', 'boolean'), [1, 'lossless'])
    assert.deepEqual(from(1, 'boolean', 'integer'), [1, 'lossless'])
    assert.deepEqual(from('2024-02-29', 'date', 'datetime'), ['2024-02-29T00:00:00.000Z', 'lossless'])
    assert.deepEqual(from('hi', 'string', 'json'), ['"hi"', 'lossless'])
    assert.deepEqual(from('red', 'string', 'enumeration', { enum: ['red'] }), ['red', 'lossless'])
    assert.deepEqual(from('9007199254740993', 'string', 'biginteger'), [9007199254740993n, 'lossless'])
  })

  test('loses what the new type cannot represent', () => {
    assert.deepEqual(from('007', 'string', 'integer'), [7, 'lossy'])
    assert.deepEqual(from('2024-02-29T10:00:00.000Z', 'datetime', 'date'), ['2024-02-29', 'lossy'])
    const bold = '[{"type":"paragraph","children":[{"type":"text","text":"a","bold":true}]}]'
    assert.deepEqual(from(bold, 'blocks', 'text'), ['a', 'lossy'])
  })

  test('gives no value if the new type cannot represent it', () => {
    assert.equal(from('many', 'string', 'integer'), 'nothing')
    assert.equal(from(4.5, 'decimal', 'integer'), 'nothing')
    assert.equal(from('blue', 'string', 'enumeration', { enum: ['red'] }), 'nothing')
    assert.equal(from(9007199254740993n, 'biginteger', 'integer'), 'nothing')
    assert.equal(from('hash', 'password', 'string'), 'nothing')
    assert.equal(from('word', 'string', 'password'), 'nothing')
    assert.equal(from('{}', 'json', 'blocks'), 'nothing')
  })

  test('ignores the validation rules of the new attribute', () => {
    assert.deepEqual(from('long text', 'text', 'string', { maxLength: 2 }), ['long text', 'lossless'])
    assert.deepEqual(from('12', 'string', 'integer', { max: 3 }), [12, 'lossless'])
  })

  test('gives the original value when a lossless conversion is reversed', () => {
    const names: ScalarTypeName[] = ['string', 'text', 'json', 'integer', 'biginteger', 'decimal', 'boolean']
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom<ScalarTypeName>(...names, 'date', 'datetime', 'time', 'blocks', 'richtext'),
        fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.json()),
        (type, to, input) => {
          const parsed = scalarTypes[type].parse(input, attribute(type, { maxLength: 1e6 }), 'draft')
          if (!parsed.ok) return
          const there = convertValue(parsed.value, attribute(type), attribute(to))
          if (!there.ok || !there.lossless) return
          const back = convertValue(there.value, attribute(to), attribute(type))
          assert.ok(back.ok)
          assert.equal(String(back.value), String(parsed.value))
        },
      ),
    )
  })
})

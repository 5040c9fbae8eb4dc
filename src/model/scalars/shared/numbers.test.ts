import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertRefused, filter, NUMBERS, parse, roundTrip } from '../../../../test/support/scalars.ts'
import { scalarTypes } from '../index.ts'

describe('numbers', () => {
  test('numeric strings are converted, other values are refused', () => {
    for (const type of NUMBERS) {
      assertRefused(type, [
        '',
        ' ',
        'abc',
        '1a',
        '0x10',
        'NaN',
        'Infinity',
        true,
        false,
        [],
        [1],
        {},
        Number.NaN,
        Infinity,
      ])
    }
    assert.equal(roundTrip('decimal', '12.5'), 12.5)
    assert.equal(roundTrip('float', '-1.5e3'), -1500)
    assert.equal(roundTrip('integer', ' 42 '), 42)
    assert.equal(roundTrip('integer', '15.0'), 15)
    assert.equal(roundTrip('float', 1e308), 1e308)
  })

  test('a long string is refused in linear time', () => {
    const start = performance.now()
    assertRefused('decimal', [
      `${'1'.repeat(1_000_000)}x`,
      `1.${'1'.repeat(1_000_000)}x`,
      `${' '.repeat(1_000_000)}x`,
    ])
    assert.ok(performance.now() - start < 2_000)
  })

  test('an integer is within the safe range', () => {
    assertRefused('integer', [2.5, '2.5', 2 ** 53, '9007199254740993', -(2 ** 53)])
    assert.equal(roundTrip('integer', Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  })

  test('a big integer is exact within 64 bits and is a string in JSON', () => {
    assert.equal(roundTrip('biginteger', '-9007199254740993'), '-9007199254740993')
    assert.equal(roundTrip('biginteger', '9223372036854775807'), '9223372036854775807')
    assert.equal(roundTrip('biginteger', '-9223372036854775808'), '-9223372036854775808')
    assert.equal(roundTrip('biginteger', 42), '42')
    assert.equal(roundTrip('biginteger', '+007'), '7')
    assertRefused('biginteger', [
      '9223372036854775808',
      '-9223372036854775809',
      '1.5',
      1.5,
      '1e3',
      2 ** 60,
      '9'.repeat(99),
    ])
  })

  test('bounds are checked, also in drafts', () => {
    for (const type of NUMBERS) {
      for (const strictness of ['full', 'draft'] as const) {
        assert.equal(parse(type, '0', { min: 0, max: 5 }, strictness).ok, true)
        assert.equal(parse(type, '5', { min: 0, max: 5 }, strictness).ok, true)
        assert.equal(parse(type, '-1', { min: 0, max: 5 }, strictness).ok, false)
        assert.equal(parse(type, '6', { min: 0, max: 5 }, strictness).ok, false)
      }
    }
  })

  test('bounds of a big integer are exact to the last digit', () => {
    const bounds = { min: -9223372036854775807n, max: 9223372036854775806n }
    assert.equal(parse('biginteger', '9223372036854775806', bounds).ok, true)
    assert.equal(parse('biginteger', '-9223372036854775807', bounds).ok, true)
    assert.deepEqual(parse('biginteger', '9223372036854775807', bounds), {
      ok: false,
      message: 'must be at most 9223372036854775806',
    })
    assert.deepEqual(parse('biginteger', '-9223372036854775808', bounds), {
      ok: false,
      message: 'must be at least -9223372036854775807',
    })
  })

  test('minus zero is zero', () => {
    for (const input of [-0, '-0']) {
      const parsed = parse('float', input)
      assert.ok(parsed.ok && Object.is(parsed.value, 0))
    }
  })

  test('a filter can compare integers with fractions and numbers of any size, but not with words', () => {
    assert.deepEqual(filter('integer', '4.5'), { ok: true, value: 4.5 })
    assert.deepEqual(filter('biginteger', '9007199254740993'), { ok: true, value: 9007199254740993n })
    assert.deepEqual(filter('biginteger', '1.5'), { ok: true, value: 1.5 })
    assert.deepEqual(filter('biginteger', '1e30'), { ok: true, value: 1e30 })
    for (const type of NUMBERS)
      for (const word of ['', 'cheap', '1,2', 'null']) assert.equal(filter(type, word).ok, false)
  })

  test('every finite number is served as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const parsed = parse('decimal', number)
        assert.ok(parsed.ok)
        assert.equal(scalarTypes.decimal.json(parsed.value), JSON.stringify(number))
      }),
    )
  })

  test('every 64-bit integer is returned digit by digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        assert.equal(roundTrip('biginteger', String(value)), String(value))
      }),
    )
  })
})

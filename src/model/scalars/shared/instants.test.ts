import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertRefused, filter, parse, roundTrip } from '../../../../test/support/scalars.ts'

describe('dates and times', () => {
  const instants: readonly [input: unknown, served: string][] = [
    ['2024-02-29T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T10:00:00+02:00', '2024-02-29T08:00:00.000Z'],
    ['2024-02-29T10:00:00-0530', '2024-02-29T15:30:00.000Z'],
    ['2024-02-29T10:00+02', '2024-02-29T08:00:00.000Z'],
    ['2024-02-29 10:00:00', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T10:00:00.1Z', '2024-02-29T10:00:00.100Z'],
    ['2024-02-29T10:00:00.123456Z', '2024-02-29T10:00:00.123Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    [1704067200000, '2024-01-01T00:00:00.000Z'],
    ['1704067200000', '2024-01-01T00:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
  ]

  test('a datetime can be sent as a date, a timestamp with any offset, or milliseconds', () => {
    for (const [input, expected] of instants) {
      assert.equal(roundTrip('datetime', input), expected)
      assert.equal(roundTrip('timestamp', input), expected)
      if (typeof input === 'string')
        assert.deepEqual(filter('datetime', input), { ok: true, value: expected })
    }
  })

  const noInstants: readonly unknown[] = [
    ...[
      '',
      'abc',
      '2024',
      '2024-02',
      '20240229',
      '2024-02-30T00:00:00Z',
      '2023-02-29',
      '2024-13-01',
      '2024-00-01',
    ],
    ...[
      '2024-01-00',
      '2024-01-01T24:00:00Z',
      '2024-01-01T10:60:00Z',
      '2024-01-01T10:00:60Z',
      '2024-01-01T10Z',
    ],
    ...['2024-01-01T10:00:00+24:00', '2024-01-01T10:00:00+01:60', '+010000-01-01', '-000001-01-01'],
    ...['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '2024-01-01T10:00:00ZZ', true, [], {}],
    ...[8.64e15, -8.64e15, 1e300, Number.NaN],
  ]

  test('invalid timestamps, and those outside the years 0000 to 9999, are refused', () => {
    assertRefused('datetime', noInstants)
    for (const input of noInstants)
      if (typeof input === 'string') assert.equal(filter('datetime', input).ok, false, input)
  })

  test('a date takes the day of a timestamp as it is written', () => {
    assert.equal(roundTrip('date', '2024-02-29'), '2024-02-29')
    assert.equal(roundTrip('date', '2024-02-29T23:00:00-05:00'), '2024-02-29')
    assert.deepEqual(filter('date', '2020-02-29T00:00:00.000Z'), { ok: true, value: '2020-02-29' })
    assertRefused('date', ['2023-02-29', '01/02/2024', '2018', '', 1704067200000, true, '2024-02-29garbage'])
    for (const word of ['2018', '2021-02-30', '']) assert.equal(filter('date', word).ok, false)
  })

  test('a time requires seconds and is returned with milliseconds', () => {
    assert.equal(roundTrip('time', '10:00:00'), '10:00:00.000')
    assert.equal(roundTrip('time', '23:59:59.5'), '23:59:59.500')
    assertRefused('time', [
      '10:00',
      '24:00:00',
      '9:05:00',
      '',
      36000,
      '10:00:60',
      '10:00:00.1234',
      '10:00:00Z',
    ])
    assert.deepEqual(filter('time', '11:30:00'), { ok: true, value: '11:30:00.000' })
    assert.equal(filter('time', '11:30').ok, false)
  })

  test('every instant of the years 0000 to 9999 is returned unchanged, in whichever form it is sent', () => {
    const dates = fc.date({
      min: new Date('0000-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(dates, (date) => {
        const iso = date.toISOString()
        assert.equal(roundTrip('datetime', iso), iso)
        assert.equal(roundTrip('datetime', date.getTime()), iso)
        assert.equal(roundTrip('date', iso), iso.slice(0, 10))
        assert.equal(roundTrip('time', iso.slice(11, 23)), iso.slice(11, 23))
      }),
    )
  })

  test('stored text sorts by time', () => {
    const dates = fc.date({
      min: new Date('0000-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(dates, dates, (a, b) => {
        const [first, second] = [parse('datetime', a.getTime()), parse('datetime', b.getTime())]
        assert.ok(first.ok && second.ok)
        assert.equal(first.value < second.value, a < b)
      }),
    )
  })
})

/** Random values of each attribute type, few enough that documents often share them. */
import fc from 'fast-check'
import type { ScalarTypeName } from '../../src/model/model.ts'
import type { Json } from '../reference/recording.ts'
import { CHOICES } from './random-model.ts'

const WORDS = [
  ...['', 'a', 'A', 'b', 'ab', 'Ab', 'AB', 'zeta', 'Zeta', 'z', '10', '9', ' lead', 'two words'],
  ...[
    'é',
    'É',
    'éclair',
    'ÉCLAIR',
    'eclair',
    'straße',
    'Ünï',
    'ünÏ',
    '寿司',
    '🍕 pie',
    '\u{FF5E}',
    'Ωmega',
    'ωMEGA',
  ],
  ...[
    '50% off',
    '50 off',
    '5_5',
    '5x5',
    'back\\slash',
    '\\%',
    "it's",
    'say "hi"',
    'a,b',
    '[x]',
    '{y}',
    'null',
  ],
]
const PARAGRAPH = (text: string): Json => ({ type: 'paragraph', children: [{ type: 'text', text }] })

const VALUES: Readonly<Record<ScalarTypeName, readonly Json[]>> = {
  string: WORDS,
  text: [...WORDS, 'line one\nline two', '\ttab'],
  richtext: WORDS,
  email: ['ana@example.test', 'Ana@example.test', 'bob@example.test', 'c.d+e@example.test'],
  uid: ['a', 'A', 'b-c', 'B_c', 'd.e', '~f'],
  integer: [-2, -1, 0, 1, 2, 3, 9, 10, 11, 100, 2147483647],
  biginteger: [
    '0',
    '-5',
    '9',
    '10',
    '123456789012',
    '9007199254740991',
    '9007199254740993',
    '-9007199254740993',
  ],
  float: [-1.5, 0, 0.1, 0.30000000000000004, 2.5, 3, 10, 4.25, 0.000001, 123456789.125],
  decimal: [0, 1.25, 9.99, 9.5, 100, -3.5, 10, 0.1],
  boolean: [true, false],
  date: ['1950-05-01', '1999-12-31', '2000-01-01', '2020-02-29', '2024-02-29'],
  time: ['00:00:00.000', '08:00:00.000', '11:30:00.000', '11:30:00.500', '23:59:59.999'],
  datetime: [
    '1969-12-31T23:59:59.999Z',
    '2000-01-01T00:00:00.000Z',
    '2024-02-29T10:00:00.000Z',
    '2024-02-29T10:00:00.001Z',
  ],
  timestamp: ['2000-01-01T00:00:00.000Z', '2024-02-29T10:00:00.000Z'],
  enumeration: CHOICES,
  json: [
    ...[true, false, 0, 1.5, 'text', '', [], {}, [1, 2, 3], { a: 1 }, { b: { c: 'deep' }, a: [null, 'x'] }],
    ...['"', { 'odd "key"': "it's", ünï: '\u2028' }, [[]]],
  ],
  blocks: [[], [PARAGRAPH('one')], [PARAGRAPH('Éone "quoted"'), PARAGRAPH('')]],
  password: ['first-secret', 'second-secret'],
}

/** A value that is not null. */
export const valueOfType = (type: ScalarTypeName): fc.Arbitrary<Json> => fc.constantFrom(...VALUES[type])

/** A value, or null now and then. */
export const valueOrNull = (type: ScalarTypeName): fc.Arbitrary<Json> =>
  fc.option(valueOfType(type), { nil: null, freq: 4 })

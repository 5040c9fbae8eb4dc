/** Values of every attribute type: right ones, ones at the edge, and wrong ones, as JSON and as text of a query string. */
import fc from 'fast-check'
import type { ScalarAttribute, ScalarTypeName } from '../../src/model/model.ts'
import type { Json } from '../ask.ts'

/** Names that mean something to a language, to an engine, or to nobody. */
export const HOSTILE_NAMES = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'length',
    '__defineGetter__',
  ],
  ...[
    'nothing',
    '',
    ' ',
    '*',
    '$',
    '$eq',
    '$and',
    '0',
    '-1',
    'id',
    'documentId',
    'a.b',
    '.',
    '..',
    'name.',
    '.name',
  ],
  ...[
    'a_name',
    't0',
    'octavo_edges',
    "'; drop table x; --",
    '"',
    '\\',
    '%',
    '\u0000',
    '\ud800',
    '😈',
    'é',
    'x'.repeat(300),
  ],
]

const WORDS = [
  ...[
    '',
    ' ',
    'a',
    'A',
    'ab',
    'AB',
    'Roma',
    'roma',
    'ROMA',
    'null',
    'true',
    'undefined',
    'NaN',
    '[object Object]',
  ],
  ...[
    'straße',
    'STRASSE',
    'İ',
    'i̇',
    'ı',
    'I',
    'Σ',
    'σ',
    'ς',
    'K',
    'Å',
    'ﬁ',
    'Ǆ',
    'ǅ',
    'é',
    'É',
    'e\u0301',
    'ẞ',
  ],
  ...[
    '寿司',
    '🍕',
    '\u{FF5E}',
    '\u{10FFFF}',
    '\uffff',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '\u200d',
    '\u0001',
    '\u007f',
  ],
  ...[
    '%',
    '_',
    '50%',
    '5_',
    '\\',
    '\\%',
    "it's",
    '"',
    '`',
    ';',
    '--',
    '/*',
    '$1',
    '?',
    ':x',
    '{',
    '}',
    '[',
    ']',
    '<b>',
  ],
  ...[
    'a,b',
    'a\nb',
    'a\tb',
    'a\r\nb',
    '1',
    '01',
    '1.0',
    '1e3',
    '-0',
    '+1',
    ' 1',
    '0x10',
    'x'.repeat(256),
    'y'.repeat(5000),
  ],
]
const BROKEN = ['\u0000', 'a\u0000b', '\ud800', '\udc00x']

export const words = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
)

const NUMBERS = [
  ...[
    0,
    -0,
    1,
    -1,
    2,
    3,
    5,
    10,
    0.1,
    -1.5,
    0.1 + 0.2,
    4.25,
    1e-7,
    1e21,
    1e-320,
    5e-324,
    1.7976931348623157e308,
  ],
  ...[
    2147483647,
    2147483648,
    -2147483649,
    9007199254740991,
    9007199254740992,
    1e18,
    2 ** 63,
    1e19,
    123456789.125,
  ],
]
const NUMBER_TEXTS = [
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '1e400',
    '-1e400',
  ],
  ...[
    '9007199254740993',
    'Infinity',
    '-Infinity',
    'NaN',
    '1e',
    '1_000',
    '1,5',
    '٣',
    '0x1f',
    '1n',
    '--1',
    '1 ',
    '',
    '.5',
    '5.',
  ],
  ...['0.30000000000000004', '1e-400', '100000000000000000000000000000000000000', '1.0', '00', '+0'],
]
const numbers = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -10, max: 110 }))
const numberTexts = fc.oneof(numbers.map(String), fc.constantFrom(...NUMBER_TEXTS))

const DATES = [
  ...[
    '2024-01-31',
    '2024-02-29',
    '2023-02-29',
    '2024-02-30',
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '10000-01-01',
  ],
  ...[
    '-0001-01-01',
    '+012345-01-01',
    '2024-1-1',
    '2024',
    '2024-06',
    '20240101',
    'today',
    'infinity',
    '-infinity',
    'now',
    'epoch',
  ],
]
const TIMES = [
  ...[
    '12:30',
    '12:30:00',
    '12:30:00.000',
    '12:30:00.123456',
    '24:00:00',
    '23:59:60',
    '25:00',
    '1:2:3',
    '12:30Z',
    '12:30+02:00',
  ],
  ...['12', '', 'noon', '-01:00', '00:00:00.0001'],
]
const INSTANTS = [
  ...[
    '2024-01-31T12:30:00.000Z',
    '2024-01-31T12:30:00Z',
    '2024-01-31T12:30Z',
    '2024-01-31T12:30:00+14:00',
    '2024-01-31T12:30',
  ],
  ...[
    '2024-01-31 12:30:00',
    '2024-01-31',
    '2024-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ],
  ...[
    '+275760-09-13T00:00:00.000Z',
    '+275760-09-13T00:00:00.001Z',
    '1706704200000',
    'Wed, 31 Jan 2024 12:30:00 GMT',
    '2024-01-31T24:00:00Z',
  ],
  ...['2024-12-31T23:59:60Z', '2024-01-31T12:30:00.123456789Z', '2024-W05', 'infinity', ''],
]
const EMAILS = [
  'ana@example.test',
  'ANA@EXAMPLE.TEST',
  'a@b',
  '@',
  'a@b@c',
  'a b@c.d',
  'é@ü.test',
  `${'x'.repeat(300)}@example.test`,
]

const BLOCKS: readonly Json[] = [
  [],
  [{ type: 'paragraph', children: [{ type: 'text', text: 'bread' }] }],
  [{ type: 'paragraph', children: [{ type: 'text', text: 'bread', bold: 'yes' }] }],
  [{ type: 'heading', level: 7, children: [{ type: 'text', text: '' }] }],
  [
    {
      type: 'list',
      format: 'ordered',
      children: [{ type: 'list-item', children: [{ type: 'text', text: 'one' }] }],
    },
  ],
  [{ type: 'image', image: { url: 'javascript:alert(1)' }, children: [] }],
  [{ type: 'nothing' }],
  [null],
  'text',
]

/** Any JSON: small, odd, and rarely what is asked for. */
export const anyJson: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<Json>(
      null,
      true,
      false,
      [],
      {},
      [[]],
      [{}],
      [null],
      { id: 1 },
      { a: { b: [1] } },
    ),
  },
  { weight: 2, arbitrary: numbers },
  { weight: 2, arbitrary: words },
  { weight: 2, arbitrary: fc.constantFrom<Json>(...BLOCKS) },
  { weight: 1, arbitrary: fc.array(fc.oneof(numbers, words), { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom(...HOSTILE_NAMES, 'a', 'b'), fc.oneof(numbers, words), {
      maxKeys: 3,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>(
      { set: [] },
      { connect: [] },
      { connect: [{ id: 0 }] },
      { $ref: 'a.b' },
      { toString: 1 },
    ),
  },
)

function texts(type: ScalarTypeName): fc.Arbitrary<string> {
  switch (type) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return numberTexts
    case 'boolean':
      return fc.constantFrom('true', 'false', '1', '0', 't', 'f', 'TRUE', 'yes', '', 'null', '2')
    case 'date':
      return fc.constantFrom(...DATES)
    case 'time':
      return fc.constantFrom(...TIMES)
    case 'datetime':
    case 'timestamp':
      return fc.constantFrom(...INSTANTS)
    case 'email':
      return fc.constantFrom(...EMAILS)
    case 'uid':
      return fc.constantFrom('a', 'A', 'b-c', 'B_c', 'd.e', '~f', 'a b', 'é', '', '-')
    case 'json':
    case 'blocks':
      return fc.oneof(
        anyJson.map((value) => JSON.stringify(value)),
        words,
      )
    default:
      return words
  }
}

/** A value as a query string has it. */
export const valueText = (attribute: ScalarAttribute): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: right(attribute).map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    },
    { weight: 4, arbitrary: texts(attribute.type) },
    { weight: 1, arbitrary: words },
  )

function right({ type, enum: choices }: ScalarAttribute): fc.Arbitrary<Json> {
  switch (type) {
    case 'integer':
      return fc.integer({ min: -1, max: 6 })
    case 'float':
    case 'decimal':
      return fc.constantFrom(0, 1.25, 9.99, 100, 0.1, 1e-7, 123456789.125, 3)
    case 'biginteger':
      return fc.constantFrom<Json>('9223372036854775807', '-5', '0', 7, '9007199254740993')
    case 'boolean':
      return fc.boolean()
    case 'json':
      return anyJson
    case 'blocks':
      return fc.constantFrom<Json>(...BLOCKS)
    case 'enumeration':
      return fc.constantFrom<Json>(...choices)
    case 'password':
      return fc.constantFrom('secret-Passw0rd', 'short')
    case 'uid':
      return fc.nat(400).map((number) => `uid-${number}`)
    case 'email':
      return fc.constantFrom('ana@example.test', 'bo@example.test')
    case 'date':
      return fc.constantFrom('2024-01-31', '1999-12-31')
    case 'time':
      return fc.constantFrom('12:30:00.000', '23:59')
    case 'datetime':
    case 'timestamp':
      return fc.constantFrom('2024-01-31T12:30:00.000Z', '1999-12-31T23:59:59+02:00')
    default:
      return fc.oneof(
        fc.constantFrom('Roma', 'roma', 'Straße', 'Il Forno', '寿司', '+39 12345', 'Two words'),
        fc.nat(400).map((number) => `Name ${number}`),
      )
  }
}

/** A value as a body has it. */
export const valueJson = (attribute: ScalarAttribute): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 40, arbitrary: right(attribute) },
    { weight: 1, arbitrary: texts(attribute.type) },
    { weight: 1, arbitrary: anyJson },
  )

/** A record without the keys that were left out. */
export const without = <Value>(record: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, value]): [string, Value][] =>
      value === undefined ? [] : [[key, value]],
    ),
  )

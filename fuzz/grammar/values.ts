/** Values of every attribute type: valid, boundary and invalid ones, as JSON and for query strings. */
import fc from 'fast-check'
import type { ScalarAttribute, ScalarTypeName } from '../../src/model/model.ts'
import type { Json } from '../request.ts'
import {
  BLOCKS,
  BROKEN,
  DATES,
  EMAILS,
  HOSTILE_NAMES,
  INSTANTS,
  NUMBER_TEXTS,
  NUMBERS,
  TIMES,
  WORDS,
} from './samples.ts'

export const words = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
)

const numbers = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -10, max: 110 }))
const numberTexts = fc.oneof(numbers.map(String), fc.constantFrom(...NUMBER_TEXTS))

/** Any JSON: small, odd and rarely valid. */
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

/** A value for a query string. */
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

/** A value for a body. */
export const valueJson = (attribute: ScalarAttribute): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 40, arbitrary: right(attribute) },
    { weight: 1, arbitrary: texts(attribute.type) },
    { weight: 1, arbitrary: anyJson },
  )

/** A record without undefined keys. */
export const without = <Value>(record: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, value]): [string, Value][] =>
      value === undefined ? [] : [[key, value]],
    ),
  )

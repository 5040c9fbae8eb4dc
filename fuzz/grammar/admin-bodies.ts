/** Bodies for users, permissions and content-types. */
import fc from 'fast-check'
import type { Json } from '../request.ts'
import { mostly, objectOf } from './parts.ts'
import { anyJson } from './values.ts'

export const accounts = {
  username: fc.constantFrom('alice', 'bob', 'fuzz-1', 'fuzz-2', 'fuzz-3', 'x', '', 'ALICE', 'é'),
  email: fc.constantFrom(
    'alice@example.test',
    'fuzz-1@example.test',
    'FUZZ-2@example.test',
    'fuzz-3@example.test',
    'nobody',
    '',
  ),
  password: fc.constantFrom(
    'alice-Passw0rd',
    'secret-Passw0rd',
    'short',
    '',
    'x'.repeat(100),
    '\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  ),
}
export const codes = fc.constantFrom('code_x', '', 'x'.repeat(200))
export const permissions: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    {},
    { 'api::restaurant.restaurant': ['find'] },
    {
      'api::restaurant.restaurant': [
        'find',
        { action: 'update', filters: { name: { $eq: 'x' } }, fields: ['name'] },
      ],
    },
    { 'api::restaurant.restaurant': [{ action: 'find', filters: { nothing: 1 } }] },
    { 'api::restaurant.restaurant': [{ action: 'find', filters: { $or: 1 } }] },
    { 'api::restaurant.restaurant': [{ action: 'find', fields: 'name' }] },
    { 'api::restaurant.restaurant': [{}] },
    { 'api::restaurant.restaurant': [null, 1, []] },
    { 'api::none.none': ['find'] },
    { 'plugin::none.none': ['burn'] },
    { constructor: ['find'], toString: ['find'] },
  ),
  anyJson,
)
const rightAttributes = fc.constantFrom<Json>(
  { title: { type: 'string' } },
  { title: { type: 'string', unique: true }, count: { type: 'integer', default: 1 } },
  { title: { type: 'text' }, dish: { type: 'relation', relation: 'manyToOne', target: 'api::dish.dish' } },
  { title: { type: 'uid' }, blocks: { type: 'dynamiczone', components: ['block.quote'] } },
  { title: { type: 'decimal' }, extra: { type: 'json' }, day: { type: 'date' } },
)
const attributes: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: rightAttributes },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Json>(
      { title: { type: 'relation', relation: 'oneToOne', target: 'api::none.none' } },
      { title: { type: 'nothing' } },
      { 'ti tle': { type: 'string' } },
      { constructor: { type: 'string' } },
      { toString: { type: 'string' }, valueOf: { type: 'integer' } },
      { id: { type: 'string' } },
      { title: { type: 'string', regex: '(' } },
      { title: { type: 'enumeration', enum: ['a', 'a', ''] } },
      { [`x${'y'.repeat(80)}`]: { type: 'string' } },
    ),
  },
  { weight: 1, arbitrary: anyJson },
)

const options = fc.constantFrom<Json>(
  { draftAndPublish: true },
  { draftAndPublish: false },
  {},
  { indexes: [['title']] },
  { draftAndPublish: 'x' },
  { indexes: [['none']] },
)
const pluginOptions = fc.constantFrom<Json>({ i18n: { localized: true } }, {})
const collectionName = fc.constantFrom(
  'fuzzed',
  'fuzzed_others',
  'octavo_edges',
  'sqlite_master',
  'x'.repeat(100),
  'a"b',
)

/** Content-type schemas. Only two uids are used, so that they often exist already. */
export const typeSchemas: fc.Arbitrary<Json> = objectOf(
  {
    kind: mostly('collectionType', 'singleType', 'nothing'),
    info: mostly<Json>(
      { singularName: 'fuzzed', pluralName: 'fuzzeds', displayName: 'Fuzzed' },
      { singularName: 'other', pluralName: 'others', displayName: 'Other' },
      { singularName: 'upload', pluralName: 'batch', displayName: 'x' },
      { singularName: 'A B' },
    ),
    attributes,
  },
  {
    uid: fc.constantFrom('api::fuzzed.fuzzed', 'api::other.other', '__proto__', 'plugin::upload.file', 'a'),
    collectionName,
    options,
    pluginOptions,
  },
)

/** Component schemas. */
export const componentSchemas: fc.Arbitrary<Json> = objectOf(
  {
    uid: mostly('fuzz.part', 'fuzz.other', 'block.quote', '__proto__', 'a'),
    info: fc.constant({ displayName: 'Part' }),
    attributes,
  },
  { collectionName, options },
)

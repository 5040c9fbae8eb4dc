import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { modelOfSchemas, problemsOf } from '../../test/support/schemas.ts'
import { defaults } from '../project/config/defaults.ts'
import { mergeConfig } from '../project/config/merge-config.ts'
import { configSetting } from '../project/config/settings.ts'
import { scalarTypes } from './scalars/index.ts'

const uids = fc.constantFrom(
  'api::a.a',
  'api::b.b',
  'shared.c',
  'shared.d',
  'plugin::users-permissions.user',
  'gone',
)
const names = fc.oneof(
  fc.constantFrom('x', 'y', 'X', 'id', '__proto__', 'constructor', 'toString'),
  fc.string({ maxLength: 4 }),
)
const types = fc.constantFrom(
  ...Object.keys(scalarTypes),
  'media',
  'relation',
  'component',
  'dynamiczone',
  'customField',
  'hasOwnProperty',
)
const kinds = fc.constantFrom(
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
  'valueOf',
)

/** Almost valid declarations, with arbitrary JSON anywhere. */
const declaration = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: fc.oneof(
          { weight: 9, arbitrary: types },
          { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
        ),
        relation: kinds,
        target: uids,
        inversedBy: names,
        mappedBy: names,
        morphBy: names,
        component: uids,
        components: fc.array(uids, { maxLength: 3 }),
        enum: fc.array(fc.oneof(fc.string({ maxLength: 2 }), fc.integer()), { maxLength: 3 }),
        default: fc.jsonValue({ maxDepth: 1 }),
        min: fc.oneof(fc.integer(), fc.string({ maxLength: 2 })),
        max: fc.integer(),
        minLength: fc.integer({ min: -1, max: 5 }),
        regex: fc.string({ maxLength: 4 }),
        targetField: names,
        required: fc.oneof(fc.boolean(), fc.constant(1)),
        pluginOptions: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: ['type'] },
    ),
  },
)

const schema = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.constantFrom('collectionType', 'singleType', 'other'),
        collectionName: fc.string({ maxLength: 6 }),
        info: fc.oneof(fc.record({ pluralName: fc.string({ maxLength: 4 }) }), fc.jsonValue({ maxDepth: 1 })),
        options: fc.jsonValue({ maxDepth: 2 }),
        attributes: fc.dictionary(names, declaration, { maxKeys: 4 }),
      },
      { requiredKeys: ['attributes'] },
    ),
  },
)

test('any JSON as a schema gives a model or a list of problems, never an exception', () => {
  fc.assert(
    fc.property(schema, schema, schema, (a, b, c) => {
      const schemas = { 'api::a.a': a, 'api::b.b': b, 'shared.c': c, 'shared.d': { attributes: {} } }
      const problems = problemsOf(schemas)
      if (problems.length === 0) assert.ok(modelOfSchemas(schemas).types.has('api::a.a'))
      else for (const line of problems) assert.match(line, /^src\/(api|components)\/.*: .+/)
    }),
    { numRuns: 500 },
  )
})

test('any JSON as a configuration is checked without an exception', () => {
  const part = fc.dictionary(
    fc.constantFrom(...Object.keys(defaults), '__proto__'),
    fc.jsonValue({ maxDepth: 3 }),
  )
  fc.assert(
    fc.property(fc.oneof(part, fc.jsonValue()), (config) => {
      configSetting.check(config, '', () => {})
      mergeConfig(defaults, config)
    }),
  )
})

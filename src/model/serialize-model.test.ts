import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attribute } from '../../test/support/scalars.ts'
import { modelOfSchemas } from '../../test/support/schemas.ts'
import type { ScalarTypeName } from './model.ts'
import { Pattern } from './pattern/pattern.ts'
import { scalarTypes } from './scalars/index.ts'
import { deserializeModel, serializeModel } from './serialize-model.ts'

const isScalar = (type: string): type is ScalarTypeName => type in scalarTypes

const model = modelOfSchemas({
  'api::a.a': {
    kind: 'singleType',
    pluginOptions: { i18n: { localized: true } },
    options: { draftAndPublish: true, indexes: [['x']] },
    info: { renamedFrom: 'old' },
    attributes: {
      x: { type: 'string', regex: '^a/[\\d]+$', default: 'a/1', renamedFrom: 'y', minLength: 2 },
      y2: { type: 'json', default: { a: [null] } },
      z: { type: 'dynamiczone', components: ['shared.part'], max: 3 },
      m: { type: 'relation', relation: 'morphToMany' },
      b: { type: 'biginteger', min: '-9223372036854775807', max: 7 },
      f: { type: 'media', multiple: true, required: true, private: true },
    },
  },
  'shared.part': { attributes: { n: { type: 'integer', max: 3 } } },
})

test('a serialized model is deserialized unchanged, without its schema files', () => {
  const { sources: _, ...kept } = deserializeModel(serializeModel(model))
  const { sources: __, ...own } = model
  assert.deepEqual(kept, own)
})

test('an attribute of any type keeps all its rules', () => {
  const rules = {
    ...{ required: true, private: true, localized: true, unique: true, default: null, min: -1.5, max: 9 },
    ...{
      minLength: 1,
      maxLength: 7,
      regex: new Pattern('^[a-z/"\\\\]+$'),
      enum: ['a', 'é'],
      targetField: 'b',
      generate: true,
    },
  }
  const attributes = Object.keys(scalarTypes).flatMap((type, index) => [
    attribute(isScalar(type) ? type : 'string', { name: `plain${index}` }),
    attribute(isScalar(type) ? type : 'string', { name: `ruled${index}`, ...rules, renamedFrom: 'old' }),
  ])
  const [uid, type] = [...model.types][0] ?? []
  assert.ok(uid && type)
  const full = {
    ...model,
    types: new Map([[uid, { ...type, attributes: new Map(attributes.map((one) => [one.name, one])) }]]),
  }
  assert.deepEqual(deserializeModel(serializeModel(full)).types, full.types)
})

test('equal models have equal texts', () => {
  assert.equal(serializeModel(deserializeModel(serializeModel(model))), serializeModel(model))
})

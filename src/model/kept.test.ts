import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf } from '../../test/schemas.ts'
import { modelFromText, modelText } from './kept.ts'

const model = modelOf({
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
      f: { type: 'media', multiple: true, required: true, private: true },
    },
  },
  'shared.part': { attributes: { n: { type: 'integer', max: 3 } } },
})

test('a model comes back from its text as it was, but for its files', () => {
  const { sources: _, ...kept } = modelFromText(modelText(model))
  const { sources: __, ...own } = model
  assert.deepEqual(kept, own)
})

test('equal models have equal texts', () => {
  assert.equal(modelText(modelFromText(modelText(model))), modelText(model))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOfTypes } from '../../../test/support/models.ts'
import { defaults } from '../../project/config/defaults.ts'
import { systemScope } from '../../query/scope.ts'
import { offeredTools } from './offered-tools.ts'
import { contentTools } from './tools/index.ts'

const model = (count: number) =>
  modelOfTypes(
    Object.fromEntries(
      Array.from({ length: count }, (_, number) => [
        `kind-${number}`,
        {
          draftAndPublish: true,
          attributes: {
            title: { type: 'string' },
            colour: { type: 'enumeration', enum: ['red', 'green'] },
            parts: { type: 'component', component: 'shared.part', repeatable: true },
          },
        },
      ]),
    ),
    { 'shared.part': { name: { type: 'string' } } },
  )

const listFor = (count: number) =>
  offeredTools(contentTools, model(count), systemScope, defaults).descriptions

test('the schemas of a small model are complete', () => {
  const create = listFor(3).find(({ name }) => name === 'create_document')
  assert.match(JSON.stringify(create), /"enum":\["red","green"/)
  assert.match(JSON.stringify(create), /SharedPartInput/)
})

test('the list of tools stays short, however large the model is', () => {
  for (const count of [30, 100, 1000]) {
    const list = listFor(count)
    assert.equal(list.length, listFor(1).length)
    assert.ok(JSON.stringify(list).length < 120_000, `${count}: ${JSON.stringify(list).length}`)
  }
  const [create] = listFor(1000).filter(({ name }) => name === 'create_document')
  assert.match(JSON.stringify(create), /describe_model returns its schema/)
})

test('equal models have equal lists', () => {
  assert.deepEqual(listFor(20), listFor(20))
})

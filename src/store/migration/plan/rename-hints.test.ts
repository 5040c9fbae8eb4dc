import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOfSchemas, type Schemas } from '../../../../test/support/schemas.ts'
import { compareModels } from './compare-models.ts'
import { matchModels } from './match-models.ts'
import type { Effect } from './migration-plan.ts'
import { renameHint } from './rename-hints.ts'

const string = { type: 'string' }
const type = (attributes: object) => ({ attributes })

/** The hints of a plan in which every drop has the same effect. */
function hints(before: Schemas, after: Schemas, effect: Effect = 'lossy'): string[] {
  const changes = compareModels(matchModels(modelOfSchemas(before), modelOfSchemas(after)))
  const plan = changes.map((change) => ({
    change,
    effect: change.kind.startsWith('drop') ? effect : ('safe' as const),
  }))
  return plan.flatMap((one) => renameHint(one, plan) ?? [])
}

test('a misspelt renamedFrom is recognised', () => {
  const [hint] = hints(
    { 'api::a.a': type({ title: string }) },
    {
      'api::a.a': type({ heading: { ...string, renamedFrom: 'titel' }, other: string }),
    },
  )
  assert.equal(hint, 'heading has "renamedFrom": "titel"; did you mean "title"?')
})

test('a dropped attribute may have been renamed to an added one of a similar type', () => {
  const before = { 'api::a.a': type({ title: string }) }
  assert.deepEqual(hints(before, { 'api::a.a': type({ heading: { type: 'text' } }) }), [
    'If title was renamed to heading, add "renamedFrom": "title" to heading to keep its content',
  ])
  const near = hints(before, { 'api::a.a': type({ other: string, titles: string }) })
  assert.match(near[0] ?? '', /renamed to titles/)
})

test('no hint is given if several candidates exist, if none does, or if nothing is lost', () => {
  const before = { 'api::a.a': type({ title: string }), 'api::b.b': type({}) }
  const several = type({ heading: string, label: string })
  assert.deepEqual(hints(before, { ...before, 'api::a.a': several }), [])
  assert.deepEqual(hints(before, { ...before, 'api::a.a': type({}), 'api::b.b': type({ x: string }) }), [])
  for (const other of ['media', 'date', 'integer'])
    assert.deepEqual(hints(before, { ...before, 'api::a.a': type({ heading: { type: other } }) }), [])
  assert.deepEqual(hints(before, { ...before, 'api::a.a': type({ heading: string }) }, 'empty'), [])
})

test('a dropped content-type may have been renamed to an added one', () => {
  assert.deepEqual(hints({ 'api::a.a': type({}) }, { 'api::memo.memo': type({}) }), [
    'If api::a.a was renamed to api::memo.memo, add "renamedFrom": "api::a.a" to api::memo.memo to keep its content',
  ])
})

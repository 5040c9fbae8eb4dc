import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWords } from '../../scripts/check-words.ts'

test('a word that must not be used is reported with its line and the term to use', () => {
  assert.deepEqual(checkWords('src/a.ts', 'const a = 1\n/** The answer of the server. */'), [
    'src/a.ts:2: "answer": use response, result or returns',
  ])
})

test('comments, messages and guides are checked', () => {
  for (const code of [
    `throw errors.invalid('name must be a text')`,
    'log.warn(`The database is away, $' + '{reason}`)',
    `// A request is under way.`,
    `test('a whole number is accepted', () => {})`,
  ])
    assert.equal(checkWords('src/a.ts', code).length, 1, code)
  assert.equal(checkWords('docs/a.md', 'This takes content away.').length, 1)
})

test('names that were replaced are reported in code', () => {
  for (const code of ['type Soon<T> = T', 'const misfits = []', 'store.moment()', 'interface Mistake {}'])
    assert.equal(checkWords('src/a.ts', code).length, 1, code)
})

test('ordinary names, code in guides and terms of the field are accepted', () => {
  for (const code of [
    `const answer = 'x'`,
    `const kind = 'answer'`,
    `/** There is no such content-type. */`,
    `/** A response that is no longer valid. */`,
    `const pattern = /the answer's "text"/`,
  ])
    assert.deepEqual(checkWords('src/a.ts', code), [], code)
  assert.deepEqual(checkWords('docs/a.md', 'Use `answers`:\n\n```sh\nanswer\n```\n'), [])
})

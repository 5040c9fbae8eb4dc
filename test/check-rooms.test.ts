import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upwardImports } from '../scripts/check-rooms.ts'

const problems = (file: string, text: string) => upwardImports(new Map([[file, text]]))

test('an import of a lower room, of the same room or of a package is fine', () => {
  const text = `
    import { errors } from '../errors.ts'
    import type { Model } from '../model/model.ts'
    import { parse } from './parse.ts'
    import fastify from 'fastify'`
  assert.deepEqual(problems('query/query.ts', text), [])
})

test('an import that points up is named with its file, however it is written', () => {
  for (const text of [
    `import { list } from '../http/content.ts'`,
    `import type {\n  List,\n} from '../http/content.ts'`,
    `export * from '../http/content.ts'`,
    `import '../http/content.ts'`,
    `const content = await import('../http/content.ts')`,
  ])
    assert.deepEqual(problems('store/sqlite.ts', text), [
      'src/store/sqlite.ts imports ../http/content.ts, but store is below http',
    ])
})

test('single files are the floor and index.ts is the roof', () => {
  assert.deepEqual(problems('index.ts', `export { run } from './cli/octavo.ts'`), [])
  assert.equal(problems('errors.ts', `import './project/config.ts'`).length, 1)
  assert.equal(problems('cli/octavo.ts', `import '../index.ts'`).length, 1)
})

test('the client stands on nothing of the server', () => {
  assert.equal(problems('client/client.ts', `import '../errors.ts'`).length, 1)
})

test('product code may not import a test, a file outside src or an unknown room', () => {
  assert.match(String(problems('store/sqlite.ts', `import './sqlite.test.ts'`)), /which is a test/)
  assert.match(String(problems('store/sqlite.ts', `import '../../test/engines.ts'`)), /outside src/)
  assert.match(String(problems('store/sqlite.ts', `import '../utils/text.ts'`)), /in no known room/)
  assert.match(String(problems('utils/text.ts', '')), /in no known room/)
})

test('a test beside the code may look up', () => {
  assert.deepEqual(problems('store/sqlite.test.ts', `import '../http/app.ts'`), [])
})

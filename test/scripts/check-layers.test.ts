import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from '../../scripts/check-layers.ts'

const violations = (file: string, text: string) => checkLayers(new Map([[file, text]]))

test('a file may import from a lower layer, from its own layer and from packages', () => {
  const text = `
    import { errors } from '../errors.ts'
    import type { Model } from '../model/model.ts'
    import { parse } from './parse.ts'
    import fastify from 'fastify'`
  assert.deepEqual(violations('query/query.ts', text), [])
})

test('an import from a higher layer is reported, in every form of import', () => {
  for (const text of [
    `import { list } from '../http/content.ts'`,
    `import type {\n  List,\n} from '../http/content.ts'`,
    `export * from '../http/content.ts'`,
    `import '../http/content.ts'`,
    `const content = await import('../http/content.ts')`,
  ])
    assert.deepEqual(violations('store/sqlite.ts', text), [
      'src/store/sqlite.ts imports ../http/content.ts, but store is below http',
    ])
})

test('index.ts is the highest layer, errors.ts one of the lowest', () => {
  assert.deepEqual(violations('index.ts', `export { run } from './cli/octavo.ts'`), [])
  assert.equal(violations('errors.ts', `import './project/config.ts'`).length, 1)
  assert.equal(violations('cli/octavo.ts', `import '../index.ts'`).length, 1)
})

test('the client imports nothing from the server', () => {
  assert.equal(violations('client/client.ts', `import '../errors.ts'`).length, 1)
})

test('shipped code may not import a test, a file outside src or an unknown layer', () => {
  assert.match(String(violations('store/sqlite.ts', `import './sqlite.test.ts'`)), /which is a test/)
  assert.match(String(violations('store/sqlite.ts', `import '../../test/engines.ts'`)), /outside src/)
  assert.match(String(violations('store/sqlite.ts', `import '../utils/text.ts'`)), /no known layer/)
  assert.match(String(violations('utils/text.ts', '')), /no known layer/)
})

test('a test may import from higher layers', () => {
  assert.deepEqual(violations('store/sqlite.test.ts', `import '../http/app.ts'`), [])
})

test('imports that form a circle are reported once, as a chain', () => {
  const sources = new Map([
    ['plan/a.ts', `import { b } from './b.ts'`],
    ['plan/b.ts', `import type { C } from './c.ts'`],
    ['plan/c.ts', `import { a } from './a.ts'`],
    ['plan/d.ts', `import { a } from './a.ts'`],
  ])
  assert.deepEqual(checkLayers(sources), [
    'Circular import: src/plan/a.ts -> src/plan/b.ts -> src/plan/c.ts -> src/plan/a.ts',
  ])
})

test('a folder with too many files is reported; tests do not count', () => {
  const crowd = (count: number) =>
    new Map(Array.from({ length: count }, (_, index) => [`plan/file-${index}.ts`, '']))
  assert.deepEqual(checkLayers(new Map([...crowd(16), ['plan/file-1.test.ts', '']])), [])
  assert.match(String(checkLayers(crowd(17))), /src\/plan holds 17 files/)
})

/** `options.indexes` on attributes with long values: content is stored as without them, and found with them. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { parseQueryString } from '../../src/http/request/query-string.ts'
import { typeOf } from '../../src/model/model.ts'
import { compile } from '../../src/plan/plan.ts'
import { bind } from '../../src/plan/prepared-statement.ts'
import { defaults } from '../../src/project/config/defaults.ts'

import { parseQuery } from '../../src/query/parse-query.ts'
import { systemScope } from '../../src/query/scope.ts'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const LETTERS = 'abcdefghijklmnop'
/** All bodies start with one of a few texts that are longer than the indexed prefix. */
const begun = (number: number) => `${LETTERS[number % 16]?.repeat(150)} ${String(number).padStart(4, '0')}`
const ROWS = 1_200

const names = ['a', 'b', 'c', 'd', 'e']
const attributes = {
  body: { type: 'text' },
  extra: { type: 'json' },
  long: { ...string, maxLength: 5_000 },
  day: { type: 'date' },
  ...Object.fromEntries(names.map((name) => [name, string])),
}
const indexes = [['body'], ['extra', 'long'], ['day', ...names], names.toReversed()]

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const options = { options: { draftAndPublish: false, indexes } }
    const folder = projectFolder({ [typeFile('note')]: collection('note', attributes, options) })
    project = await openProject(folder, await engine.freshUrl())
    for (let from = 0; from < ROWS; from += 100) {
      const operations = Array.from({ length: 100 }, (_, index) => ({
        method: 'POST',
        path: '/api/notes',
        body: { data: { body: begun(from + index) } },
      }))
      assert.equal((await project.request('POST', '/api/batch', { operations })).status, 200)
    }
    await project.request('POST', '/api/notes', { data: { a: 'no body' } })
    await project.server.store.write(async (transaction) => {
      transaction.run({ sql: 'ANALYZE', parameters: [] })
    })
  })
  after(() => project?.remove())

  /** The bodies of a list. */
  const bodies = async (query: string): Promise<unknown[]> => {
    const response = await project.request('GET', `/api/notes?fields=body&pagination[pageSize]=100&${query}`)
    const data = response.at('data')
    assert.ok(Array.isArray(data), response.text)
    return data.map(({ body }) => body)
  }

  const indexesOf = async (query: string) => {
    const layout = project.server.layout()
    const { rest } = defaults.api
    const checked = parseQuery(
      typeOf(layout.model, 'api::note.note'),
      { kind: 'list' },
      parseQueryString(query, rest.bounds),
      layout.model,
      systemScope,
      rest,
    )
    const plan = compile(checked.query, layout, engine.dialect, {
      knownPage: { size: 25, isFirst: false },
    })
    return (await project.server.store.explain(bind(plan.read, checked.values))).indexes
  }

  it('do not prevent content from being stored, for any length and number of values', async () => {
    const noise = randomBytes(8_000).toString('base64')
    const wide = Array.from(randomBytes(255), (byte) => String.fromCodePoint(0x4e00 + byte * 61)).join('')
    const data = {
      body: noise,
      extra: { noise },
      long: noise.slice(0, 5_000),
      day: '2026-01-01',
      ...Object.fromEntries(names.map((name) => [name, wide])),
    }
    const made = await project.request('POST', '/api/notes', { data })
    assert.equal(made.status, 201, made.text.slice(0, 300))
    const path = `/api/notes/${String(made.at('data', 'documentId'))}`
    assert.equal((await project.request('PUT', path, { data: { body: `${noise}!` } })).status, 200)
    assert.equal((await project.request('DELETE', path)).status, 204)
  })

  it('match the whole value, not only its prefix', async () => {
    assert.deepEqual(await bodies(`filters[body]=${begun(17)}`), [begun(17)])
    assert.deepEqual(await bodies(`filters[body][$in]=${begun(33)}&filters[body][$in]=none`), [begun(33)])
    assert.deepEqual(await bodies(`filters[body]=${begun(17).slice(0, 100)}`), [])
    assert.deepEqual(await bodies('filters[body][$null]=true'), [null])
    assert.equal((await bodies(`filters[body][$ne]=${begun(17)}&filters[body][$lt]=b`)).length, 75)
  })

  it('do not change ranges and order', async () => {
    const sorted = Array.from({ length: ROWS }, (_, number) => begun(number)).sort()
    assert.deepEqual(await bodies('sort=body'), [null, ...sorted.slice(0, 99)])
    assert.deepEqual(await bodies('sort=body:desc'), sorted.toReversed().slice(0, 100))
    const [low = '', high = ''] = [sorted[500], sorted[510]]
    assert.deepEqual(
      await bodies(`sort=body&filters[body][$gt]=${low}&filters[body][$lte]=${high}`),
      sorted.slice(501, 511),
    )
  })

  for (const sort of ['body', 'body:desc']) {
    it(`return every document once on cursor pages sorted by ${sort}`, async () => {
      const seen: unknown[] = []
      for (let cursor = 'start'; cursor !== 'null'; ) {
        const response = await project.request(
          'GET',
          `/api/notes?sort=${sort}&pagination[pageSize]=100&pagination[cursor]=${cursor}`,
        )
        const data = response.at('data')
        assert.ok(Array.isArray(data), response.text)
        seen.push(...data.map(({ body }) => body))
        cursor = String(response.at('meta', 'pagination', 'nextCursor'))
      }
      const sorted = [null, ...Array.from({ length: ROWS }, (_, number) => begun(number)).sort()]
      assert.deepEqual(seen, sort === 'body' ? sorted : sorted.toReversed())
    })
  }

  for (const query of [
    `filters[body]=${begun(17)}`,
    'sort=body',
    'sort=body:desc',
    'filters[body][$null]=true',
  ]) {
    it(`are used for ${query.slice(0, 24)}`, async () => {
      const used = await indexesOf(query)
      assert.ok(used.includes('notes_a_body_index'), used.join())
    })
  }
})

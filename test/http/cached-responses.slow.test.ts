/** Repeated anonymous reads over the network, compared with the Fastify route of the same server. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'

const TREE = 'api::tree.tree'
const LEAF = 'api::leaf.leaf'
const tree = (name: 'height' | 'size') =>
  collection('tree', {
    name: string,
    [name]: { type: 'integer', renamedFrom: name === 'height' ? 'size' : 'height' },
    leaves: { type: 'relation', relation: 'oneToMany', target: LEAF },
  })

stopIntervals()

onEachEngine((engine) => {
  let project: ProjectServer
  let base = ''
  let oak = ''
  let leaf = ''
  before(async () => {
    project = await openProject(
      projectFolder({
        [typeFile('tree')]: tree('height'),
        [typeFile('leaf')]: collection('leaf', { name: string }, { info: LEAVES }),
      }),
      await engine.freshUrl(),
      // A small cache, so that responses are evicted.
      { config: { cache: { maxBytes: 4_000 }, server: { port: 0 } } },
    )
    base = project.base
    leaf = String(
      (await project.request('POST', '/api/leaves', { data: { name: 'a' } })).at('data', 'documentId'),
    )
    const data = { name: 'oak', leaves: [leaf] }
    oak = String((await project.request('POST', '/api/trees', { data })).at('data', 'documentId'))
  })
  after(() => project?.remove())

  const write = (step: Step) => {
    switch (step.do) {
      case 'nothing':
        return null
      case 'content':
        return project.request('PUT', `/api/${step.which}`.replace(':oak', oak).replace(':leaf', leaf), {
          data: { name: step.to },
        })
      case 'permissions':
        return project.adminRequest('PUT', '/roles/public', {
          data: { permissions: { [step.type]: step.actions } },
        })
      case 'model':
        return project.adminRequest('PUT', `/content-types/${TREE}`, { data: tree(step.name) })
    }
  }

  it('cached responses are current after every change of content, permissions or model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, someUrls), { minLength: 3, maxLength: 10 }), async (steps) => {
        for (const [one, urls] of steps) {
          const written = await write(one)
          assert.ok(written === null || written.status === 200, written?.text)
          for (const url of urls) {
            const path = url.replace(':oak', oak)
            const uncached = await project.server.app.inject({ method: 'GET', url: path })
            for (let time = 0; time < 3; time++) {
              const response = await fetch(base + path)
              assert.deepEqual(
                [response.status, await response.text()],
                [uncached.statusCode, uncached.body],
                path,
              )
            }
            const tag = String(uncached.headers.etag)
            const known = await fetch(base + path, { headers: { 'if-none-match': tag } })
            assert.deepEqual(
              [known.status, await known.text()],
              uncached.statusCode === 200 ? [304, ''] : [uncached.statusCode, uncached.body],
            )
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  it('policies run for every request, cached or not', async () => {
    let calls = 0
    const own = await openProject(
      projectFolder({
        'config/roles.json': { public: { [LEAF]: ['find'] } },
        [typeFile('leaf')]: collection('leaf', { name: string }, { info: LEAVES }),
      }),
      await engine.freshUrl(),
      { extend: { policies: { [LEAF]: { find: () => ++calls <= 4 } } } },
    )
    try {
      const url = `${own.base}/api/leaves`
      const statuses = []
      for (let time = 0; time < 6; time++) statuses.push((await fetch(url)).status)
      assert.deepEqual(statuses, [200, 200, 200, 200, 403, 403])
    } finally {
      await own.remove()
    }
  })

  it('cached responses need no statement, count as hits, and are not shared with other callers', async () => {
    await write({ do: 'permissions', type: TREE, actions: ['find', 'findOne'] })
    await write({ do: 'permissions', type: LEAF, actions: [] })
    const url = '/api/trees?populate=leaves'
    const get = async (headers = {}) => {
      const response = await fetch(base + url, { headers })
      return { text: await response.text(), cache: response.headers.get('octavo-cache') }
    }
    await get()
    const { hits } = project.server.reads().stats.responses
    const { reads } = project.server.store.statements
    for (let time = 0; time < 4; time++) {
      const { text, cache } = await get()
      assert.deepEqual([text.includes(leaf), cache], [false, 'hit'])
    }
    assert.deepEqual(
      [project.server.reads().stats.responses.hits - hits, project.server.store.statements.reads - reads],
      [4, 0],
    )
    const full = await project.request('GET', url)
    assert.ok(full.text.includes(leaf))
  })
})

const LEAVES = { singularName: 'leaf', pluralName: 'leaves', displayName: 'leaf' }

type Step =
  | { readonly do: 'nothing' }
  | { readonly do: 'content'; readonly which: 'trees/:oak' | 'leaves/:leaf'; readonly to: string }
  | { readonly do: 'permissions'; readonly type: string; readonly actions: readonly string[] }
  | { readonly do: 'model'; readonly name: 'height' | 'size' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ do: 'nothing' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('content' as const),
      which: fc.constantFrom('trees/:oak' as const, 'leaves/:leaf' as const),
      to: fc.constantFrom('x', 'y'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('permissions' as const),
      type: fc.constantFrom(TREE, LEAF),
      actions: fc.subarray(['find', 'findOne']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('model' as const),
      name: fc.constantFrom('height' as const, 'size' as const),
    }),
  },
)

const someUrls = fc.shuffledSubarray([
  '/api/trees',
  '/api/trees?populate=leaves',
  '/api/trees?fields=height',
  '/api/trees?fields=size',
  '/api/trees/:oak',
  '/api/leaves?sort=name',
])

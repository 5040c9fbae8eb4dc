/** References in a batch: where they stand for a result of an earlier operation, and where they are content. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  component,
  componentFile,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

const toPage = { type: 'relation', relation: 'manyToOne', target: 'api::page.page' }
const widget = { label: string, settings: { type: 'json' }, page: toPage }
const page = {
  name: string,
  settings: { type: 'json' },
  text: { type: 'blocks' },
  parent: toPage,
  one: { type: 'component', component: 'page.widget' },
  many: { type: 'component', component: 'page.widget', repeatable: true },
  zone: { type: 'dynamiczone', components: ['page.widget', 'page.box'] },
}
const populate = 'populate[parent]=true&populate[one][populate]=*&populate[many][populate]=*'
const inZone = 'populate[zone][on][page.box][populate][inside][populate]=*'

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const folder = projectFolder({
      [typeFile('page')]: collection('page', page),
      [componentFile('page.widget')]: component('page.widget', widget),
      [componentFile('page.box')]: component('page.box', {
        inside: { type: 'component', component: 'page.widget', repeatable: true },
      }),
    })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  /** Creates a page, and after it another with `data`. */
  const batch = (data: unknown) =>
    project.request('POST', '/api/batch', {
      operations: [
        { id: 'a', method: 'POST', path: '/api/pages', body: { data: { name: 'first' } } },
        { method: 'POST', path: `/api/pages?${populate}&${inZone}`, body: { data } },
      ],
    })

  const content = { schema: { $ref: '#/definitions/x' }, link: { $ref: 'a.name' } }

  it('leaves json and blocks unchanged, also in components and zones', async () => {
    const image = [{ type: 'image', image: { url: '/a.png', $ref: 'a.name' } }]
    const entry = { settings: content }
    const response = await batch({
      settings: content,
      text: image,
      one: { settings: { $ref: 'a.name' } },
      many: [entry],
      zone: [{ __component: 'page.box', inside: [entry] }],
    })
    assert.equal(response.status, 200, response.text)
    const at = (...path: (string | number)[]) => response.at('data', 1, 'body', 'data', ...path)
    assert.deepEqual(at('settings'), content)
    assert.deepEqual(at('text'), image)
    assert.deepEqual(at('one', 'settings'), { $ref: 'a.name' })
    assert.deepEqual(at('many', 0, 'settings'), content)
    assert.deepEqual(at('zone', 0, 'inside', 0, 'settings'), content)
  })

  it('resolves references everywhere else', async () => {
    const [name, documentId] = [{ $ref: 'a.name' }, { $ref: 'a.documentId' }]
    const response = await batch({
      name,
      parent: { connect: [documentId] },
      one: { label: name, page: documentId },
      many: [{ label: name, page: { set: [{ documentId }] } }],
      zone: [{ __component: 'page.box', inside: [{ label: name, page: documentId }] }],
    })
    assert.equal(response.status, 200, response.text)
    const at = (...path: (string | number)[]) => response.at('data', 1, 'body', 'data', ...path)
    for (const path of [['one'], ['many', 0], ['zone', 0, 'inside', 0]])
      assert.deepEqual([at(...path, 'label'), at(...path, 'page', 'name')], ['first', 'first'])
    assert.deepEqual([at('name'), at('parent', 'name')], ['first', 'first'])
  })

  for (const data of [[{ name: 'x' }], { one: [{ label: 'x' }] }, { zone: { __component: 'page.box' } }, 7]) {
    it(`refuses ${JSON.stringify(data)} like a single request`, async () => {
      const [alone, together] = [await project.request('POST', '/api/pages', { data }), await batch(data)]
      assert.deepEqual([alone.status, together.status], [400, 400])
      assert.equal(together.at('error', 'message'), alone.at('error', 'message'))
    })
  }
})

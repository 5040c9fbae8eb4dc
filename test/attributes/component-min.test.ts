/** `min` of repeatable components and dynamic zones: checked when a document is published, also for empty lists. */
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
  type ServerResponse,
  string,
  typeFile,
} from '../support/project-server.ts'

const list = { type: 'component', component: 'page.link', repeatable: true, min: 2 }
const zone = { type: 'dynamiczone', components: ['page.link', 'page.group'], min: 2 }

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    const options = { options: { draftAndPublish: true } }
    const folder = projectFolder({
      [typeFile('page')]: collection('page', { links: list, zone, name: string }, options),
      [typeFile('menu')]: collection('menu', { links: { ...list, required: true } }, options),
      [componentFile('page.link')]: component('page.link', { label: string }),
      [componentFile('page.group')]: component('page.group', { inside: list }),
    })
    project = await openProject(folder, await engine.freshUrl())
  })
  after(() => project?.remove())

  const create = (path: string, data: object) => project.request('POST', path, { data })
  const entry = { __component: 'page.link', label: 'a' }
  const group = (inside: unknown) => ({ __component: 'page.group', inside })

  const publish = (documentId: unknown) => project.request('POST', `/api/pages/${documentId}/actions/publish`)

  const tooShort: readonly (readonly [data: object, path: string])[] = [
    [{ links: [] }, 'links'],
    [{ links: [{ label: 'a' }] }, 'links'],
    [{ zone: [] }, 'zone'],
    [{ zone: [entry] }, 'zone'],
    [{ zone: [entry, group([])] }, 'zone.1.inside'],
    [{ zone: [entry, group([{ label: 'a' }])] }, 'zone.1.inside'],
  ]

  const assertRefused = (response: ServerResponse, path: string) => {
    assert.equal(response.status, 400, response.text)
    const found = response.at('error', 'details', 'errors', 0, 'path')
    assert.ok(Array.isArray(found))
    assert.equal(found.join('.'), path)
  }

  it('accepts an optional list that is null or not sent, and returns it as empty', async () => {
    for (const data of [{}, { links: null, zone: null }, { zone: [entry, group(null)] }]) {
      const created = await create('/api/pages?populate=*', data)
      assert.equal(created.status, 201, created.text)
      assert.deepEqual(created.at('data', 'links'), [])
    }
  })

  it('refuses to publish a list with too few entries, also an empty one', async () => {
    for (const [data, path] of tooShort) assertRefused(await create('/api/pages', data), path)
  })

  it('accepts any number of entries in a draft, but does not publish too few', async () => {
    for (const [data, path] of tooShort) {
      const draft = await create('/api/pages?status=draft', data)
      assert.equal(draft.status, 201, draft.text)
      assertRefused(await publish(draft.at('data', 'documentId')), path)
    }
    const empty = await create('/api/pages?status=draft', { links: null, zone: null })
    assert.equal((await publish(empty.at('data', 'documentId'))).status, 200)
  })

  it('refuses a required list that is missing, empty or too short with one error', async () => {
    for (const links of [[], null, undefined, [{ label: 'a' }]]) {
      const refused = await create('/api/menus', { links })
      assertRefused(refused, 'links')
      assert.equal(refused.at('error', 'details', 'errors', 1), undefined)
    }
    assert.equal((await create('/api/menus', { links: [{ label: 'a' }, { label: 'b' }] })).status, 201)
  })
})

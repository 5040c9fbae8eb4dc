/** `min` of lists of components: asked of lists that have entries, and of those that are required. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  collection,
  component,
  componentFile,
  openWorld,
  projectFolder,
  string,
  typeFile,
  type World,
} from '../live/world.ts'
import { onEachEngine } from '../support/engines.ts'

const list = { type: 'component', component: 'page.link', repeatable: true, min: 2 }
const zone = { type: 'dynamiczone', components: ['page.link', 'page.group'], min: 2 }

onEachEngine((engine) => {
  let world: World
  before(async () => {
    const options = { options: { draftAndPublish: true } }
    const folder = projectFolder({
      [typeFile('page')]: collection('page', { links: list, zone, name: string }, options),
      [typeFile('menu')]: collection('menu', { links: { ...list, required: true } }, options),
      [componentFile('page.link')]: component('page.link', { label: string }),
      [componentFile('page.group')]: component('page.group', { inside: list }),
    })
    world = await openWorld(folder, await engine.freshUrl())
  })
  after(() => world?.remove())

  const make = (path: string, data: object) => world.ask('POST', path, { data })
  const entry = { __component: 'page.link', label: 'a' }
  const group = (inside: unknown) => ({ __component: 'page.group', inside })

  it('a list that is not required may be empty, null or absent, and reads back as empty', async () => {
    const fine = [{}, { links: [], zone: [] }, { links: null, zone: null }, { zone: [entry, group([])] }]
    for (const data of fine) {
      const made = await make('/api/pages?populate=*', data)
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.at('data', 'links'), [])
    }
  })

  it('a draft that was saved with empty lists can be published', async () => {
    const draft = await make('/api/pages?status=draft', { links: [], zone: [] })
    const path = `/api/pages/${String(draft.at('data', 'documentId'))}/actions/publish`
    assert.equal((await world.ask('POST', path)).status, 200)
  })

  it('a list with fewer entries than it has to have is refused, once there is one', async () => {
    for (const [data, path] of [
      [{ links: [{ label: 'a' }] }, 'links'],
      [{ zone: [entry] }, 'zone'],
      [{ zone: [entry, group([{ label: 'a' }])] }, 'zone.1.inside'],
    ] as const) {
      const refused = await make('/api/pages', data)
      assert.equal(refused.status, 400)
      const place = refused.at('error', 'details', 'errors', 0, 'path')
      assert.ok(Array.isArray(place))
      assert.equal(place.join('.'), path)
    }
  })

  it('a required list is refused whenever it is short or empty', async () => {
    for (const links of [[], null, undefined, [{ label: 'a' }]]) {
      const refused = await make('/api/menus', { links })
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.at('error', 'details', 'errors', 0, 'path'), ['links'])
      assert.equal(refused.at('error', 'details', 'errors', 1), undefined)
    }
    assert.equal((await make('/api/menus', { links: [{ label: 'a' }, { label: 'b' }] })).status, 201)
  })
})

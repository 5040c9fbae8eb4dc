/** `unique` in a component holds across all published documents that contain it, whatever their content-type. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
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

const ticket = (unique: boolean) =>
  component('shop.ticket', {
    code: { ...string, unique },
    secret: { ...string, unique, private: true },
    label: string,
  })
const many = { type: 'component', component: 'shop.ticket', repeatable: true }

const files = (unique: boolean) => ({
  'config/locales.json': { default: 'en', locales: ['en', 'fr'] },
  [componentFile('shop.ticket')]: ticket(unique),
  [componentFile('shop.box')]: component('shop.box', { inner: many }),
  [typeFile('event')]: collection(
    'event',
    {
      title: string,
      tickets: { ...many, pluginOptions: { i18n: { localized: true } } },
      zone: {
        type: 'dynamiczone',
        components: ['shop.ticket', 'shop.box'],
        pluginOptions: { i18n: { localized: true } },
      },
    },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  [typeFile('raffle')]: collection('raffle', { main: { ...many, repeatable: false } }),
  [typeFile('coupon')]: collection('coupon', { ticket: { ...many, repeatable: false } }),
})

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    project = await openProject(projectFolder(files(true)), await engine.freshUrl())
  })
  after(() => project?.remove())

  const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, data?: object) =>
    project.request(method, url, data && { data })
  const event = (code: string, query = '') => send('POST', `/api/events${query}`, { tickets: [{ code }] })
  const created = async (sending: ReturnType<typeof send>) => {
    const response = await sending
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }
  const refusedAt = async (sending: ReturnType<typeof send>, ...path: readonly string[]) => {
    const response = await sending
    assert.equal(response.status, 400, response.text)
    assert.match(response.text, /must be unique: another document has this value/)
    assert.deepEqual(response.at('error', 'details', 'errors', 0, 'path'), path)
  }

  it('a value that another document has is refused, wherever the component is', async () => {
    await created(event('a1'))
    await refusedAt(event('a1'), 'tickets', '0', 'code')
    await created(send('POST', '/api/coupons', { ticket: { code: 'a1' } }))
    await refusedAt(send('POST', '/api/raffles', { main: { code: 'a1' } }), 'main', 'code')
    const zone = [{ __component: 'shop.box', inner: [{ code: 'free' }, { code: 'a1' }] }]
    await refusedAt(send('POST', '/api/events', { zone }), 'zone', '0', 'inner', '1', 'code')
    await created(send('POST', '/api/raffles', { main: { secret: 's1' } }))
    await refusedAt(send('POST', '/api/raffles', { main: { secret: 's1' } }), 'main', 'secret')
  })

  it('other attributes, empty values and the document itself do not count', async () => {
    const id = await created(event('b1'))
    const same = await send('PUT', `/api/events/${id}`, { title: 'Same', tickets: [{ code: 'b1' }] })
    assert.equal(same.status, 200, same.text)
    for (let count = 0; count < 2; count++)
      await created(send('POST', '/api/raffles', { main: { code: '', secret: null, label: 'b1' } }))
  })

  it('a value is free again when it is changed, unpublished or deleted', async () => {
    const changed = await created(event('c1'))
    assert.equal((await send('PUT', `/api/events/${changed}`, { tickets: [{ code: 'c2' }] })).status, 200)
    const unpublished = await created(event('c1'))
    assert.equal((await send('POST', `/api/events/${unpublished}/actions/unpublish`)).status, 200)
    const deleted = await created(event('c1'))
    assert.equal((await send('DELETE', `/api/events/${deleted}`)).status, 204)
    await created(event('c1'))
  })

  it('drafts do not count until they are published', async () => {
    await created(event('d1'))
    const draft = await created(event('d1', '?status=draft'))
    await refusedAt(send('POST', `/api/events/${draft}/actions/publish`), 'tickets', '0', 'code')
  })

  it('each locale has values of its own, and so have content-types without locales', async () => {
    await created(event('e1'))
    const french = await created(event('e1', '?locale=fr'))
    await created(send('POST', '/api/raffles', { main: { code: 'e1' } }))
    await refusedAt(event('e1', '?locale=fr'), 'tickets', '0', 'code')
    assert.equal((await send('DELETE', `/api/events/${french}?locale=fr`)).status, 204)
    await refusedAt(event('e1'), 'tickets', '0', 'code')
  })

  it('of concurrent writes of one value, one succeeds', async () => {
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await event('f1')).status))
    assert.deepEqual(statuses.sort(), [201, 400, 400, 400, 400])
  })

  it('a batch with the value of another document changes nothing', async () => {
    await created(send('POST', '/api/coupons', { ticket: { code: 'g1' } }))
    const operations = ['g2', 'g1'].map((code) => ({
      ...{ method: 'POST', path: '/api/raffles', body: { data: { main: { code } } } },
    }))
    const response = await project.request('POST', '/api/batch', { operations })
    assert.equal(response.status, 400, response.text)
    await created(send('POST', '/api/coupons', { ticket: { code: 'g2' } }))
  })

  describe('a component that becomes unique', () => {
    it('keeps equal values that exist, and refuses further ones', async () => {
      const folder = projectFolder(files(false))
      const url = await engine.freshUrl()
      let running = await openProject(folder, url)
      const raffle = (code: string) => running.request('POST', '/api/raffles', { data: { main: { code } } })
      const ids: unknown[] = []
      for (const code of ['x', 'x', 'y']) ids.push((await raffle(code)).at('data', 'documentId'))
      await running.close()
      writeFileSync(path.join(folder, componentFile('shop.ticket')), JSON.stringify(ticket(true)))
      running = await openProject(folder, url)
      try {
        assert.deepEqual([(await raffle('x')).status, (await raffle('y')).status], [400, 400])
        for (const id of ids) {
          const changed = await running.request('PUT', `/api/raffles/${id}`, {
            data: { main: { code: `new ${id}` } },
          })
          assert.equal(changed.status, 200, changed.text)
        }
        assert.equal((await raffle('y')).status, 201)
      } finally {
        await running.remove()
      }
    })
  })
})

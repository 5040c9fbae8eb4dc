/** Servers on one database apply model changes of each other and of the command line. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { REFRESH_INTERVAL_MS } from '../../src/live/live-model.ts'
import { launch, octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { writeFiles } from '../support/project-folder.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  TOKEN,
  typeFile,
} from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'

const ITEM = collection('item', { name: string, code: string })

onEachEngine((engine) => {
  let url = ''
  let one: ProjectServer
  let other: ProjectServer
  before(async () => {
    url = await engine.freshUrl()
    const files = { [typeFile('item')]: ITEM }
    one = await openProject(projectFolder(files), url)
    other = await openProject(projectFolder(files), url)
  })
  after(async () => {
    for (const project of [one, other]) await project?.remove()
  })

  /** The log line of a server that has loaded the current schema version of the database. */
  async function latestVersion(): Promise<RegExp> {
    const [row] = await one.server.store.read({
      sql: `SELECT value FROM octavo_meta WHERE key = 'number'`,
      parameters: [],
    })
    return new RegExp(`The content-types have changed \\(schema version ${row?.value}\\)`)
  }

  it('the refresh interval is shorter than the documented second', () =>
    assert.ok(REFRESH_INTERVAL_MS < 1_000))

  it('each server serves content-types that the other creates', async () => {
    const data = collection('book', { title: string })
    assert.equal((await one.adminRequest('POST', '/content-types', { data })).status, 201)
    await other.logged(await latestVersion())
    assert.equal((await other.request('GET', '/api/books')).status, 200)
    await other.request('POST', '/api/books', { data: { title: 'Dune' } })
    assert.equal((await one.request('GET', '/api/books')).at('data', 0, 'title'), 'Dune')
  })

  it('a server applies a change without receiving a request', async () => {
    const before = other.server.layout()
    const data = collection('quiet', { title: string })
    assert.equal((await one.adminRequest('POST', '/content-types', { data })).status, 201)
    await other.logged(await latestVersion())
    assert.notEqual(other.server.layout(), before)
    assert.ok(other.server.project.model.types.has('api::quiet.quiet'))
  })

  it('content of a previous model is never written or served', async () => {
    const made = await one.request('POST', '/api/items', { data: { name: 'a', code: 'c' } })
    const id = made.at('data', 'documentId')
    const attributes = { name: string, label: { ...string, renamedFrom: 'code' }, more: string }
    const renamed = one.adminRequest('PUT', '/content-types/api::item.item', {
      data: collection('item', attributes),
    })
    const writes = Array.from({ length: 30 }, (_, index) =>
      other.request('POST', '/api/items', { data: { name: `n${index}` } }),
    )
    assert.equal((await renamed).status, 200)
    for (const { status, text } of await Promise.all(writes)) assert.equal(status, 201, text)
    const item = await other.request('GET', `/api/items/${id}`)
    assert.deepEqual([item.at('data', 'label'), item.at('data', 'more')], ['c', null])
    const all = await one.request('GET', '/api/items?pagination[pageSize]=100')
    const items = all.at('data')
    assert.ok(Array.isArray(items))
    assert.equal(items.length, 31)
    for (const item of items)
      assert.deepEqual(Object.keys(item).slice(0, 5), ['id', 'documentId', 'name', 'label', 'more'])
    const refused = await other.request('POST', '/api/items', { data: { name: 'x', code: 'y' } })
    assert.deepEqual([refused.status, refused.at('error', 'message')], [400, 'Invalid key code'])
  })

  it('a server stores values with the types that another one has changed', async () => {
    const withCode = (type: string) => collection('part', { name: string, code: { type } })
    const created = await one.adminRequest('POST', '/content-types', { data: withCode('biginteger') })
    assert.equal(created.status, 201, created.text)
    await other.logged(await latestVersion())
    const add = (code: string) => other.request('POST', '/api/parts', { data: { name: 'part', code } })
    // Often enough that the statements are prepared.
    for (let time = 0; time < 4; time++) assert.equal((await add('1')).status, 201)
    const part = (await add('2')).at('data', 'documentId')
    const change = (code: string) => other.request('PUT', `/api/parts/${part}`, { data: { code } })
    for (let time = 0; time < 4; time++) assert.equal((await change('3')).status, 200)
    const changed = await one.adminRequest('PUT', '/content-types/api::part.part', {
      data: withCode('string'),
    })
    assert.equal(changed.status, 200, changed.text)
    await other.logged(await latestVersion())
    const path = `/api/parts?sort=id&filters[code][$startsWith]=0`
    assert.equal((await add('007')).status, 201)
    assert.equal((await change('008')).status, 200)
    for (const server of [one, other]) {
      const { text, at } = await server.request('GET', path)
      const parts = at('data')
      assert.ok(Array.isArray(parts), text)
      assert.deepEqual(
        parts.map(({ code }) => code),
        ['008', '007'],
      )
    }
  })

  it('simultaneous changes are applied one after the other', async () => {
    const responses = await Promise.all(
      [one, other, one, other].map((project, index) =>
        project.adminRequest('POST', '/content-types', {
          data: collection(`twin${index}`, { text: string }),
        }),
      ),
    )
    for (const { status, text } of responses) assert.equal(status, 201, text)
    for (const project of [one, other]) {
      for (const index of responses.keys()) {
        await waitUntil(async () => (await project.request('GET', `/api/twin${index}s`)).status === 200)
      }
    }
  })

  it('a server applies a migration of the command line', async () => {
    const fresh = await engine.freshUrl()
    const folder = projectFolder({ [typeFile('item')]: ITEM })
    const env = { NODE_ENV: 'production', OCTAVO_AUTH_SECRET: 'a secret of the live tests, long' }
    const options = ['--project', folder, '--database', fresh]
    const server = launch(['start', '--port', '0', ...options], env)
    try {
      const base = await server.address()
      const send = async (method: string, path: string, data?: object) => {
        const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
        return fetch(base + path, { method, headers, ...(data && { body: JSON.stringify({ data }) }) })
      }
      assert.equal((await send('POST', '/api/items', { name: 'first', code: 'removed' })).status, 201)
      writeFiles(folder, {
        [typeFile('item')]: collection('item', { name: string }),
        [typeFile('page')]: collection('page', { text: string }),
      })
      const migrate = (...more: string[]) => octavo(['migrate', ...options, ...more], { env })
      const refused = await migrate()
      assert.equal(refused.code, 1)
      assert.match(refused.err, /attribute code: deleted/)
      assert.equal((await send('GET', '/api/pages')).status, 404)
      assert.equal((await migrate('--confirm')).code, 0)
      await waitUntil(async () => (await send('GET', '/api/pages')).status === 200)
      const text = await (await send('GET', '/api/items')).text()
      assert.match(text, /first/)
      assert.doesNotMatch(text, /removed|code/)
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

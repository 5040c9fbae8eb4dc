/** Webhooks in the configuration and on the command line, in the form of Strapi, and turned off. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSecret } from '../../src/events/webhooks/sending/signature.ts'
import type { WebhookConfig } from '../../src/project/config/changes-config.ts'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { jsonAt } from '../support/json-body.ts'
import { collection, openProject, projectFolder, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const FILES = {
  [typeFile('note')]: collection(
    'note',
    { title: { type: 'string' }, stars: { type: 'integer' }, secret: { type: 'string', private: true } },
    { options: { draftAndPublish: true } },
  ),
}

onEachEngine((engine: TestEngine) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  const headersOf = (path: string) =>
    Object.fromEntries(
      Object.entries(receiver.at(path).at(-1)?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )

  describe('the configuration', () => {
    it('defines webhooks, which follow it at each start, and only enabled can be changed', async () => {
      const url = await engine.freshUrl()
      const folder = projectFolder(FILES)
      const secret = newSecret()
      const open = (endpoints: Readonly<Record<string, WebhookConfig>>) =>
        openProject(folder, url, { config: { webhooks: { allow: ['127.0.0.1'], endpoints } } })
      const first = await open({
        site: { url: `${receiver.url}/configured`, events: ['document.create'], types: ['notes'], secret },
        missing: { url: `${receiver.url}/missing`, env: 'OCTAVO_TEST_NO_SUCH_VARIABLE' },
      })
      assert.ok(first.log.some((line) => line.includes('OCTAVO_TEST_NO_SUCH_VARIABLE is not set')))
      const note = await first.request('POST', '/api/notes', { data: { title: 'one' } })
      assert.equal(note.status, 201)
      const [delivery] = await receiver.until('/configured', 1)
      new Webhook(secret).verify(delivery?.text ?? '', headersOf('/configured'))
      const [listed] = JSON.parse((await first.adminRequest('GET', '/webhooks')).text).data
      assert.partialDeepStrictEqual(listed, { name: 'site', source: 'config', types: ['api::note.note'] })
      const change = (data: object) => first.adminRequest('PUT', `/webhooks/${listed.id}`, { data })
      assert.equal((await change({ url: 'https://example.com' })).status, 400)
      assert.equal((await first.adminRequest('DELETE', '/webhooks/site')).status, 400)
      assert.equal((await first.adminRequest('POST', '/webhooks/site/rotate')).status, 400)
      assert.equal((await change({ enabled: false })).status, 200)
      await first.close()

      const second = await open({ site: { url: `${receiver.url}/moved`, secret } })
      const [moved] = JSON.parse((await second.adminRequest('GET', '/webhooks')).text).data
      assert.partialDeepStrictEqual(moved, { id: listed.id, url: `${receiver.url}/moved`, enabled: true })
      await second.close()
      const third = await open({})
      assert.deepEqual(JSON.parse((await third.adminRequest('GET', '/webhooks')).text).data, [])
      await third.remove()
    })

    it('leaves a webhook off, or on, that a person has turned, until it changes itself', async () => {
      const url = await engine.freshUrl()
      const folder = projectFolder(FILES)
      const secret = newSecret()
      /** Starts with this setting, and turns the webhook if asked to; returns whether it was on. */
      const start = async (configured: boolean | undefined, turn?: boolean): Promise<boolean> => {
        const site = {
          url: 'https://example.com/hook',
          secret,
          ...(configured !== undefined && { enabled: configured }),
        }
        const config = { webhooks: { endpoints: { site } } }
        const project = await openProject(folder, url, { config })
        const [{ enabled }] = JSON.parse((await project.adminRequest('GET', '/webhooks')).text).data
        if (turn !== undefined)
          await project.adminRequest('PUT', '/webhooks/site', { data: { enabled: turn } })
        await project.close()
        return enabled
      }
      assert.equal(await start(undefined, false), true)
      assert.equal(await start(undefined), false, 'turned off by a person')
      assert.equal(await start(true, true), false, 'enabled by default and explicitly is the same')
      assert.equal(await start(true), true, 'turned on by a person')
      assert.equal(await start(false, true), false, 'turned off in the configuration')
      assert.equal(await start(false), true, 'turned on by a person')
      assert.equal(await start(false, false), true)
      assert.equal(await start(true), true, 'turned on in the configuration')
    })

    it('with an invalid webhook stops the start, and says what is wrong', async () => {
      const folder = projectFolder(FILES)
      const url = await engine.freshUrl()
      for (const [webhooks, message] of [
        [
          { endpoints: { a: { url: 'https://example.com', secret: 'short' } } },
          /endpoints\.a: the secret must/,
        ],
        [
          { endpoints: { a: { url: 'https://example.com', secret: newSecret(), events: ['x'] } } },
          /endpoints\.a: events must be names of events; unknown: "x"/,
        ],
        [{ endpoints: { a: { secret: newSecret() } } }, /endpoints\.a\.url/],
        [
          { endpoints: { a: { url: 'https://example.com' } } },
          /endpoints\.a.* must have either secret or env/,
        ],
        [{ allow: ['10.0.0.0/64'] }, /webhooks\.allow.*10\.0\.0\.0\/64/],
      ] as const)
        await assert.rejects(openProject(folder, url, { config: { webhooks } }), (error: Error) => {
          assert.match(`${error.message} ${JSON.stringify(error)}`, message)
          return true
        })
    })
  })

  it('the command line adds, lists, tests, changes and removes webhooks', async () => {
    const url = await engine.freshUrl()
    const folder = projectFolder({ ...FILES, 'config/webhooks.json': { allow: ['127.0.0.1'] } })
    const project = await openProject(folder, url)
    const run = (...args: readonly string[]) =>
      octavo(['webhooks', ...args, '--project', folder, '--database', url])
    assert.match((await run('list')).out, /No webhooks/)
    const added = await run(
      ...['add', 'site', `${receiver.url}/command`, '--types', 'notes', '--events', 'document.create'],
      ...['--filters', '{"stars":{"$gte":3}}', '--header', 'X-Key: abc'],
    )
    assert.equal(added.code, 0, added.err)
    const secret = added.out.trim()
    assert.match(secret, /^whsec_/)
    await project.request('POST', '/api/notes', { data: { title: 'few', stars: 1 } })
    await project.request('POST', '/api/notes', { data: { title: 'many', stars: 5 } })
    const [delivery] = await receiver.until('/command', 1)
    assert.equal(jsonAt(delivery?.text ?? '')('data', 'document', 'title'), 'many')
    assert.equal(headersOf('/command')['x-key'], 'abc')
    new Webhook(secret).verify(delivery?.text ?? '', headersOf('/command'))
    const tested = await run('test', 'site')
    assert.equal(tested.code, 0, tested.err)
    assert.match(tested.out, /webhook\.test +succeeded +attempt 1: 204/)
    assert.match((await run('deliveries', 'site')).out, /document\.create/)
    assert.match((await run('retry', 'site', '--since', '2020-01-01T00:00:00Z')).out, /^0 deliveries/)
    assert.equal((await run('retry', 'site')).code, 1)
    assert.match((await run('disable', 'site')).out, /is off/)
    assert.match((await run('list')).out, /off +site/)
    assert.notEqual((await run('rotate', 'site')).out.trim(), secret)
    assert.equal((await run('remove', 'site')).code, 0)
    const missing = await run('remove', 'site')
    assert.equal(missing.code, 1)
    assert.match(missing.err, /There is no webhook site/)
    const invalid = await run('add', 'x', 'https://example.com', '--types', 'nots')
    assert.match(invalid.err, /nots/)
    await project.remove()
  })

  it('with compat strapi, deliveries have the form that receivers of Strapi expect', async () => {
    const project = await openProject(projectFolder(FILES), await engine.freshUrl(), {
      config: { api: { rest: { compat: 'strapi' } }, webhooks: { allow: ['127.0.0.1'] } },
    })
    const made = await project.adminRequest('POST', '/webhooks', {
      data: { name: 'site', url: `${receiver.url}/strapi` },
    })
    const created = await project.request('POST', '/api/notes?status=published', {
      data: { title: 'one', stars: 4, secret: 'hidden' },
    })
    const documentId = String(created.at('data', 'documentId'))
    await receiver.until('/strapi', 2)
    assert.equal((await project.request('DELETE', `/api/notes/${documentId}`)).status, 204)
    const received = await receiver.until('/strapi', 3)
    assert.deepEqual(
      received.map(({ headers, body }) => [headers['x-strapi-event'], body.event]),
      ['entry.create', 'entry.publish', 'entry.delete'].map((event) => [event, event]),
    )
    for (const { text, body } of received) {
      assert.deepEqual(Object.keys(body), ['event', 'createdAt', 'model', 'uid', 'entry'])
      assert.partialDeepStrictEqual(body, {
        ...{ model: 'note', uid: 'api::note.note' },
        entry: { documentId, title: 'one', stars: 4 },
      })
      assert.doesNotMatch(text, /hidden/)
    }
    new Webhook(String(made.at('data', 'secret'))).verify(received.at(-1)?.text ?? '', headersOf('/strapi'))
    await project.adminRequest('POST', '/webhooks/site/test')
    assert.equal(headersOf('/strapi')['x-strapi-event'], 'trigger-test')
    await project.remove()
  })

  it('a document that cannot be read does not hold up the others', async () => {
    const fails = async () => {
      throw new Error('the hook fails')
    }
    const project = await openProject(projectFolder(FILES), await engine.freshUrl(), {
      config: { webhooks: { allow: ['127.0.0.1'] } },
      extend: { find: { 'api::note.note': { after: fails } } },
    })
    await project.adminRequest('POST', '/webhooks', { data: { name: 'site', url: `${receiver.url}/unread` } })
    const created = await project.request('POST', '/api/notes?status=draft', { data: { title: 'one' } })
    const documentId = created.at('data', 'documentId')
    assert.equal(created.status, 201, created.text)
    const { store } = project.server
    // The pauses between the attempts are not waited for.
    await waitUntil(async () => {
      await store.write(async (transaction) => {
        const now = new Date().toISOString()
        transaction.run(
          compile(
            store.dialect,
            sql`update octavo_jobs set due_at = ${now} where kind = 'webhooks.deliver' and holder is null`,
          ),
        )
        transaction.touch('octavo_jobs')
      })
      return receiver.at('/unread').length > 0
    })
    const [delivery] = receiver.at('/unread')
    assert.partialDeepStrictEqual(delivery?.body.data, { documentId, document: null })
    await project.remove()
  })

  it('a webhook follows renames, and is turned off if its filters no longer fit the content-type', async () => {
    const folder = projectFolder(FILES)
    const project = await openProject(folder, await engine.freshUrl(), {
      config: { webhooks: { allow: ['127.0.0.1'] } },
    })
    const made = await project.adminRequest('POST', '/webhooks', {
      data: {
        ...{ name: 'site', url: `${receiver.url}/unfit`, types: ['notes'] },
        filters: { stars: { $gte: 3 } },
      },
    })
    assert.equal(made.status, 201, made.text)
    const state = async () => JSON.parse((await project.adminRequest('GET', '/webhooks/site')).text).data
    const change = async (uid: string, schema: object) => {
      const response = await project.adminRequest('PUT', `/content-types/${uid}?confirm=true`, {
        data: schema,
      })
      assert.equal(response.status, 200, response.text)
    }
    const drafts = { options: { draftAndPublish: true } }
    const title = { type: 'string' }
    const stars = { type: 'integer', renamedFrom: 'stars' }
    await change('api::note.note', {
      ...collection('memo', { title, points: stars }, drafts),
      ...{ uid: 'api::memo.memo', collectionName: 'notes' },
    })
    const followed = await state()
    assert.deepEqual(followed.types, ['api::memo.memo'])
    assert.deepEqual(followed.filters, { points: { $gte: 3 } })
    await change('api::memo.memo', { ...collection('memo', { title }, drafts), collectionName: 'notes' })
    const written = await project.request('POST', '/api/memos', { data: { title: 'one' } })
    assert.equal(written.status, 201, written.text)
    await waitUntil(async () => !(await state()).enabled)
    assert.match((await state()).disabledReason, /filters do not fit api::memo\.memo/)
    assert.deepEqual(receiver.at('/unfit'), [])
    await project.remove()
  })

  it('turned off, there are no routes and no tables', async () => {
    const project = await openProject(projectFolder(FILES), await engine.emptyUrl(), {
      config: { webhooks: { enabled: false } },
    })
    assert.equal((await project.adminRequest('GET', '/webhooks')).status, 404)
    const { store } = project.server
    const rows = await store.read(compile(store.dialect, store.dialect.hasTable('octavo_webhooks')))
    assert.equal(rows.length, 0)
    await project.remove()
  })
})

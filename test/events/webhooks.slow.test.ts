/** Webhooks over the network: what receivers get, and how their responses are treated. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { jsonAt } from '../support/json-body.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type ReceivedDelivery, type Receiver, startReceiver } from './receiver.ts'

const NOTE = 'api::note.note'
const PAGE = 'api::page.page'

const string = { type: 'string' }

const FILES = {
  [typeFile('note')]: collection('note', {
    ...{ title: string, color: string, secret: { type: 'string', private: true } },
    parent: { type: 'relation', relation: 'manyToOne', target: NOTE },
  }),
  [typeFile('page')]: collection(
    'page',
    { title: string, color: string },
    { options: { draftAndPublish: true } },
  ),
}

onEachEngine((engine: TestEngine) => {
  let running: ProjectServer
  let receiver: Receiver
  let count = 0
  before(async () => {
    receiver = await startReceiver()
    running = await openProject(projectFolder(FILES), await engine.freshUrl(), {
      config: { webhooks: { allow: ['127.0.0.0/8'], timeoutSeconds: 1 } },
    })
  })
  after(async () => {
    await running.remove()
    await receiver.close()
  })

  async function add(settings: object = {}) {
    const path = `/${++count}`
    const response = await running.adminRequest('POST', '/webhooks', {
      data: { name: `webhook ${count}`, url: receiver.url + path, ...settings },
    })
    assert.equal(response.status, 201, response.text)
    return { path, id: Number(response.at('data', 'id')), secret: String(response.at('data', 'secret')) }
  }

  async function create(data: object, path = '/api/notes') {
    const response = await running.request('POST', path, { data })
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }

  const change = async (id: string, data: object) => {
    const response = await running.request('PUT', `/api/notes/${id}`, { data })
    assert.equal(response.status, 200, response.text)
  }

  const deliveriesOf = async (id: number, query = '') => {
    const response = await running.adminRequest('GET', `/webhooks/${id}/deliveries${query}`)
    assert.equal(response.status, 200, response.text)
    const { data }: { data: Delivery[] } = JSON.parse(response.text)
    return data
  }

  const webhookOf = async (id: number) => {
    const response = await running.adminRequest('GET', `/webhooks/${id}`)
    const { data }: { data: Record<string, unknown> } = JSON.parse(response.text)
    return data
  }

  /** Makes everything that waits due now. */
  const makeDue = (id: number) =>
    running.server.store.write(async (transaction) => {
      const now = new Date().toISOString()
      const { dialect } = running.server.store
      transaction.run(
        compile(
          dialect,
          sql`update octavo_webhook_deliveries set due_at = ${now} where webhook_id = ${id} and ended_at is null`,
        ),
      )
      transaction.run(
        compile(
          dialect,
          sql`update octavo_jobs set due_at = ${now} where kind = 'webhooks.deliver' and job_key = ${String(id)} and holder is null`,
        ),
      )
      transaction.touch('octavo_jobs')
    })

  const remove = (id: number) => running.adminRequest('DELETE', `/webhooks/${id}`)
  const events = (received: readonly ReceivedDelivery[]) => received.map(({ body }) => body.type)

  describe('a receiver', () => {
    it('gets a signed delivery with the event and the document', async () => {
      const { path, id, secret } = await add({ headers: { 'X-Shop': 'one' } })
      const documentId = await create({ title: 'first', secret: 'hidden value' })
      const [delivery] = await receiver.until(path, 1)
      assert.ok(delivery)
      const headers = Object.fromEntries(
        Object.entries(delivery.headers).map(([name, value]) => [name, String(value)]),
      )
      new Webhook(secret).verify(delivery.text, headers)
      assert.equal(headers['x-shop'], 'one')
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(delivery.body.type, 'document.create')
      const { data = {}, timestamp } = delivery.body
      assert.equal(timestamp, data.at)
      assert.partialDeepStrictEqual(data, {
        ...{ event: 'document.create', type: NOTE, documentId, locale: null },
        document: { documentId, title: 'first' },
      })
      assert.equal(typeof data.seq, 'number')
      assert.equal(jsonAt(delivery.text)('data', 'by', 'kind'), 'token')
      assert.doesNotMatch(delivery.text, /hidden value/)
      await waitUntil(async () => (await deliveriesOf(id))[0]?.status === 'succeeded')
      const [listed] = await deliveriesOf(id)
      assert.partialDeepStrictEqual(listed, {
        ...{ event: 'document.create', documentId, messageId: headers['webhook-id'], nextAttemptAt: null },
        attempts: [{ status: 204, error: null }],
      })
      await remove(id)
    })

    it('gets only the events, content-types and documents that were asked for, removals included', async () => {
      const published = await add({ events: ['document.publish'] })
      const pages = await add({ types: ['pages'] })
      const red = await add({
        types: [NOTE],
        filters: { $or: [{ color: { $eq: 'red' } }, { parent: { color: 'red' } }] },
      })
      const all = await add()
      const redId = await create({ title: 'red', color: 'red' })
      const blueId = await create({ title: 'blue', color: 'blue' })
      const childId = await create({ title: 'child', parent: redId })
      await create({ title: 'page' }, '/api/pages?status=published')
      // Filters through relations are decided with the related documents as they are then.
      await receiver.until(red.path, 2)
      await running.request('DELETE', `/api/notes/${blueId}`)
      await running.request('DELETE', `/api/notes/${redId}`)
      await create({ title: 'last' })
      await receiver.until(all.path, 9)
      await waitUntil(() => receiver.at(pages.path).length === 2)
      assert.deepEqual(events(receiver.at(published.path)), ['document.publish'])
      assert.deepEqual(events(receiver.at(pages.path)), ['document.create', 'document.publish'])
      const received = await receiver.until(red.path, 3)
      const ids = new Set(received.map(({ body }) => String(body.data?.documentId)))
      assert.deepEqual(ids, new Set([redId, childId]))
      const removed = received.find(({ body }) => body.type === 'document.delete')
      assert.partialDeepStrictEqual(removed?.body.data, { documentId: redId, document: null })
      for (const { id } of [published, pages, red, all]) await remove(id)
    })

    it('gets the events of a document in order, also while one of them fails', async () => {
      const { path, id } = await add({ types: [NOTE] })
      let failures = 2
      receiver.responses.set(path, (response, { body }) => {
        const fails = body.type === 'document.create' && body.data?.document !== null && failures-- > 0
        response.writeHead(fails ? 500 : 200).end(fails ? 'not now' : 'thanks')
      })
      const documentId = await create({ title: 'a' })
      const other = await create({ title: 'other' })
      await change(documentId, { title: 'b' })
      await change(documentId, { title: 'c' })
      await waitUntil(async () => {
        await makeDue(id)
        return (await deliveriesOf(id, '?status=succeeded')).length === 4
      })
      const succeeded = (await deliveriesOf(id)).toReversed()
      const endOf = (delivery: Delivery | undefined) => delivery?.attempts.at(-1)?.at ?? ''
      const own = succeeded.filter((one) => one.documentId === documentId)
      assert.deepEqual(
        own.map(({ event }) => event),
        ['document.create', 'document.update', 'document.update'],
      )
      assert.ok(endOf(own[0]) <= endOf(own[1]) && endOf(own[1]) <= endOf(own[2]))
      const failed = succeeded.find(({ attempts }) => attempts.length > 1)
      assert.partialDeepStrictEqual(failed?.attempts[0], { status: 500, response: 'not now' })
      assert.ok(succeeded.some((one) => one.documentId === other))
      // Each attempt has the id of the message.
      const sent = receiver.at(path).filter(({ headers }) => headers['webhook-id'] === failed?.messageId)
      assert.equal(sent.length, failed?.attempts.length)
      await remove(id)
    })

    it('that hangs, redirects, sends garbage or too much does not hold up the others', async () => {
      const hanging = await add({ types: [NOTE] })
      receiver.responses.set(hanging.path, () => {})
      const redirecting = await add({ types: [NOTE] })
      receiver.responses.set(redirecting.path, (response) =>
        response.writeHead(302, { location: `${receiver.url}/redirected` }).end(),
      )
      const garbage = await add({ types: [NOTE] })
      receiver.responses.set(garbage.path, (response) => {
        response.socket?.end('this is not HTTP\r\n\r\n')
      })
      const endless = await add({ types: [NOTE] })
      receiver.responses.set(endless.path, (response) => {
        response.writeHead(200)
        const more = () => {
          while (response.writable && response.write('y'.repeat(16_384)));
          if (response.writable) response.once('drain', more)
        }
        more()
      })
      const busy = await add({ types: [NOTE] })
      receiver.responses.set(busy.path, (response) =>
        response.writeHead(429, { 'retry-after': '3600' }).end('\0busy'),
      )
      const good = await add({ types: [NOTE] })
      await create({ title: 'for all' })
      await receiver.until(good.path, 1)
      const firstAttempt = async ({ id }: { id: number }) => {
        await waitUntil(async () => ((await deliveriesOf(id))[0]?.attempts.length ?? 0) > 0)
        return (await deliveriesOf(id))[0]
      }
      const error = async (one: { id: number }) => (await firstAttempt(one))?.attempts[0]?.error ?? ''
      assert.match(await error(hanging), /No response within 1 s/)
      assert.match(await error(redirecting), /302; redirects are not followed/)
      assert.deepEqual(receiver.at('/redirected'), [])
      assert.match(await error(garbage), /Parse Error|socket hang up/)
      const read = await firstAttempt(endless)
      assert.equal(read?.status, 'succeeded')
      assert.equal(read?.attempts[0]?.response?.length, 1_024)
      const later = await firstAttempt(busy)
      assert.equal(later?.attempts[0]?.response, 'busy')
      assert.ok(Date.parse(String(later?.nextAttemptAt)) > Date.now() + 3_500_000)
      for (const one of [hanging, redirecting, garbage, endless, busy, good]) await remove(one.id)
    })

    it('that responds with 410 is sent nothing more, and the team gets a notice', async () => {
      const { path, id } = await add({ types: [NOTE] })
      receiver.responses.set(path, (response) => response.writeHead(410).end())
      await create({ title: 'gone' })
      await waitUntil(async () => (await webhookOf(id)).enabled === false)
      assert.match(String((await webhookOf(id)).disabledReason), /410/)
      await running.logged(/A webhook was turned off/)
      const notices = await running.adminRequest('GET', '/notices')
      assert.match(notices.text, /The webhook webhook \d+ was turned off .*410/)
      await create({ title: 'not sent' })
      // Turned on again, it gets what was waiting, and what comes from now on.
      receiver.responses.delete(path)
      const on = await running.adminRequest('PUT', `/webhooks/${id}`, { data: { enabled: true } })
      assert.equal(on.at('data', 'disabledReason'), null)
      await create({ title: 'sent again' })
      await makeDue(id)
      const titles = (await receiver.until(path, 3)).map(({ text }) =>
        jsonAt(text)('data', 'document', 'title'),
      )
      assert.deepEqual(new Set(titles), new Set(['gone', 'sent again']))
      await remove(id)
    })

    it('that fails at every attempt is turned off in the end', async () => {
      const { path, id } = await add({ types: [NOTE] })
      receiver.responses.set(path, (response) => response.writeHead(500).end())
      await create({ title: 'never delivered' })
      await waitUntil(async () => {
        await makeDue(id)
        return (await webhookOf(id)).enabled === false
      })
      const [delivery] = await deliveriesOf(id)
      assert.equal(delivery?.status, 'failed')
      assert.equal(delivery?.attempts.length, 10)
      assert.equal(receiver.at(path).length, 10)
      assert.match(String((await webhookOf(id)).disabledReason), /All attempts have failed/)
      const refused = await running.adminRequest('POST', `/webhooks/deliveries/${delivery?.id}/retry`)
      assert.equal(refused.status, 400)
      await remove(id)
    })
  })

  describe('an admin', () => {
    it('can send deliveries again, one or all that failed since a time', async () => {
      const { path, id } = await add({ types: [NOTE] })
      receiver.responses.set(path, (response) => response.writeHead(500).end())
      const since = new Date().toISOString()
      await create({ title: 'one' })
      await create({ title: 'two' })
      await waitUntil(async () => {
        const listed = await deliveriesOf(id)
        return listed.length === 2 && listed.every(({ attempts }) => attempts.length > 0)
      })
      // A failed test is not among them.
      const test = await running.adminRequest('POST', `/webhooks/${id}/test`)
      assert.equal(test.at('data', 'status'), 'failed')
      receiver.responses.delete(path)
      const all = await running.adminRequest('POST', `/webhooks/${id}/retry`, { data: { since } })
      assert.deepEqual([all.status, all.at('data', 'retried')], [200, 2])
      await waitUntil(async () => (await deliveriesOf(id, '?status=succeeded')).length === 2)
      const [last] = await deliveriesOf(id, '?status=succeeded')
      const before = receiver.at(path).length
      const one = await running.adminRequest('POST', `/webhooks/deliveries/${last?.id}/retry`)
      assert.equal(one.at('data', 'status'), 'waiting')
      const again = (await receiver.until(path, before + 1)).at(-1)
      assert.equal(again?.headers['webhook-id'], last?.messageId)
      const shown = await running.adminRequest('GET', `/webhooks/deliveries/${last?.id}`)
      assert.equal(shown.at('data', 'body'), again?.text)
      const invalid = await running.adminRequest('POST', `/webhooks/${id}/retry`, { data: { since: 'noon' } })
      assert.equal(invalid.status, 400)
      await remove(id)
    })

    it('can send a test, and replace the secret while the previous one still signs', async () => {
      const { path, id, secret } = await add({ enabled: false })
      const test = async () => {
        const response = await running.adminRequest('POST', `/webhooks/${id}/test`)
        assert.equal(response.status, 200, response.text)
        const delivery = receiver.at(path).at(-1)
        assert.ok(delivery)
        const signed = Object.fromEntries(
          Object.entries(delivery.headers).map(([name, value]) => [name, String(value)]),
        )
        return { response, verify: (one: string) => new Webhook(one).verify(delivery.text, signed) }
      }
      const first = await test()
      assert.equal(first.response.at('data', 'status'), 'succeeded')
      assert.equal(first.response.at('data', 'event'), 'webhook.test')
      first.verify(secret)
      const rotated = await running.adminRequest('POST', `/webhooks/${id}/rotate`)
      const next = String(rotated.at('data', 'secret'))
      assert.notEqual(next, secret)
      const second = await test()
      second.verify(secret)
      second.verify(next)
      receiver.responses.set(path, (response) => response.writeHead(503).end('later'))
      const failed = await running.adminRequest('POST', `/webhooks/${id}/test`)
      assert.equal(failed.at('data', 'status'), 'failed')
      assert.equal(failed.at('data', 'attempts', 0, 'status'), 503)
      await remove(id)
    })

    it('sees the secret once, and never in lists or logs', async () => {
      const { id, secret } = await add()
      const listed = await running.adminRequest('GET', '/webhooks')
      const shown = await running.adminRequest('GET', `/webhooks/${id}`)
      for (const { text } of [listed, shown]) assert.doesNotMatch(text, /whsec_|secret/)
      assert.ok(!running.log.some((line) => line.includes(secret)))
      await remove(id)
      assert.equal((await running.adminRequest('GET', `/webhooks/${id}`)).status, 404)
    })

    it('learns what is wrong with the settings of a webhook', async () => {
      const url = 'https://example.com/hook'
      for (const [data, named] of [
        [{ url }, 'name'],
        [{ name: 'x' }, 'url'],
        [{ name: 'x', url: 'ftp://example.com' }, 'url'],
        [{ name: 'x', url: 'https://user:pass@example.com' }, 'url'],
        [{ name: 'x', url, events: ['document.publsh'] }, 'document.publish'],
        [{ name: 'x', url, types: ['nots'] }, 'nots'],
        [{ name: 'x', url, filters: { title: 'a' } }, 'types'],
        [{ name: 'x', url, types: ['notes'], filters: { titel: 'a' } }, 'titel'],
        [{ name: 'x', url, headers: { 'x-a': 'one\r\nx-b: two' } }, 'headers.x-a'],
        [{ name: 'x', url, headers: { 'Webhook-Signature': 'v1,x' } }, 'Webhook-Signature'],
        [{ name: 'x', url, headers: { 'x a': 'y' } }, 'headers'],
        [{ name: 'x', url, enabled: 'yes' }, 'enabled'],
        [{ name: 'x', url, secrets: 'y' }, 'secrets'],
      ] as const) {
        const { status, text } = await running.adminRequest('POST', '/webhooks', { data })
        assert.equal(status, 400, text)
        assert.ok(text.includes(named), `${named} in ${text}`)
      }
      const { id } = await add({ name: 'taken' })
      const again = await running.adminRequest('POST', '/webhooks', { data: { name: 'taken', url } })
      assert.equal(again.status, 400)
      const list = await running.adminRequest('GET', `/webhooks/${id}/deliveries?status=lost`)
      assert.equal(list.status, 400)
      await remove(id)
      for (const path of ['/webhooks', `/webhooks/${id}`, '/webhooks/deliveries/1'])
        assert.equal((await running.request('GET', `/admin/api${path}`)).status, 403)
    })

    it('can change a webhook, and what it does not mention stays', async () => {
      const { path, id } = await add({ events: ['document.publish'], headers: { 'x-a': 'b' } })
      const response = await running.adminRequest('PUT', `/webhooks/${id}`, {
        data: { events: ['document.create'], types: ['notes'] },
      })
      assert.partialDeepStrictEqual(JSON.parse(response.text).data, {
        ...{ events: ['document.create'], types: [NOTE], headers: { 'x-a': 'b' }, enabled: true },
        url: receiver.url + path,
      })
      const recorded = await running.adminRequest(
        'GET',
        '/audit?action=webhook.update&pagination[pageSize]=1',
      )
      assert.deepEqual(recorded.at('data', 0, 'fields'), ['events', 'types'])
      assert.equal(recorded.at('data', 0, 'details', 'id'), id)
      const documentId = await create({ title: 'changed' })
      await change(documentId, { title: 'twice' })
      await create({ title: 'page' }, '/api/pages')
      await create({ title: 'end' })
      await receiver.until(path, 2)
      assert.deepEqual(events(receiver.at(path)), ['document.create', 'document.create'])
      await remove(id)
    })
  })

  it('an address that is not public is refused when it is connected to', async () => {
    const other = await openProject(projectFolder(FILES), await engine.freshUrl())
    try {
      for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', 'localhost']) {
        const url = receiver.url.replace('127.0.0.1', host)
        const made = await other.adminRequest('POST', '/webhooks', { data: { name: host, url } })
        assert.equal(made.status, 201, made.text)
        const tested = await other.adminRequest('POST', `/webhooks/${made.at('data', 'id')}/test`)
        assert.equal(tested.at('data', 'status'), 'failed')
        assert.match(String(tested.at('data', 'attempts', 0, 'error')), /no public address/)
      }
      assert.deepEqual(receiver.at('/'), [])
    } finally {
      await other.remove()
    }
  })

  it('the documents of drafts and published versions are sent as they were', async () => {
    const { path, id } = await add({ types: [PAGE] })
    await create({ title: 'draft' }, '/api/pages?status=draft')
    const [delivery] = await receiver.until(path, 1)
    assert.partialDeepStrictEqual(delivery?.body.data, {
      event: 'document.create',
      document: { title: 'draft', publishedAt: null },
    })
    await remove(id)
  })
})

interface Delivery {
  readonly id: number
  readonly messageId: string
  readonly event: string
  readonly documentId: string
  readonly status: string
  readonly nextAttemptAt: string | null
  readonly attempts: readonly {
    readonly at: string
    readonly status: number | null
    readonly response: string | null
    readonly error: string | null
  }[]
}

/** Webhooks of several processes on one database, and of processes that are killed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limitBacklogs } from '../../src/events/webhooks/backlog.ts'
import { deleteOldDeliveries } from '../../src/events/webhooks/retention.ts'
import { createWebhooks } from '../../src/events/webhooks/webhooks.ts'
import { compile } from '../../src/store/compile.ts'
import { openStore } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import type { Store } from '../../src/store/store.ts'
import { launch } from '../support/command.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  TOKEN,
  typeFile,
} from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const FILES = {
  [typeFile('note')]: collection('note', { title: { type: 'string', unique: true } }),
  'config/webhooks.json': { allow: ['127.0.0.1'] },
}

const settings = (url: string) => ({
  ...{ name: 'all', url, events: null, types: null, filters: null, headers: {}, enabled: true },
})

onEachEngine((engine: TestEngine) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  const numbersAt = (path: string) => receiver.at(path).map(({ body }) => Number(body.data?.seq))
  const idsAt = (path: string) => receiver.at(path).map(({ body }) => String(body.data?.documentId))

  describe('several processes', () => {
    let url: string
    let folder: string
    const running: ProjectServer[] = []
    before(async () => {
      url = await engine.freshUrl()
      folder = projectFolder(FILES)
      for (let count = 0; count < 2; count++) running.push(await openProject(folder, url))
    })
    after(async () => {
      for (const server of running) await server.remove()
    })

    const count = async (store: Store, table: string) => {
      const [row] = await store.read(
        compile(store.dialect, sql`select count(*) as count from ${sql.table(table)}`),
      )
      return Number(row?.count)
    }

    it('deliver each event once, and those of a document in order', async () => {
      const [first, second] = running
      assert.ok(first && second)
      await createWebhooks(first.server.store, first.server.access.audit).create(
        settings(`${receiver.url}/once`),
      )
      const ids = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const server = index % 2 === 0 ? first : second
          const created = await server.request('POST', '/api/notes', { data: { title: `n ${index}` } })
          const id = String(created.at('data', 'documentId'))
          for (const server of [second, first])
            await server.request('PUT', `/api/notes/${id}`, {
              data: { title: `m ${index} ${Math.random()}` },
            })
          return id
        }),
      )
      await receiver.until('/once', 36)
      const waiting = () =>
        first.server.store.read(
          compile(engine.dialect, sql`select 1 as one from octavo_webhook_deliveries where ended_at is null`),
        )
      await waitUntil(async () => (await waiting()).length === 0)
      const numbers = numbersAt('/once')
      assert.equal(new Set(numbers).size, 36)
      assert.equal(numbers.length, 36)
      for (const id of ids) {
        const own = receiver.at('/once').filter(({ body }) => body.data?.documentId === id)
        const order = own.map(({ body }) => Number(body.data?.seq))
        assert.deepEqual(
          order,
          order.toSorted((one, other) => one - other),
        )
        assert.deepEqual(
          own.map(({ body }) => body.type),
          ['document.create', 'document.update', 'document.update'],
        )
      }
    })

    it('delete deliveries that are too old or too many, but none that waits', async () => {
      const store = running[0]?.server.store
      assert.ok(store)
      const before = await count(store, 'octavo_webhook_deliveries')
      assert.ok(before >= 36)
      await deleteOldDeliveries(store, { keepDays: 30, maxDeliveries: 10 }, Date.now())
      for (const table of ['octavo_webhook_deliveries', 'octavo_webhook_attempts', 'octavo_webhook_messages'])
        assert.equal(await count(store, table), 10, table)
      await store.write(async (transaction) =>
        transaction.run(
          compile(store.dialect, sql`update octavo_webhook_deliveries set ended_at = null, due_at = '9'`),
        ),
      )
      await deleteOldDeliveries(store, { keepDays: 30, maxDeliveries: 1 }, Date.now())
      assert.equal(await count(store, 'octavo_webhook_deliveries'), 10)
      const reasons: string[] = []
      await limitBacklogs(store, (_, reason) => void reasons.push(reason), 10)
      assert.equal(reasons.length, 0)
      await limitBacklogs(store, (_, reason) => void reasons.push(reason), 9)
      assert.match(reasons.join(), /More than 9 deliveries are waiting/)
      await deleteOldDeliveries(store, { keepDays: 30, maxDeliveries: 10 }, Date.now() + 31 * 86_400_000)
      assert.equal(await count(store, 'octavo_webhook_deliveries'), 0)
      assert.equal(await count(store, 'octavo_webhook_attempts'), 0)
    })
  })

  it('processes that are killed while content is written lose no delivery of it, and send none of what failed', async () => {
    const url = await engine.freshUrl()
    const folder = projectFolder(FILES)
    const path = '/killed'
    const acknowledged: string[] = []
    let refused = 0
    const first = await openProject(folder, url)
    await createWebhooks(first.server.store, first.server.access.audit).create(settings(receiver.url + path))
    await first.close()

    const post = async (base: string, title: string) => {
      const response = await fetch(`${base}/api/notes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ data: { title } }),
      })
      if (response.status === 201) acknowledged.push(JSON.parse(await response.text()).data.documentId)
      else refused++
    }
    for (let round = 0; round < 2; round++) {
      const server = launch(['start', '--project', folder, '--database', url, '--port', '0'])
      const base = await server.address()
      const target = acknowledged.length + 15
      const write = async (writer: number) => {
        // Every second title is taken, so that some writes are rolled back.
        for (let count = 0; ; count++) await post(base, `${round} ${writer} ${count >> 1}`)
      }
      const writers = [0, 1, 2].map((writer) => write(writer).catch(() => {}))
      await waitUntil(() => acknowledged.length >= target)
      await server.stop('SIGKILL')
      await Promise.all(writers)
    }
    assert.ok(refused > 0)

    // The jobs of processes that are gone are due when their leases end, which is not waited for.
    const store = await openStore(url)
    await store.write(async (transaction) =>
      transaction.run(
        compile(store.dialect, sql`update octavo_jobs set due_at = ${new Date().toISOString()}`),
      ),
    )
    await store.close()
    const last = await openProject(folder, url)
    await waitUntil(() => acknowledged.every((id) => idsAt(path).includes(id)))
    for (const id of new Set(idsAt(path)))
      assert.equal((await last.request('GET', `/api/notes/${id}`)).status, 200, id)
    await last.remove()
  })
})

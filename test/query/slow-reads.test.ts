/** On PostgreSQL, slow reads have a few of the connections, and nothing else waits for them. A lock makes reads slow. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { bothEngines } from '../support/engines.ts'
import { type HttpResponse, sendRequest } from '../support/http-request.ts'
import { collection, string, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

const CALLERS = ['one', 'two', 'three', 'four', 'five', 'six']
const tokenOf = (caller: string) => `token-of-caller-${caller}-0123456789012345`
const PROJECT = new Map<string, unknown>([
  [typeFile('page'), collection('page', { title: string })],
  [typeFile('locked'), collection('locked', { title: string, watched: string })],
  [
    'config/tokens.json',
    Object.fromEntries(CALLERS.map((name) => [name, { type: 'full-access', token: tokenOf(name) }])),
  ],
])
const READ_MS = 700
const PASSWORD = 'a long enough passphrase'
/** Of ten connections, slow reads have two and those of medium length three; one caller has half of each. */
const MOST = { allCallers: 2 + 3, oneCaller: 1 + 2 }

describe('on PostgreSQL', () => {
  const [, postgres] = bothEngines()
  let api: TestServer
  let observer: pg.Client
  let locker: pg.Client

  before(async () => {
    const url = await postgres.freshUrl()
    const connect = async () => {
      const client = new pg.Client({ connectionString: url })
      // The database is dropped first at the end.
      client.on('error', () => {})
      await client.connect()
      return client
    }
    observer = await connect()
    locker = await connect()
    api = await serve(PROJECT, url, {
      database: { poolSize: 10, slowReads: 2, waitSeconds: 1 },
      limits: { readMs: READ_MS },
      cache: { enabled: false },
    })
    for (const path of ['/api/pages', '/api/lockeds']) assert.equal((await write(path)).status, 201)
    const user = { username: 'ada', email: 'ada@example.com', password: PASSWORD }
    await sendRequest(api.server, 'POST', '/api/auth/local/register', {}, JSON.stringify(user))
    // Their statements are known to be fast.
    for (let round = 0; round < 2; round++) await plainRequests()
    // Until its statistics are there, the server asks for the size of the table, which would wait for the lock as well.
    await waitUntil(async () => (await rowEstimate('lockeds')) === 1)
  })
  after(async () => {
    await api.close()
    await Promise.all([observer.end(), locker.end()])
  })

  const authorization = (caller: string) => ({ authorization: `Bearer ${tokenOf(caller)}` })
  const write = (path: string) =>
    sendRequest(api.server, 'POST', path, authorization('one'), JSON.stringify({ data: { title: 'a' } }))
  const plainRequests = () =>
    Promise.all([
      sendRequest(api.server, 'GET', '/api/pages', authorization('one')),
      sendRequest(api.server, 'GET', '/healthz'),
      write('/api/pages'),
      sendRequest(
        api.server,
        'POST',
        '/api/auth/local',
        {},
        JSON.stringify({ identifier: 'ada', password: PASSWORD }),
      ),
    ])
  /**
   * The number of connections whose statement waits for the lock. `pg_locks` shows one instant; `pg_stat_activity` visits
   * one connection after the other, and so can count a statement that has ended with the one that followed it.
   */
  const lockedConnections = async () => {
    const { rows } = await observer.query(
      `SELECT count(*)::int AS number FROM pg_locks WHERE relation = 'lockeds'::regclass AND NOT granted`,
    )
    return Number(rows[0].number)
  }
  /** What the statistics of the table say; -1 if there are none. */
  const rowEstimate = async (table: string) => {
    const { rows } = await observer.query('SELECT reltuples FROM pg_class WHERE oid = $1::regclass', [table])
    return Number(rows[0].reltuples)
  }
  const whileLocked = async (work: () => Promise<void>) => {
    await locker.query('BEGIN; LOCK TABLE lockeds IN ACCESS EXCLUSIVE MODE')
    try {
      await work()
    } finally {
      await locker.query('ROLLBACK')
    }
  }
  /** Each is a statement of its own, which is not known to be fast. */
  const slowRead = (caller: string, number: number) =>
    sendRequest(
      api.server,
      'GET',
      `/api/lockeds?${Array.from({ length: number }, (_, index) => `filters[$or][${index}][id]=${index}`).join('&')}`,
      authorization(caller),
    )

  async function checkWhileSlow(slow: Promise<HttpResponse>[], mostConnections: number) {
    let isDone = false
    let most = 0
    let ended = 0
    for (const read of slow) void read.finally(() => ended++)
    const counting = (async () => {
      while (!isDone) {
        most = Math.max(most, await lockedConnections())
        await sleep(10)
      }
    })()
    await waitUntil(() => most > 0)
    const statuses = (await plainRequests()).map(({ status }) => status)
    assert.deepEqual(statuses, [200, 200, 201, 200])
    assert.ok(ended < slow.length, 'slow reads are still in progress')
    for (const { status, headers, text } of await Promise.all(slow)) {
      assert.equal(status, 503, text)
      assert.ok(headers['retry-after'])
      assert.match(text, /stopped after 700 ms|slow reads of this caller|reads are waiting/)
    }
    isDone = true
    await counting
    assert.ok(most <= mostConnections, `${most} connections had slow reads`)
    assert.equal(await lockedConnections(), 0)
  }

  it('other requests are served while one caller has many slow reads, which end on the server', async () => {
    await whileLocked(async () => {
      const slow = Array.from({ length: 12 }, (_, index) => slowRead('two', index + 1))
      await checkWhileSlow(slow, MOST.oneCaller)
    })
  })

  it('other requests are served while many callers have slow reads', async () => {
    await whileLocked(async () => {
      const slow = CALLERS.flatMap((caller, at) => [20, 30].map((first) => slowRead(caller, first + at)))
      await checkWhileSlow(slow, MOST.allCallers)
    })
  })

  it('a read that was fast is stopped and counts as slow when its statement is not fast any more', async () => {
    for (let round = 0; round < 3; round++) assert.equal((await slowRead('one', 40)).status, 200)
    await whileLocked(async () => {
      const slow = Array.from({ length: 10 }, () => slowRead('one', 40))
      const responses = await Promise.all(slow)
      for (const { status } of responses) assert.equal(status, 503)
      assert.ok(responses.some(({ text }) => /slow reads of this caller/.test(text)))
    })
    assert.equal((await slowRead('one', 40)).status, 200)
  })

  it('a slow read whose client has disconnected is not sent to the server', async () => {
    const path = '/api/lockeds?filters[watched]=a'
    const wasSent = async () => {
      const { rows } = await observer.query(
        `SELECT count(*)::int AS number FROM pg_stat_activity WHERE query LIKE '%a_watched%' AND pid <> pg_backend_pid()`,
      )
      return rows[0].number > 0
    }
    await whileLocked(async () => {
      const slow = Array.from({ length: 8 }, (_, index) => slowRead('three', 50 + index))
      await waitUntil(async () => (await lockedConnections()) > 1)
      const received: Promise<IncomingMessage[]> = once(api.server.app.server, 'request')
      const abort = new AbortController()
      const read = fetch(api.base + path, { headers: authorization('three'), signal: abort.signal })
      const [request] = await received
      abort.abort()
      await assert.rejects(read, /abort/)
      await waitUntil(() => request?.socket.destroyed === true)
      await Promise.all(slow)
    })
    assert.equal((await slowRead('three', 70)).status, 200)
    assert.equal(await wasSent(), false)
    assert.equal((await sendRequest(api.server, 'GET', path, authorization('three'))).status, 200)
    assert.equal(await wasSent(), true)
  })
})

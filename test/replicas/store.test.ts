import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import type { Statement } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { testServer } from '../support/engines.ts'
import { type CuttableProxy, openProxy } from '../support/proxy.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Cluster, type ServerProcess, startCluster } from './cluster.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })
const IS_REPLICA = 'SELECT pg_is_in_recovery()::int AS replica'

describe('a store with a replica', () => {
  let cluster: Cluster
  let store: Store
  const notices: string[] = []
  const opened: Store[] = []
  const routes: CuttableProxy[] = []

  const open = async (replicas: readonly string[], replicaMaxLag = 10_000) => {
    const made = await openStore(cluster.primary.url, {
      replicas,
      replicaMaxLag,
      notice: (message) => notices.push(message),
    })
    opened.push(made)
    return made
  }
  const write = (table: string, value: number, to = store) =>
    to.write(async (transaction) => {
      transaction.run(plain(`INSERT INTO ${table} VALUES ($1)`, value))
      transaction.touch(table)
    })
  /** The newest value of a table, and 1 if it was read from a replica. */
  const newest = async (table: string, from = store) => {
    const sql = `SELECT max(value) AS value, (${IS_REPLICA}) AS replica FROM ${table}`
    const [row] = await from.read(plain(sql), [table])
    return [row?.value, row?.replica]
  }
  const onReplica = async (from = store) => (await from.read(plain(IS_REPLICA), []))[0]?.replica === 1
  const pause = () => cluster.standby.query('SELECT pg_wal_replay_pause()')
  const resume = () => cluster.standby.query('SELECT pg_wal_replay_resume()')

  before(async () => {
    cluster = await startCluster()
    store = await open([cluster.standby.url])
    await store.write(async (transaction) => {
      for (const table of ['busy', 'quiet']) {
        transaction.run(plain(`CREATE TABLE ${table} (value int)`))
        transaction.touch(table)
      }
    })
    await write('busy', 0)
    await write('quiet', 0)
  })
  after(async () => {
    for (const route of routes) await route.close()
    for (const each of opened) await each.close()
    await cluster.close()
  })
  beforeEach(async () => {
    await cluster.caughtUp()
    await waitUntil(() => onReplica())
  })

  it('reads from the replica when the tables are named, otherwise from the primary', async () => {
    assert.deepEqual(await newest('busy'), [0, 1])
    assert.equal((await store.read(plain(IS_REPLICA)))[0]?.replica, 0)
    assert.deepEqual(await store.readFirstRow(plain(IS_REPLICA), []), [1])
  })

  it('distributes reads among all replicas that serve', async () => {
    const spread = await open([cluster.standby.url, cluster.standby.url])
    const reads = () => spread.metrics().replicas.map((replica) => replica.reads)
    await waitUntil(async () => {
      await onReplica(spread)
      return reads().every((count) => count > 0)
    })
    const [one = 0, other = 0] = reads()
    for (let round = 0; round < 10; round++) await Promise.all([onReplica(spread), onReplica(spread)])
    assert.deepEqual(reads(), [one + 10, other + 10])
  })

  it('always sees its own writes, whatever the replica has replayed', async () => {
    for (let value = 1; value <= 200; value++) {
      await write('busy', value)
      assert.equal((await newest('busy'))[0], value)
    }
  })

  it('reads from the primary only what the replica lacks', async () => {
    // Every table counts as changed once after another process has begun to listen.
    await waitUntil(async () => {
      await resume()
      await cluster.caughtUp()
      await pause()
      await write('busy', 1000)
      return (await newest('quiet'))[1] === 1
    })
    assert.deepEqual(await newest('busy'), [1000, 0])
    assert.deepEqual(await newest('quiet'), [0, 1])
    await resume()
    await waitUntil(async () => (await newest('busy'))[1] === 1)
  })

  it('reads from the primary what another process has written, once it is notified', async () => {
    const other = await open([cluster.standby.url])
    await waitUntil(() => onReplica(other))
    await pause()
    await write('busy', 1001, other)
    const position = other.positions?.latest() ?? ''
    await store.positions?.waitFor(position)
    assert.deepEqual(await newest('busy'), [1001, 0])
    await resume()
  })

  /** A proxy to a server of the cluster, and its url. */
  const routeTo = async (server: ServerProcess, delay = 0) => {
    const url = new URL(server.url)
    const route = await openProxy({ host: url.hostname, port: Number(url.port) }, delay)
    url.port = String(route.port)
    routes.push(route)
    return { route, url: url.href }
  }

  it('shows a write of another process after waiting for its position, even if the notification is late', async () => {
    const { url } = await routeTo(cluster.primary, 50)
    const far = await openStore(url, { replicas: [cluster.standby.url] })
    for (let value = 1002; value < 1010; value++) {
      const version = far.tableVersion('busy')
      await write('busy', value)
      assert.equal(far.tableVersion('busy'), version)
      await far.positions?.waitFor(store.positions?.latest() ?? '')
      assert.notEqual(far.tableVersion('busy'), version)
      assert.equal((await newest('busy', far))[0], value)
    }
    await far.close()
  })

  it('ignores a position that is invalid or in the future', async () => {
    for (const position of ['', 'x', '0/0', 'FFFFFF/0', 'FFFFFFFF/FFFFFFFF'])
      await store.positions?.waitFor(position)
    assert.ok(await onReplica())
  })

  it('cannot change anything by reading', async () => {
    for (const tables of [[], undefined])
      await assert.rejects(store.read(plain('INSERT INTO quiet VALUES (7)'), tables), { status: 503 })
    assert.equal((await newest('quiet'))[0], 0)
  })

  it('leaves out a replica that lags, and uses it again later', async () => {
    const strict = await open([cluster.standby.url], 1)
    await waitUntil(() => onReplica(strict))
    await pause()
    // Written without a notification to the store.
    await cluster.primary.query('CREATE TABLE elsewhere (value int)')
    // It may already be unused for another reason, such as a write that was announced.
    await waitUntil(() => /127\.0\.0\.1:\d+ is left out: it lags/.test(notices.join('\n')))
    assert.equal(await onReplica(strict), false)
    await resume()
    await waitUntil(() => onReplica(strict))
  })

  it('leaves out a server that is not a replica of the database', async () => {
    const mistaken = await open([cluster.primary.url, testServer()])
    const refusals = () => notices.filter((message) => /it is not a replica/.test(message))
    await waitUntil(() => refusals().length === 2)
    assert.equal(await onReplica(mistaken), false)
    await write('quiet', 0, mistaken)
    assert.equal((await newest('quiet', mistaken))[0], 0)
  })

  it('goes on without an unreachable replica, and uses it again later', async () => {
    await cluster.standby.crash()
    assert.deepEqual(await newest('busy'), [1009, 0])
    await write('busy', 2000)
    assert.deepEqual(await newest('busy'), [2000, 0])
    await cluster.standby.start()
    await waitUntil(async () => (await newest('busy'))[1] === 1)
  })

  it('starts without its replica', async () => {
    await cluster.standby.stop()
    const early = await open([cluster.standby.url])
    assert.equal(await onReplica(early), false)
    await cluster.standby.start()
    await waitUntil(() => onReplica(early))
  })

  it('reads every known write from the replica while the primary is unreachable, and refuses writes', async () => {
    await write('busy', 3000)
    await cluster.caughtUp()
    await cluster.primary.crash()
    await assert.rejects(write('busy', 3001), { status: 503 })
    await waitUntil(() =>
      newest('busy').then(
        () => true,
        () => false,
      ),
    )
    assert.deepEqual(await newest('busy'), [3000, 1])
    assert.equal((await store.read(plain(IS_REPLICA)))[0]?.replica, 1)
    await assert.rejects(async () => store.positions?.waitFor('FFFF/0'), { status: 503 })
    const version = store.tableVersion('busy')
    assert.notEqual(store.tableVersion('busy'), version)
    await cluster.primary.start()
    await waitUntil(
      () =>
        write('busy', 3002).then(
          () => true,
          () => false,
        ),
      20_000,
    )
    assert.equal((await newest('busy'))[0], 3002)
    await waitUntil(async () => (await newest('busy'))[1] === 1)
  })

  it('does not wait for servers that have disappeared without closing their connections', {
    timeout: 60_000,
  }, async () => {
    const [primary, standby] = [await routeTo(cluster.primary), await routeTo(cluster.standby)]
    const far = await openStore(primary.url, { replicas: [standby.url] })
    opened.push(far)
    await waitUntil(() => onReplica(far))
    standby.route.stall()
    assert.equal((await newest('busy', far))[1], 0)
    await standby.route.restore()
    await waitUntil(() => onReplica(far))
    primary.route.stall()
    const refused = assert.rejects(write('busy', 3003, far), { status: 503 })
    assert.equal((await far.read(plain(IS_REPLICA)))[0]?.replica, 1)
    await refused
    await primary.route.restore()
    const primaryAnswers = () =>
      far.read(plain(IS_REPLICA)).then(
        ([row]) => row?.replica === 0,
        () => false,
      )
    await waitUntil(primaryAnswers)
  })

  it('needs only the rights of an ordinary user', async () => {
    await cluster.primary.query(`CREATE ROLE plain LOGIN PASSWORD 'octavo'`)
    await cluster.primary.query('GRANT CREATE ON SCHEMA public TO plain')
    await cluster.caughtUp()
    const [primary = '', standby = ''] = [cluster.primary, cluster.standby].map(({ url }) =>
      url.replace('octavo:octavo', 'plain:octavo'),
    )
    const modest = await openStore(primary, { replicas: [standby] })
    opened.push(modest)
    await waitUntil(() => onReplica(modest))
    await modest.write(async (transaction) => {
      transaction.run(plain('CREATE TABLE modest (value int)'))
      transaction.touch('modest')
    })
    assert.equal((await newest('modest', modest))[0], null)
  })

  it('leaves out a replica that has become a primary', async () => {
    await cluster.standby.query('SELECT pg_promote()')
    await waitUntil(async () => !(await onReplica()))
    await write('busy', 4000)
    assert.deepEqual(await newest('busy'), [4000, 0])
  })
})

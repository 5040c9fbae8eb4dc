/** Commits that wait for a synchronous standby which does not exist. */
import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import pg from 'pg'
import { UnknownOutcome } from '../../src/store/errors.ts'
import { openStore } from '../../src/store/open.ts'
import type { Statement } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { onServer } from '../support/engines.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { openProxy } from '../support/proxy.ts'
import { stopIntervals } from '../support/stop-intervals.ts'
import { waitUntil } from '../support/wait-until.ts'

const HEARTBEAT = 3_000
/** A position that no server reaches. */
const FUTURE = 'FFFF/0'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })
const insert = plain(`INSERT INTO things VALUES ('a')`)
const count = async (store: Store) =>
  Number((await store.read(plain('SELECT count(*) AS count FROM things')))[0]?.count)

describe('while no standby confirms commits', () => {
  let server: OwnPostgres
  let admin: pg.Client
  before(async () => {
    stopIntervals()
    server = await startOwnPostgres({
      settings: ['fsync=off', 'shared_buffers=32MB', 'synchronous_standby_names=nobody'],
      flags: ['--no-sync', '--set=scram_iterations=1'],
    })
    admin = new pg.Client({
      connectionString: server.url('postgres'),
      options: '-c synchronous_commit=local',
    })
    await admin.connect()
  })
  after(async () => {
    await admin?.end()
    await server?.stop()
  })

  /** The url of a new database with the table `things`. */
  async function createDatabase(name: string, settings = '') {
    await admin.query(`CREATE DATABASE ${name}`)
    await onServer(server.url(name), async (client) => {
      await client.query('SET synchronous_commit = local')
      await client.query('CREATE TABLE things (name text)')
      // Otherwise the stores would analyze it, which is a commit too.
      await client.query('ANALYZE things')
      if (settings) await client.query(`ALTER DATABASE ${name} SET ${settings}`)
    })
    return server.url(name)
  }

  /** Ends the waiting of the commit in a database, as an administrator would: it becomes visible. */
  const endWaiting = (database: string) =>
    waitUntil(async () => {
      const { rows } = await admin.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE wait_event = 'SyncRep' AND query = 'COMMIT' AND datname = $1`,
        [database],
      )
      return rows.length > 0
    })
  const isWaiting = async (database: string) => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT' AND datname = $1`
    return (await admin.query(waiting, [database])).rows.length > 0
  }

  it('a write whose waiting is cancelled is not acknowledged, also if the database hides warnings by default', async () => {
    const store = await openStore(await createDatabase('quiet', `client_min_messages = 'error'`))
    try {
      const write = store.write(async (transaction) => transaction.run(insert))
      const [outcome] = await Promise.all([Promise.allSettled([write]), endWaiting('quiet')])
      const [written] = outcome
      assert.ok(written?.status === 'rejected', 'acknowledged')
      assert.match(String(written.reason), /no standby has confirmed it/)
      assert.equal(await count(store), 1)
    } finally {
      await store.close()
    }
  })

  it('a write that was refused with an unknown outcome changes the versions when it becomes visible', async () => {
    const url = new URL(await createDatabase('late'))
    const other = await openStore(url.href)
    const proxy = await openProxy({ host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    const store = await openStore(url.href)
    /** The versions that both processes know after one more heartbeat. */
    const beat = async () => {
      mock.timers.tick(HEARTBEAT)
      // Twice, so that what the heartbeat announces is received.
      for (const each of [store, store, other, other]) await each.positions?.waitFor(FUTURE)
      return [store, other].map((each) => each.tableVersion('things'))
    }
    /** A process that does not listen gives out a new version each time. */
    const isListening = () => {
      const version = store.tableVersion('things')
      return store.tableVersion('things') === version
    }
    try {
      const write = store.write(async (transaction) => {
        transaction.run(insert)
        transaction.touch('things')
      })
      const refused = Promise.allSettled([write])
      await waitUntil(() => isWaiting('late'))
      // Breaks the connections, and accepts new ones.
      await proxy.restore()
      const [outcome] = await refused
      assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof UnknownOutcome)
      await waitUntil(isListening)
      for (let time = 0; time < 4; time++) await beat()
      const before = await beat()
      assert.deepEqual([await count(store), await count(other)], [0, 0])
      await endWaiting('late')
      await waitUntil(async () => (await count(other)) === 1)
      const after = await beat()
      for (const [index, version] of after.entries()) assert.notEqual(version, before[index])
    } finally {
      await Promise.all([store.close(), other.close()])
      await proxy.close()
    }
  })
})

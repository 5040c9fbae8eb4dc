import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { onEachEngine, testServer } from '../../../test/support/engines.ts'
import { type CuttableProxy, openProxy } from '../../../test/support/proxy.ts'
import { StartError } from '../errors.ts'
import { openStore, type StoreOptions } from '../open.ts'
import type { Statement } from '../statement.ts'
import type { Store } from '../store.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

onEachEngine((engine) => {
  if (engine.name !== 'postgres') return

  /** Retries until it succeeds; any failure other than 503 is an error. */
  const recovered = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        assert.equal(Reflect.get(Object(error), 'status'), 503, String(error))
        await pause(20)
      }
    }
  }

  describe('when the server no longer lets us connect', () => {
    let store: Store
    let role: string
    let database: string

    /** Runs a statement as the superuser, outside the database. */
    async function change(statement: string) {
      const client = new pg.Client({ connectionString: testServer() })
      await client.connect()
      try {
        await client.query(statement)
        await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
      } finally {
        await client.end()
      }
    }

    beforeEach(async () => {
      const url = new URL(await engine.freshUrl())
      database = url.pathname.slice(1)
      role = `login_${database}`
      await change(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'first'`)
      url.username = role
      url.password = 'first'
      store = await openStore(url.href)
    })
    afterEach(async () => {
      await store.close()
      await change(`DROP ROLE ${role}`)
    })

    const noLogin = () => `ALTER ROLE ${role} NOLOGIN`
    const login = () => `ALTER ROLE ${role} LOGIN`
    const cases: Readonly<Record<string, readonly [refuse: () => readonly string[], admit: () => string]>> = {
      'the password has changed': [
        () => [`ALTER ROLE ${role} PASSWORD 'second'`],
        () => `ALTER ROLE ${role} PASSWORD 'first'`,
      ],
      'the user may not sign in': [() => [noLogin()], login],
      'the database accepts no connections': [
        () => [`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`],
        () => `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`,
      ],
      'the database has another name': [
        // Nobody may be connected meanwhile.
        () => [noLogin(), `ALTER DATABASE ${database} RENAME TO ${database}_`, login()],
        () => `ALTER DATABASE ${database}_ RENAME TO ${database}`,
      ],
    }

    for (const [what, [refuse, admit]] of Object.entries(cases))
      test(`because ${what}, requests are refused as unavailable, and work again when it does`, async () => {
        const statement = plain('SELECT 1 AS one')
        const asks = [
          () => store.read(statement),
          () => store.write((transaction) => transaction.all(statement)),
        ]
        for (const ask of asks) await ask()
        for (const one of refuse()) await change(one)
        for (const ask of asks) {
          // The first request may only find out that its connection is gone.
          for (let message = ''; !message.includes('refuses connections'); )
            await assert.rejects(ask(), (error) => {
              assert.equal(Reflect.get(Object(error), 'status'), 503, String(error))
              message = String(error)
              return true
            })
        }
        await change(admit())
        for (const ask of asks) await recovered(ask)
      })
  })

  describe('when the server becomes unreachable', () => {
    let proxy: CuttableProxy
    let store: Store
    let direct: Store
    const add = (name: string, to = store) =>
      to.write(async (transaction) => {
        transaction.run(plain('INSERT INTO things (name) VALUES ($1)', name))
        transaction.touch('things')
      })
    const count = async () => (await store.read(plain('SELECT count(*) AS count FROM things')))[0]?.count
    beforeEach(async () => {
      const url = new URL(await engine.freshUrl())
      proxy = await openProxy({ host: url.hostname, port: Number(url.port) })
      direct = await openStore(url.href)
      url.port = String(proxy.port)
      store = await openStore(url.href)
      await store.write(async (t) => t.run(plain('CREATE TABLE things (name text PRIMARY KEY)')))
    })
    afterEach(async () => {
      await Promise.all([store.close(), direct.close()])
      await proxy.close()
    })

    test('reads and writes are refused as unavailable, and work again when it is back', async () => {
      await add('before')
      await proxy.cut()
      for (const ask of [() => add('meanwhile'), count])
        await assert.rejects(ask(), { status: 503, name: 'ServiceUnavailableError' })
      await proxy.restore()
      await recovered(() => add('after'))
      assert.equal(await recovered(count), 2)
    })

    test('a write in progress leaves no trace', async () => {
      const write = store.write(async (transaction) => {
        await transaction.all(plain(`INSERT INTO things (name) VALUES ('half') RETURNING name`))
        await proxy.cut()
        await transaction.all(plain('SELECT 1 AS one'))
      })
      await assert.rejects(write, { status: 503 })
      await proxy.restore()
      assert.equal(await recovered(count), 0)
    })

    test('every version read is a new one, and what others wrote meanwhile is noticed afterwards', async () => {
      const standsStill = () => {
        const version = store.tableVersion('things')
        return store.tableVersion('things') === version
      }
      const before = store.tableVersion('things')
      assert.ok(standsStill())
      await proxy.cut()
      while (standsStill()) await pause(10)
      await add('meanwhile', direct)
      await proxy.restore()
      while (!standsStill()) await pause(10)
      assert.notEqual(store.tableVersion('things'), before)
      assert.equal(await recovered(count), 1)
    })

    test('connections that the server ends are replaced', async () => {
      await Promise.all([add('a'), add('b'), count(), count()])
      await direct.read(
        plain(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      )
      assert.equal(await recovered(count), 2)
      await recovered(() => add('c'))
    })
  })

  describe('limits', () => {
    const opened: Store[] = []
    const open = async (options: StoreOptions) => {
      const store = await openStore(await engine.freshUrl(), options)
      opened.push(store)
      return store
    }
    after(async () => {
      for (const store of opened) await store.close()
    })

    test('a statement that takes too long is cancelled and refused as unavailable', async () => {
      const store = await open({ statementTimeout: 500 })
      await assert.rejects(store.read(plain('SELECT pg_sleep(30)')), { status: 503 })
      await assert.rejects(
        store.write(async (t) => t.run(plain('SELECT pg_sleep(30)'))),
        { status: 503 },
      )
      assert.equal((await store.read(plain('SELECT 1 AS one'))).length, 1)
    })

    test('a warning of the database does not fail a write', async () => {
      const store = await open({})
      await store.write(async (transaction) =>
        transaction.run(plain(`DO $$ BEGIN RAISE WARNING 'a trigger of the owner'; END $$`)),
      )
    })

    test('more requests than connections wait for each other', async () => {
      const store = await open({ poolSize: 2 })
      const rows = await Promise.all(
        Array.from({ length: 40 }, (_, index) => store.read(plain('SELECT $1::int AS value', index))),
      )
      assert.deepEqual(
        rows.map(([row]) => row?.value),
        [...rows.keys()],
      )
    })

    test('statements that are used often are prepared, however many others there are', async () => {
      const store = await open({ poolSize: 1 })
      const preparedLike = async (pattern: string) => {
        const [row] = await store.read(
          plain('SELECT count(*) AS count FROM pg_prepared_statements WHERE statement LIKE $1', pattern),
        )
        return Number(row?.count)
      }
      const rounds = async (name: string, often: string) => {
        for (let index = 0; index < 600; index++) {
          for (let times = 0; times < 2; times++) {
            const [row] = await store.read(plain(`SELECT $1::int + ${index} AS ${name}`, 1))
            assert.equal(row?.[name], index + 1)
          }
          if (index % 10 === 0) await store.read(plain(`SELECT $1::int AS ${often}`, 1))
        }
      }
      await rounds('early', 'first_often')
      assert.equal(await preparedLike('%first_often'), 1)
      await rounds('late', 'second_often')
      assert.equal(await preparedLike('%second_often'), 1)
      assert.equal(await preparedLike('%first_often'), 0)
      const all = await preparedLike('%')
      assert.ok(all > 400 && all <= 550, `${all} statements are prepared`)
    })

    test('statements that were prepared before a table changed are closed', async () => {
      const store = await open({ poolSize: 1 })
      const change = (sql: string) => store.write(async (t) => t.run(plain(sql)))
      for (let round = 0; round < 4; round++) {
        for (let index = 0; index < 100; index++)
          for (let times = 0; times < 2; times++) await store.read(plain(`SELECT ${index} AS value`))
        await change(`CREATE TABLE round_${round} (name text)`)
      }
      const [row] = await store.read(plain('SELECT count(*) AS count FROM pg_prepared_statements'))
      assert.ok(Number(row?.count) < 100, `${row?.count} statements are prepared`)
    })

    test('statements that were prepared before a table changed are prepared again', async () => {
      const store = await open({ poolSize: 1 })
      const change = (sql: string) => store.write(async (t) => t.run(plain(sql)))
      await change('CREATE TABLE things (name text)')
      await change(`INSERT INTO things VALUES ('a')`)
      const all = plain('SELECT * FROM things')
      const inWrite = () => store.write((t) => t.all(all))
      for (let times = 0; times < 4; times++) await store.read(all)
      await change('ALTER TABLE things ADD COLUMN size int')
      assert.deepEqual(await store.read(all), [{ name: 'a', size: null }])
      for (let times = 0; times < 4; times++) await inWrite()
      await change('ALTER TABLE things DROP COLUMN size')
      assert.deepEqual(await inWrite(), [{ name: 'a' }])
      for (let times = 0; times < 4; times++) await store.read(all)
      await change('ALTER TABLE things RENAME COLUMN name TO title')
      assert.deepEqual(await store.read(all), [{ title: 'a' }])
    })

    test('a server that accepts no more connections is a StartError at start', async () => {
      const url = new URL(await engine.freshUrl())
      const admin = new pg.Client({ connectionString: testServer() })
      await admin.connect()
      await admin.query(`CREATE ROLE crowded LOGIN PASSWORD 'octavo' CONNECTION LIMIT 0`)
      url.username = 'crowded'
      await assert.rejects(openStore(url.href), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, /accepts no more connections/)
        return true
      })
      await admin.query('DROP ROLE crowded')
      await admin.end()
    })
  })

  test('a server on this machine is reached through its Unix socket', async () => {
    const url = new URL(await engine.freshUrl())
    const direct = await openStore(url.href)
    const [setting] = await direct.read(plain('SHOW unix_socket_directories'))
    await direct.close()
    const query = new URLSearchParams({ host: String(setting?.unix_socket_directories), port: url.port })
    const store = await openStore(`postgres://${url.username}:${url.password}@${url.pathname}?${query}`)
    const [connection] = await store.read(plain('SELECT inet_server_addr() AS address'))
    assert.equal(connection?.address, null)
    await store.close()
  })

  describe('a server that cannot be used', () => {
    const refused = (change: (url: URL) => void, message: RegExp) => {
      const url = new URL(testServer())
      change(url)
      return assert.rejects(openStore(url.href), (error) => {
        assert.ok(error instanceof StartError, String(error))
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /secret|\n/)
        return true
      })
    }

    test('reports a refused connection in one line', () =>
      refused((url) => {
        url.port = '1'
        url.password = 'secret'
      }, /cannot be reached/))

    test('names the folder of a Unix socket that does not exist', () =>
      refused((url) => url.searchParams.set('host', '/nowhere'), /PostgreSQL at \/nowhere cannot be reached/))

    test('reports an unknown host in one line', () =>
      refused((url) => {
        url.hostname = 'nowhere.invalid'
      }, /nowhere\.invalid.*not known|cannot be reached/))

    test('reports a wrong password in one line, without the password', () =>
      refused((url) => {
        url.password = 'secret'
      }, /refused the user octavo/))

    test('reports a missing database in one line', () =>
      refused((url) => {
        url.pathname = '/missing'
      }, /no database missing/))
  })
})

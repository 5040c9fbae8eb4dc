/** Writes on connections that fail in ways in which a server in tests cannot be made to fail at a certain statement. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type pg from 'pg'
import { bothEngines } from '../../../test/support/engines.ts'
import { UnknownOutcome } from '../errors.ts'
import type { Statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { openConnections } from './connection/connections.ts'
import type { Session } from './connection/session.ts'
import { keepStatistics } from './maintenance/statistics.ts'
import { COMMIT } from './transaction.ts'
import { followVersions } from './versions/versions.ts'
import { createWrites } from './writes.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

describe('writes', () => {
  const [, postgres] = bothEngines()

  /** Writes to the table `things` of a new database, on one connection with a changed session. */
  async function open(t: TestContext, prepare: boolean, change: (session: Session) => Partial<Session>) {
    const connections = openConnections(await postgres.freshUrl(), {
      ...{ poolSize: 1, prepare, directUrl: null, schema: null },
      ...{ waitTimeout: 60_000, statementTimeout: Number.POSITIVE_INFINITY },
    })
    t.after(connections.end)
    const { pool, session } = connections.main
    const versions = await followVersions({
      config: connections.ownConfig,
      findPrimary: connections.findPrimary,
      pool,
      canListen: prepare,
      onUnreachable: () => {},
      siblings: null,
    })
    t.after(versions.close)
    const statistics = keepStatistics(
      async () => {},
      async () => [],
    )
    t.after(statistics.close)
    const { write } = createWrites({
      connections: { ...connections, main: { pool, session: { ...session, ...change(session) } } },
      versions,
      statistics,
      forgetStatements: () => {},
      longest: Number.POSITIVE_INFINITY,
    })
    const sendNow = async (sql: string) => (await pool.query<Record<string, unknown>>(sql)).rows
    await sendNow('BEGIN READ WRITE; CREATE TABLE things (name text); COMMIT')
    return {
      versions,
      write: (work: (transaction: Transaction) => Promise<unknown>) => write(work, false),
      names: async () => (await sendNow('SELECT name FROM things ORDER BY name')).map(({ name }) => name),
    }
  }

  const insert = (name: string) => plain('INSERT INTO things VALUES ($1)', name)

  for (const code of ['ECONNRESET', 'ETIMEDOUT'])
    it(`a write may be stored if its connection breaks at the commit with ${code}`, async (t) => {
      const { write, names, versions } = await open(t, true, (session) => ({
        async sendAll(client: pg.ClientBase, statements: readonly Statement[], timeout?: number) {
          const rows = await session.sendAll(client, statements, timeout)
          if (statements.at(-1)?.sql === COMMIT) throw Object.assign(new Error(`read ${code}`), { code })
          return rows
        },
      }))
      const before = versions.tableVersion('things')
      const written = write(async (transaction) => transaction.run(insert('a')))
      await assert.rejects(written, UnknownOutcome)
      assert.deepEqual(await names(), ['a'])
      assert.notEqual(versions.tableVersion('things'), before)
    })

  it('a write whose connection breaks before the commit is not stored', async (t) => {
    const { write, names } = await open(t, true, (session) => ({
      async sendAll(client: pg.ClientBase, statements: readonly Statement[], timeout?: number) {
        const rows = await session.sendAll(client, statements, timeout)
        if (statements.at(-1)?.sql === 'SELECT 1')
          throw Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' })
        return rows
      },
    }))
    const written = write(async (transaction) => {
      transaction.run(insert('a'))
      await transaction.all(plain('SELECT 1'))
    })
    await assert.rejects(written, { status: 503, message: 'Database unavailable' })
    assert.deepEqual(await names(), [])
  })

  const works: readonly (readonly [string, (transaction: Transaction) => Promise<unknown>])[] = [
    ['sent together', async ({ run }) => [insert('a'), insert('b')].map(run)],
    ['sent one after the other', ({ all }) => Promise.all([insert('a'), insert('b')].map(all))],
    [
      'sent after a failure',
      async ({ all }) => {
        await all(insert('a')).catch(() => {})
        await all(insert('b'))
      },
    ],
  ]
  for (const [name, work] of works)
    it(`behind a pooler, nothing of a write whose BEGIN has failed is stored: statements ${name}`, async (t) => {
      let hasFailed = false
      const { write, names } = await open(t, false, (session) => ({
        begin(client, begin) {
          if (hasFailed) return session.begin(client, begin)
          hasFailed = true
          return 'BEGIN nothing'
        },
      }))
      await assert.rejects(write(work), /syntax error at or near "nothing"/)
      assert.deepEqual(await names(), [])
      await write(async (transaction) => transaction.run(insert('c')))
      assert.deepEqual(await names(), ['c'])
    })
})

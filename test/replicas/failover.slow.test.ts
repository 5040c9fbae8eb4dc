import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runFailovers } from '../../failover/failover-run.ts'
import { startServerPair } from '../../failover/server-pair.ts'
import { openStore } from '../../src/store/open.ts'
import type { Statement } from '../../src/store/statement.ts'
import { waitUntil } from '../support/wait-until.ts'

const ROUNDS = 2

/** Ends the waiting of a commit that no standby confirms, as an administrator would. */
const CANCEL_WAITING = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND state = 'active' AND backend_start > now() - interval '1 hour'`

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

describe('a database URL with several servers', () => {
  it(`loses no acknowledged write when the primary fails under load, in ${ROUNDS} rounds`, async (t) => {
    const report = await runFailovers({ rounds: ROUNDS })
    t.diagnostic(JSON.stringify(report))
    assert.deepEqual(report.wrong, [])
    assert.equal(report.rounds, ROUNDS)
    assert.ok(report.refused > 0)
  })

  it('acknowledges no write that the synchronous standby has not confirmed', async () => {
    const pair = await startServerPair()
    // The standby is named first, and passed over.
    const { username, password, pathname, hosts } = partsOf(pair.url)
    const store = await openStore(
      `postgres://${username}:${password}@${hosts.toReversed().join()}${pathname}`,
      { statementTimeout: 500 },
    )
    const patient = await openStore(pair.url)
    const add = (value: number, to = store) =>
      to.write(async (transaction) => transaction.run(plain('INSERT INTO things VALUES ($1)', value)))
    try {
      await store.write(async (transaction) => transaction.run(plain('CREATE TABLE things (value int)')))
      await add(1)
      await pair.stopStandby()
      await assert.rejects(add(2), { status: 503 })
      const waiting = add(3, patient)
      let isAnswered = false
      const noteAnswer = () => {
        isAnswered = true
      }
      waiting.then(noteAnswer, noteAnswer)
      // Only PostgreSQL itself knows then that the commit is stored without the standby. The write before may wait there too.
      await waitUntil(async () => {
        await pair.query(CANCEL_WAITING)
        return isAnswered
      })
      await assert.rejects(waiting, { status: 503, message: /no standby has confirmed it/ })
    } finally {
      await patient.close()
      await store.close()
      await pair.close()
    }
  })

  it('refuses to start if none accepts writes, and names them without the password', async () => {
    const url = 'postgres://octavo:the-password@127.0.0.1:1,127.0.0.1:2/octavo'
    await assert.rejects(openStore(url), (error: Error) => {
      assert.equal(error.name, 'StartError')
      assert.match(
        error.message,
        /^No PostgreSQL server accepts writes \(127\.0\.0\.1:1: .+; 127\.0\.0\.1:2: .+\)$/,
      )
      assert.doesNotMatch(error.message, /the-password/)
      return true
    })
  })
})

function partsOf(url: string) {
  const [, username = '', password = '', hosts = '', pathname = ''] =
    /^postgres:\/\/(\w+):(\w+)@([^/]+)(\/\w+)$/.exec(url) ?? []
  return { username, password, pathname, hosts: hosts.split(',') }
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { recordStatements } from '../../../test/support/recorded-statements.ts'
import { serve, type TestServer } from '../../../test/support/server.ts'
import { defaults } from '../../project/config/defaults.ts'
import { createJwt } from '../credentials/jwt.ts'
import { createAccounts } from './accounts.ts'
import { createSessions } from './sessions.ts'

const SESSIONS = 3_000

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(new Map(), await engine.freshUrl())
  })
  after(() => running?.close())

  test('recently ended sessions are read by index', async () => {
    const { store, layout } = running.server
    const rows = Array.from({ length: SESSIONS }, (_, n) => `('s${n}', 'a', 'stamp', '2020', '2040')`)
    await store.write(async (transaction) =>
      transaction.run({
        sql: `insert into octavo_sessions (id, account, stamp, created_at, expires_at) values ${rows.join()}`,
        parameters: [],
      }),
    )
    if (engine.name === 'postgres')
      await store.write(async (transaction) => transaction.run({ sql: 'analyze', parameters: [] }))
    const recorded = recordStatements(store)
    const jwt = createJwt('a secret for a test, long enough for it')
    const sessions = createSessions(recorded.store, defaults.auth, jwt, createAccounts(store, layout))

    await sessions.end('s7')
    assert.deepEqual(await Promise.all(['s6', 's7'].map(sessions.isEnded)), [false, true])
    const plans = await Promise.all(recorded.statements.map((statement) => store.explain(statement)))
    assert.deepEqual(
      plans.map(({ indexes }) => indexes),
      [['octavo_sessions_revoked']],
    )
  })
})

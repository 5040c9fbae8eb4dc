import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/engines.ts'
import { serve } from '../../test/serving.ts'
import { defaults } from '../project/defaults.ts'
import type { Statement, Store } from '../store/store.ts'
import { createAccounts } from './accounts.ts'
import { createJwt } from './jwt.ts'
import { createSessions } from './sessions.ts'

const SESSIONS = 3_000

onEachEngine((engine) => {
  test('which sessions have ended lately is read by an index, however many there are', async () => {
    const { server, close } = await serve(new Map(), await engine.freshUrl())
    const { store, layout } = server
    const rows = Array.from({ length: SESSIONS }, (_, n) => `('s${n}', 'a', 'stamp', '2020', '2040')`)
    await store.write(async (transaction) =>
      transaction.run({
        sql: `insert into octavo_sessions (id, account, stamp, created_at, expires_at) values ${rows.join()}`,
        parameters: [],
      }),
    )
    if (engine.name === 'postgres')
      await store.write(async (transaction) => transaction.run({ sql: 'analyze', parameters: [] }))
    const asked: Statement[] = []
    const listening: Store = {
      ...store,
      read(statement, tables) {
        asked.push(statement)
        return store.read(statement, tables)
      },
    }
    const jwt = createJwt('a secret for a test, long enough for it')
    const sessions = createSessions(listening, defaults.auth, jwt, createAccounts(store, layout))

    await sessions.end('s7')
    assert.deepEqual(await Promise.all(['s6', 's7'].map(sessions.refuses)), [false, true])
    assert.equal(asked.length, 1)
    const plans = await Promise.all(asked.map((statement) => store.explain(statement)))
    assert.deepEqual(
      plans.map(({ indexes }) => indexes),
      [['octavo_sessions_revoked']],
    )
    await close()
  })
})

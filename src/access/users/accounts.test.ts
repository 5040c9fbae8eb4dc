import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { recordStatements } from '../../../test/support/recorded-statements.ts'
import { serve, type TestServer } from '../../../test/support/server.ts'
import type { Statement } from '../../store/statement.ts'
import { type Accounts, createAccounts } from './accounts.ts'

const USERS = 3_000

/** PostgreSQL can read names from the unique index too, because none of them is empty. */
const USERNAME = /a_username_(value|unique)/

onEachEngine((engine) => {
  let running: TestServer
  let asked: Statement[] = []
  let accounts: Accounts

  before(async () => {
    running = await serve(new Map(), await engine.freshUrl())
    const { store, layout } = running.server
    await store.write(async (transaction) => {
      const rows = Array.from({ length: USERS }, (_, n) => {
        const name = n % 100 === 0 ? `Name${n}@Example.org` : `name${n}`
        return `('d${n}', '', 1, '2020', '2020', '', '${name}', 'mail${n}@example.org')`
      })
      transaction.run({
        sql: `insert into octavo_users (document_id, locale, published, created_at, updated_at, served, a_username, a_email) values ${rows.join()}`,
        parameters: [],
      })
      transaction.touch('octavo_users')
    })
    if (engine.name === 'postgres')
      await store.write(async (transaction) => transaction.run({ sql: 'analyze', parameters: [] }))
    const recorded = recordStatements(store)
    asked = recorded.statements
    accounts = createAccounts(recorded.store, layout)
  })
  after(() => running?.close())

  const reads: readonly (readonly [
    what: string,
    read: () => Promise<unknown>,
    answer: unknown,
    indexes: readonly RegExp[],
  ])[] = [
    [
      'who signs in',
      async () => {
        const found = await Promise.all(['name7', 'Mail7@example.org', 'nobody'].map(accounts.byIdentifier))
        return found.map((account) => account?.documentId)
      },
      ['d7', 'd7', undefined],
      [/a_email_unique/, USERNAME],
    ],
    [
      'an address',
      async () => (await accounts.byEmail('MAIL8@example.org'))?.documentId,
      'd8',
      [/a_email_unique/],
    ],
    [
      'whether names are taken',
      () =>
        Promise.all(
          [
            { username: 'name7' },
            { username: 'mail7@example.org' },
            { email: 'mail7@example.org' },
            { email: 'name100@example.org' },
            { username: 'new', email: 'new@example.org' },
          ].map((names) => accounts.areTaken(names, null)),
        ),
      [true, true, true, true, false],
      [/a_email_unique/, USERNAME, /addresses/],
    ],
  ]

  for (const [what, read, answer, indexes] of reads)
    it(`reads ${what} by index, without a table scan`, async () => {
      asked.length = 0
      assert.deepEqual(await read(), answer)
      const plans = await Promise.all(asked.map((statement) => running.server.store.explain(statement)))
      const used = plans.flatMap((plan) => plan.indexes)
      for (const name of indexes) assert.match(used.join(), name)
      for (const { scans, indexes, outline } of plans) {
        assert.ok(!scans.includes('octavo_users'), outline.join('\n'))
        assert.ok(!indexes.includes('octavo_users_page'), outline.join('\n'))
      }
    })
})

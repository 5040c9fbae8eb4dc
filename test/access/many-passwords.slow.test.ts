/** Hashing a password takes a tenth of a second of a core. A caller who writes many of them delays no other. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { typeOf } from '../../src/model/model.ts'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import { columnOf } from '../../src/store/tables/layout.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request, signIn, signUp } from './client.ts'

const VAULT = 'api::vault.vault'

const PROJECT = new Map<string, unknown>([
  [
    'src/api/vault/content-types/vault/schema.json',
    {
      kind: 'collectionType',
      info: { singularName: 'vault', pluralName: 'vaults', displayName: 'vault' },
      attributes: {
        name: { type: 'string' },
        pin: { type: 'password' },
        keys: { type: 'component', component: 'shared.key', repeatable: true },
      },
    },
  ],
  [
    'src/components/shared/key.json',
    { info: { displayName: 'key' }, attributes: { pin: { type: 'password' } } },
  ],
  ['config/roles.json', { public: { [VAULT]: ['find', 'create'] } }],
])

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    // Tests of other things hash with less memory, which is faster.
    running = await serve(PROJECT, await engine.freshUrl(), {
      server: { trustedProxies: ['loopback'] },
      auth: { passwordMemory: 47_104 },
    })
  })
  after(() => running?.close())

  const write = (data: unknown, from: string) =>
    request(running.server, 'POST', '/api/vaults', { body: { data }, from })

  it('others sign in and write passwords while one address writes many', async () => {
    const { password } = await signUp(running.server, 'patient')
    const many = 20
    let written = 0
    const flood = Array.from({ length: many }, async (_, index) => {
      const { status } = await write({ pin: `secret ${index}` }, '198.51.100.1')
      written++
      return status
    })
    await setTimeout(50)
    const [signedIn, other] = await Promise.all([
      signIn(running.server, 'patient', password),
      write({ pin: 'of another user' }, '203.0.113.2'),
    ])
    assert.ok(written < many / 2, `${written} of ${many} were written before`)
    assert.deepEqual([signedIn.status, other.status], [200, 201])
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([201]))
  })

  it('others write while the passwords of a batch are hashed, each of which has a hash of its own', async () => {
    const operations = Array.from({ length: 12 }, (_, index) => ({
      id: `v${index}`,
      method: 'POST',
      path: '/api/vaults',
      body: {
        data: { name: index === 0 ? 'first' : { $ref: `v${index - 1}.name` }, pin: `secret ${index % 2}` },
      },
    }))
    let isDone = false
    const batch = request(running.server, 'POST', '/api/batch', { body: { operations } }).finally(() => {
      isDone = true
    })
    await setTimeout(100)
    assert.equal((await write({ name: 'meanwhile' }, '203.0.113.2')).status, 201)
    assert.equal(isDone, false)
    assert.equal((await batch).status, 200)

    const { store, layout } = running.server
    const { table } = typeOf(layout().model, VAULT)
    const [name, pin] = [sql.id(columnOf('name')), sql.id(columnOf('pin'))]
    const rows = await store.read(
      compile(store.dialect, sql`select ${pin} as pin from ${sql.table(table)} where ${name} = ${'first'}`),
    )
    assert.equal(rows.length, operations.length)
    assert.equal(new Set(rows.map((row) => row.pin)).size, operations.length)
    for (const row of rows) assert.match(String(row.pin), /^\$argon2id\$/)
  })

  it('a request that sets more than 100 passwords is refused before any is hashed', async () => {
    const start = performance.now()
    const keys = Array.from({ length: 101 }, () => ({ pin: 'secret' }))
    const body = await write({ keys }, '198.51.100.1')
    assert.equal(body.status, 400)
    assert.match(body.text, /A request can set at most 100 passwords/)
    const operations = [keys.slice(0, 60), keys.slice(60)].map((some) => ({
      method: 'POST',
      path: '/api/vaults',
      body: { data: { keys: some } },
    }))
    const batch = await request(running.server, 'POST', '/api/batch', { body: { operations } })
    assert.equal(batch.status, 400)
    assert.match(batch.text, /A request can set at most 100 passwords/)
    assert.ok(performance.now() - start < 3_000)
    const withoutValues = keys.map(() => ({ pin: null }))
    assert.equal((await write({ keys: withoutValues }, '198.51.100.1')).status, 201)
  })
})

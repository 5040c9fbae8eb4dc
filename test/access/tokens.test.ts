import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'
import { afterWrites, type Method, request } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

stopIntervals()

onEachEngine((engine) => {
  let url: string
  let running: TestServer
  before(async () => {
    url = await engine.freshUrl()
    running = await serve(PROJECT, url)
  })
  after(() => running?.close())

  const status = async (method: Method, path: string, as?: string, body?: unknown) =>
    (await request(running.server, method, path, { as, body })).status
  const note = { data: { title: 'A note' } }

  it('returns 403 to an anonymous caller without permission', async () => {
    assert.equal(await status('GET', '/api/vaults'), 403)
    assert.equal(await status('POST', '/api/notes', undefined, note), 403)
    assert.equal(await status('GET', '/api/users'), 403)
    assert.equal(await status('GET', '/api/topics'), 200)
  })

  it('returns 401 for an unknown bearer token even where the public may read', async () => {
    for (const token of ['nope', 'a.b.c', `${TOKENS.full}x`, TOKENS.full.slice(1), TOKENS.full.toUpperCase()])
      assert.equal(await status('GET', '/api/topics', token), 401, token)
  })

  it('ignores other schemes and malformed headers', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer ', TOKENS.full, 'Token x']) {
      const ok = await request(running.server, 'GET', '/api/topics', { headers: { authorization } })
      const refused = await request(running.server, 'GET', '/api/vaults', { headers: { authorization } })
      assert.deepEqual([ok.status, refused.status], [200, 403], authorization)
    }
  })

  it('never reads a credential from the query string', async () => {
    for (const name of ['access_token', 'token', 'authorization'])
      assert.equal(await status('GET', `/api/vaults?${name}=${TOKENS.full}`), 403, name)
  })

  it('a read-only token can read everything and write nothing', async () => {
    for (const path of ['/api/vaults', '/api/notes', '/api/users', '/api/users-permissions/roles'])
      assert.equal(await status('GET', path, TOKENS.readonly), 200, path)
    assert.equal(await status('GET', '/api/i18n/locales', TOKENS.readonly), 403)
    assert.equal(await status('POST', '/api/notes', TOKENS.readonly, note), 403)
    assert.equal(await status('PUT', '/api/notes/x', TOKENS.readonly, note), 403)
    assert.equal(await status('DELETE', '/api/notes/x', TOKENS.readonly), 403)
    assert.equal(await status('POST', '/api/users', TOKENS.readonly, {}), 403)
  })

  it('a custom token has exactly its permissions', async () => {
    assert.equal(await status('GET', '/api/notes', TOKENS.custom), 200)
    assert.equal(await status('GET', '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', TOKENS.custom), 403)
    assert.equal(await status('PUT', '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', TOKENS.custom, note), 404)
    assert.equal(await status('POST', '/api/notes', TOKENS.custom, note), 403)
    assert.equal(await status('GET', '/api/topics', TOKENS.custom), 403)
  })

  it('a full-access token can do everything except administration', async () => {
    assert.equal(await status('POST', '/api/notes', TOKENS.full, note), 201)
    assert.equal(await status('GET', '/api/vaults', TOKENS.full), 200)
    assert.equal(await status('GET', '/admin/api/tokens', TOKENS.full), 403)
  })

  it('rejects a revoked token immediately, in every process', async () => {
    const { server } = running
    const other = await serve(PROJECT, url)
    try {
      const { token, secret } = await server.access.tokens.create({
        name: 'short-lived',
        kind: 'full-access',
      })
      assert.equal(await status('GET', '/api/vaults', secret), 200)
      const created = await afterWrites(server)
      const before = await request(other.server, 'GET', '/api/vaults', { as: secret, headers: created })
      assert.equal(before.status, 200)
      assert.equal(await server.access.tokens.revoke(String(token.id)), true)
      assert.equal(await status('GET', '/api/vaults', secret), 401)
      const headers = await afterWrites(server)
      assert.equal((await request(other.server, 'GET', '/api/vaults', { as: secret, headers })).status, 401)
    } finally {
      await other.close()
    }
  })

  it('rejects a cached token as soon as it expires', async (t) => {
    const end = Date.now() + 3_600_000
    const { secret } = await running.server.access.tokens.create({
      name: 'brief',
      kind: 'read-only',
      expiresAt: new Date(end).toISOString(),
    })
    t.mock.timers.enable({ apis: ['Date'], now: end - 1 })
    assert.equal(await status('GET', '/api/vaults', secret), 200)
    t.mock.timers.setTime(end)
    assert.equal(await status('GET', '/api/vaults', secret), 401)
  })

  it('stores only the hash of a token', async () => {
    const { store, access } = running.server
    const { secret } = await access.tokens.create({ name: 'kept', kind: 'admin' })
    const rows = await store.read(compile(store.dialect, sql`select * from octavo_tokens`))
    const text = JSON.stringify(rows)
    for (const value of [secret, ...Object.values(TOKENS)]) assert.ok(!text.includes(value))
  })

  it('records when a token was last used', async () => {
    const { access } = running.server
    const { secret, token } = await access.tokens.create({ name: 'noted', kind: 'full-access' })
    const noted = async () => (await access.tokens.list()).find(({ id }) => id === token.id)?.lastUsedAt
    assert.equal(await noted(), null)
    await status('GET', '/api/vaults', secret)
    await access.tokens.saveLastUses()
    assert.ok(await noted())
    assert.equal(await status('GET', '/api/vaults', secret), 200)
  })

  it('keeps a later use of a token that another process has stored', async () => {
    const { store, access } = running.server
    const { secret, token } = await access.tokens.create({ name: 'shared', kind: 'full-access' })
    await status('GET', '/api/vaults', secret)
    const later = '2999-12-31T00:00:00.000Z'
    await store.write((transaction) =>
      transaction.all(
        compile(store.dialect, sql`update octavo_tokens set last_used_at = ${later} where id = ${token.id}`),
      ),
    )
    await access.tokens.saveLastUses()
    assert.equal((await access.tokens.list()).find(({ id }) => id === token.id)?.lastUsedAt, later)
  })

  it('reads no credential from the database on a warm request', async () => {
    const { store } = running.server
    for (const as of [undefined, TOKENS.full, TOKENS.readonly]) {
      const url = '/api/notes?pagination[withCount]=false'
      await request(running.server, 'GET', url, { as })
      const before = store.statements.reads
      await request(running.server, 'GET', url, { as })
      assert.ok(store.statements.reads - before <= 1)
    }
  })

  it('does not share cached responses between callers with different permissions', async () => {
    await status('POST', '/api/vaults', TOKENS.full, { data: { content: 'gold' } })
    const path = '/api/vaults?fields=content'
    const callers = [undefined, TOKENS.full, TOKENS.readonly, TOKENS.custom]
    for (let round = 0; round < 3; round += 1) {
      const responses = await Promise.all(callers.map((as) => request(running.server, 'GET', path, { as })))
      assert.deepEqual(
        responses.map((response) => [response.status, response.text.includes('gold')]),
        [
          [403, false],
          [200, true],
          [200, true],
          [403, false],
        ],
      )
    }
  })

  it('revokes a token that the configuration no longer has', async () => {
    const database = await engine.freshUrl()
    const first = await serve(PROJECT, database)
    assert.equal((await request(first.server, 'GET', '/api/vaults', { as: TOKENS.full })).status, 200)
    await first.close()
    const without = new Map(PROJECT)
    without.set('config/tokens.json', {})
    const second = await serve(without, database)
    assert.equal((await request(second.server, 'GET', '/api/vaults', { as: TOKENS.full })).status, 401)
    await second.close()
    const third = await serve(PROJECT, database)
    assert.equal((await request(third.server, 'GET', '/api/vaults', { as: TOKENS.full })).status, 200)
    await third.close()
  })
})

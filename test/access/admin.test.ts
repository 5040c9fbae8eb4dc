import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { giveRole, type Method, type RequestOptions, request, signUp } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const TOPIC = 'api::topic.topic'
const VAULT = 'api::vault.vault'

onEachEngine((engine) => {
  let url: string
  let running: TestServer
  let admin: string
  before(async () => {
    url = await engine.freshUrl()
    running = await serve(PROJECT, url)
    admin = (await running.server.access.tokens.create({ name: 'the admin', kind: 'admin' })).secret
  })
  after(() => running?.close())

  const send = (method: Method, path: string, options: RequestOptions = {}) =>
    request(running.server, method, `/admin/api${path}`, { as: admin, ...options })

  it('creates a token, shows it once, and rejects it after it is revoked', async () => {
    const data = { name: 'from outside', type: 'custom', permissions: { [VAULT]: ['find'] } }
    const made = await send('POST', '/tokens', { body: { data } })
    assert.equal(made.status, 201)
    const secret = String(made.at('data', 'token'))
    const read = () => request(running.server, 'GET', '/api/vaults', { as: secret })
    assert.equal((await read()).status, 200)
    const listed = await send('GET', '/tokens')
    assert.ok(listed.text.includes('from outside') && !listed.text.includes(secret))
    assert.ok(!/hash/i.test(listed.text))
    assert.equal((await send('DELETE', `/tokens/${made.at('data', 'id')}`)).status, 204)
    assert.equal((await read()).status, 401)
    assert.equal((await send('DELETE', '/tokens/999999')).status, 404)
  })

  it('replaces the secret of a token, which keeps its permissions', async () => {
    const data = { name: 'replaced', type: 'custom', permissions: { [VAULT]: ['find'] } }
    const made = await send('POST', '/tokens', { body: { data } })
    const path = `/tokens/${made.at('data', 'id')}/regenerate`
    const replaced = await send('POST', path, { body: { data: { expiresAt: '2999-01-01' } } })
    assert.equal(replaced.status, 200, replaced.text)
    assert.equal(replaced.at('data', 'expiresAt'), '2999-01-01T00:00:00.000Z')
    assert.deepEqual(replaced.at('data', 'permissions'), data.permissions)
    const read = async (secret: unknown, url = '/api/vaults') =>
      (await request(running.server, 'GET', url, { as: String(secret) })).status
    assert.equal(await read(made.at('data', 'token')), 401)
    assert.equal(await read(replaced.at('data', 'token')), 200)
    assert.equal(await read(replaced.at('data', 'token'), '/api/users'), 403)
    const again = await send('POST', path)
    assert.equal(again.at('data', 'expiresAt'), replaced.at('data', 'expiresAt'), again.text)
    assert.notEqual(again.at('data', 'token'), replaced.at('data', 'token'))
    assert.equal((await send('POST', path, { body: { data: { expiresAt: '2001-01-01' } } })).status, 400)
    assert.equal((await send('POST', path, { body: { data: { expires: null } } })).status, 400)
    const configured = (await running.server.access.tokens.list()).find(({ source }) => source === 'config')
    assert.equal((await send('POST', `/tokens/${configured?.id}/regenerate`)).status, 400)
    assert.equal(await read(again.at('data', 'token')), 200)
  })

  it('rejects invalid new tokens', async () => {
    const wrong = [
      undefined,
      { name: 'x', type: 'god' },
      { name: '', type: 'full-access' },
      { name: '12', type: 'full-access' },
      { name: 'x', type: 'custom' },
      { name: 'x', type: 'custom', permissions: [] },
      { name: 'x', type: 'custom', permissions: { vaults: ['find'] } },
      { name: 'x', type: 'custom', permissions: { [VAULT]: [{ action: 'find', fields: ['nothing'] }] } },
      { name: 'x', type: 'full-access', permissions: { [VAULT]: ['find'] } },
      { name: 'x', type: 'full-access', expiresAt: 'tomorrow' },
      { name: 'x', type: 'full-access', expiresAt: '2001-01-01' },
      { name: 'x', type: 'full-access', expiresAt: 'March 7, 2999' },
      { name: 'x', type: 'full-access', expiresAt: '+010240-01-31T00:00:00.000Z' },
      { name: 'x', type: 'full-access', expiresAt: '9999-12-31T23:59:59-01:00' },
      { name: 'full', type: 'full-access' },
    ]
    for (const data of wrong)
      assert.equal((await send('POST', '/tokens', { body: { data } })).status, 400, JSON.stringify(data))
  })

  it('rejects unknown keys', async () => {
    const cases: readonly (readonly ['POST' | 'PUT', string, object, key: string, meant: string | null])[] = [
      ['POST', '/tokens', { name: 'x', type: 'full-access', expires: '2999-01-01' }, 'expires', 'expiresAt'],
      ['POST', '/roles', { type: 'visitor', name: 'V', permissions: {} }, 'permissions', null],
      ['POST', '/roles', { type: 'visitor', name: 'V', descripton: '' }, 'descripton', 'description'],
      ['PUT', '/roles/public', { permissions: {}, users: 7 }, 'users', null],
    ]
    for (const [method, path, data, key, meant] of cases) {
      const response = await send(method, path, { body: { data } })
      const details = { key, path: null, source: 'body' }
      assert.deepEqual([response.status, response.at('error', 'details')], [400, details])
      assert.equal(response.text.includes('did you mean'), meant !== null, response.text)
      if (meant) assert.match(response.text, new RegExp(meant))
    }
    const described = { type: 'visitor', name: 'V', description: 5 }
    assert.equal((await send('POST', '/roles', { body: { data: described } })).status, 400)
    assert.equal((await send('GET', '/roles/visitor')).status, 404)
  })

  it('does not revoke a token of the configuration', async () => {
    assert.equal((await send('DELETE', '/tokens/full')).status, 400)
    assert.equal((await request(running.server, 'GET', '/api/vaults', { as: TOKENS.full })).status, 200)
  })

  it('grants and revokes public access to a content-type immediately', async () => {
    const read = async () => (await request(running.server, 'GET', '/api/vaults')).status
    assert.equal(await read(), 403)
    const put = (permissions: unknown) => send('PUT', '/roles/public', { body: { data: { permissions } } })
    const opened = await put({ [VAULT]: ['find'] })
    assert.deepEqual([opened.status, opened.at('meta', 'untilRestart')], [200, []])
    assert.equal(await read(), 200)
    assert.equal((await put({ [VAULT]: [] })).status, 200)
    assert.equal(await read(), 403)
  })

  it('removes the permissions of a content-type, so that those for all others apply', async () => {
    await send('POST', '/roles', { body: { data: { type: 'clerk', name: 'Clerk' } } })
    const put = (permissions: unknown) => send('PUT', '/roles/clerk', { body: { data: { permissions } } })
    await put({ '*': ['find'], [VAULT]: [] })
    const own = await put({ [TOPIC]: ['create'] })
    assert.deepEqual(own.at('data', 'permissions'), { '*': ['find'], [TOPIC]: ['create'], [VAULT]: [] })
    const removed = await put({ [TOPIC]: null, [VAULT]: null })
    assert.deepEqual(removed.at('data', 'permissions'), { '*': ['find'] }, removed.text)
    assert.equal((await put({ 'api::none.none': null })).status, 400)
    assert.equal((await put({ [TOPIC]: 'find' })).status, 400)
    assert.equal((await send('DELETE', '/roles/clerk')).status, 204)
  })

  it('keeps permissions changed at run time, except for content-types that the configuration names', async () => {
    const put = (role: string, permissions: unknown) =>
      send('PUT', `/roles/${role}`, { body: { data: { permissions } } })
    await put('public', { [VAULT]: ['find'] })
    const changed = await put('public', { [TOPIC]: ['find', 'create'] })
    assert.deepEqual(changed.at('meta', 'untilRestart'), [TOPIC])
    await send('POST', '/roles', { body: { data: { type: 'guest', name: 'Guest' } } })
    await put('guest', { [TOPIC]: ['delete'] })
    const body = { data: { name: 'T' } }
    assert.equal((await request(running.server, 'POST', '/api/topics', { body })).status, 201)
    await running.close()
    running = await serve(PROJECT, url)
    assert.equal((await request(running.server, 'GET', '/api/vaults')).status, 200)
    assert.equal((await request(running.server, 'POST', '/api/topics', { body })).status, 403)
    assert.equal((await request(running.server, 'GET', '/api/topics')).status, 200)
    assert.deepEqual((await send('GET', '/roles/guest')).at('data', 'permissions'), { [TOPIC]: ['delete'] })
    await put('public', { [VAULT]: [] })
  })

  it('rejects permissions for an unknown role or content-type', async () => {
    for (const permissions of [
      { 'api::ghost.ghost': ['find'] },
      { [TOPIC]: [{ action: 'find', fields: ['x'] }] },
    ]) {
      const response = await send('PUT', '/roles/public', { body: { data: { permissions } } })
      assert.equal(response.status, 400, JSON.stringify(permissions))
    }
    assert.equal((await send('PUT', '/roles/nobody', { body: { data: { permissions: {} } } })).status, 404)
    assert.equal((await send('PUT', '/roles/public', { body: {} })).status, 400)
  })

  it('creates and deletes roles, but not built-in ones', async () => {
    const made = await send('POST', '/roles', { body: { data: { type: 'curator', name: 'Curator' } } })
    assert.equal(made.status, 201)
    assert.equal(
      (await send('POST', '/roles', { body: { data: { type: 'curator', name: 'Again' } } })).status,
      400,
    )
    await send('PUT', '/roles/curator', { body: { data: { permissions: { [VAULT]: ['find'] } } } })
    const person = await signUp(running.server, 'editing')
    await giveRole(running.server, person, 'curator', TOKENS.full)
    const read = async () => (await request(running.server, 'GET', '/api/vaults', { as: person.jwt })).status
    assert.equal(await read(), 200)
    assert.equal((await send('DELETE', '/roles/curator')).status, 204)
    assert.equal(await read(), 403)
    assert.equal((await send('GET', '/roles/curator')).status, 404)
    for (const type of ['public', 'authenticated', 'editor', 'author'])
      assert.equal((await send('DELETE', `/roles/${type}`)).status, 400, type)
  })

  it('lists every role, also beyond maxLimit', async () => {
    const narrow = await serve(PROJECT, await engine.freshUrl(), {
      api: { rest: { maxLimit: 2, defaultLimit: 2 } },
    })
    try {
      const { secret: as } = await narrow.server.access.tokens.create({ name: 'narrow', kind: 'admin' })
      const at = (method: Method, path: string, body?: object) =>
        request(narrow.server, method, `/admin/api/roles${path}`, { as, ...(body && { body }) })
      for (const type of ['curator', 'reviewer']) {
        const made = await at('POST', '', { data: { type, name: `The ${type}` } })
        assert.equal(made.status, 201, made.text)
        assert.equal((await at('GET', `/${type}`)).status, 200)
      }
      const { data }: { data: { type: string }[] } = JSON.parse((await at('GET', '')).text)
      const types = data.map(({ type }) => type)
      assert.deepEqual(types.sort(), [...new Set(await narrow.server.access.roles.types())].sort())
    } finally {
      await narrow.close()
    }
  })

  it('deletes a role and its permissions in one transaction', async () => {
    const { store } = running.server
    await send('POST', '/roles', { body: { data: { type: 'passing', name: 'Passing' } } })
    await send('PUT', '/roles/passing', { body: { data: { permissions: { [VAULT]: ['find'] } } } })
    const before = store.metrics().writes
    assert.equal((await send('DELETE', '/roles/passing')).status, 204)
    assert.equal(store.metrics().writes - before, 1)
    await send('POST', '/roles', { body: { data: { type: 'passing', name: 'Passing' } } })
    assert.ok(!(await send('GET', '/roles/passing')).text.includes(VAULT))
  })

  it('describes the project without its secrets', async () => {
    const types = await send('GET', '/content-types')
    assert.ok(types.text.includes('api::note.note') && types.text.includes('plugin::users-permissions.user'))
    assert.deepEqual((await send('GET', '/locales')).at('data'), [
      { code: 'en', name: null, isDefault: true },
    ])
    const settings = await send('GET', '/settings')
    assert.equal(settings.at('data', 'api', 'rest', 'maxLimit'), 100)
    const about = await send('GET', '/about')
    assert.equal(about.at('data', 'node'), process.versions.node)
    assert.match(url, new RegExp(`^${about.at('data', 'database')}`))
    for (const value of [...Object.values(TOKENS), url])
      assert.ok(!settings.text.includes(value) && !about.text.includes(value))
    assert.equal(settings.at('data', 'auth', 'secret'), undefined)
  })
})

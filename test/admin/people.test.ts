/** What admins do with roles, end users, and the sessions of others. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { createAccount, join, type Method, PASSWORD, type Person, send, startTeamServer } from './team.ts'

const ARTICLE = 'api::article.article'

onEachEngine((engine) => {
  let running: TestServer
  let admin: Person
  before(async () => {
    running = await startTeamServer(engine)
    admin = await join(running, 'admin')
  })
  after(() => running?.close())

  const asAdmin = (method: Method, path: string, body?: unknown) =>
    send(running, method, path, admin.cookie, body)

  const article = (data: object, status = 'published') =>
    asAdmin('POST', `/content/articles?status=${status}`, { data })

  it('an admin sees the sessions of another person, and ends one of them', async () => {
    const editor = await join(running, 'editor')
    const sessions = await asAdmin('GET', `/team/${editor.id}/sessions`)
    assert.equal(sessions.status, 200)
    assert.ok(!sessions.text.includes('octavo_session') && !/hash|stamp/.test(sessions.text))
    const path = `/team/${editor.id}/sessions/${sessions.at('data', 0, 'id')}`
    const own = `/team/${admin.id}/sessions/${sessions.at('data', 0, 'id')}`
    assert.equal((await asAdmin('DELETE', own)).status, 404)
    assert.equal((await send(running, 'GET', '/me', editor.cookie)).status, 200)
    assert.equal((await asAdmin('DELETE', path)).status, 204)
    assert.equal((await send(running, 'GET', '/me', editor.cookie)).status, 401)
    assert.deepEqual((await asAdmin('GET', `/team/${editor.id}/sessions`)).at('data'), [])
  })

  it('roles say who may sign in with them, and where their permissions come from', async () => {
    const about = async (type: string) => {
      const role = await asAdmin('GET', `/roles/${type}`)
      return ['access', 'builtIn', 'configured'].map((key) => role.at('data', key))
    }
    assert.deepEqual(await about('admin'), ['admin', true, []])
    assert.deepEqual(await about('public'), [null, true, []])
    assert.deepEqual(await about('reviewer'), ['app', false, [ARTICLE, 'api::topic.topic']])
  })

  it('a role is renamed without losing its permissions', async () => {
    await asAdmin('POST', '/roles', { data: { type: 'guest', name: 'Guest' } })
    await asAdmin('PUT', '/roles/guest', { data: { permissions: { [ARTICLE]: ['find'] } } })
    const renamed = await asAdmin('PUT', '/roles/guest', { data: { name: 'Guests', description: 'Read' } })
    assert.equal(renamed.at('data', 'name'), 'Guests')
    assert.deepEqual(renamed.at('data', 'permissions'), { [ARTICLE]: ['find'] })
    for (const data of [{}, { name: '' }, { name: 'ab' }, { name: 7 }, { description: 7 }, { type: 'x' }])
      assert.equal((await asAdmin('PUT', '/roles/guest', { data })).status, 400, JSON.stringify(data))
  })

  it('a refused permission leaves the name of the role as it was', async () => {
    const data = { name: 'Half written', permissions: { [ARTICLE]: ['find', 'find'] } }
    assert.equal((await asAdmin('PUT', '/roles/reviewer', { data })).status, 400)
    assert.notEqual((await asAdmin('GET', '/roles/reviewer')).at('data', 'name'), 'Half written')
  })

  it('permissions are checked without being saved', async () => {
    const check = (permissions: unknown) => asAdmin('POST', '/permissions/check', { data: { permissions } })
    const rule = (filters: object) => ({ [ARTICLE]: [{ action: 'find', filters }] })
    assert.equal((await check(rule({ createdBy: { $eq: '$user.id' } }))).status, 204)
    const wrong = await check(rule({ titel: { $eq: 'x' } }))
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /titel/)
    for (const permissions of [undefined, [], rule({ title: { $eq: '$user.password' } }), { nothing: [] }])
      assert.equal((await check(permissions)).status, 400, JSON.stringify(permissions))
  })

  it('an admin reads content as a caller with a role does', async () => {
    await article({ title: 'Shown', code: 'a' })
    await article({ title: 'Draft only', code: 'b' }, 'draft')
    await asAdmin('POST', '/roles', { data: { type: 'visitor', name: 'Visitor' } })
    const read = (query = '') => asAdmin('GET', `/roles/visitor/content/articles${query}`)
    assert.equal((await read()).status, 403)
    const permit = (...list: readonly unknown[]) =>
      asAdmin('PUT', '/roles/visitor', { data: { permissions: { [ARTICLE]: list } } })
    await permit({ action: 'find', fields: ['title'] }, '-readDrafts')
    const titles = await read('?sort=title')
    assert.deepEqual(
      [titles.at('data', 0, 'title'), titles.at('data', 0, 'code'), titles.at('data', 1)],
      ['Shown', undefined, undefined],
    )
    assert.equal((await read('?status=draft')).status, 403)
    assert.equal((await read('?filters[code][$eq]=a')).status, 400)
    assert.ok(!titles.text.includes('__meta') && !titles.text.includes('notes'))
    assert.equal((await asAdmin('GET', '/roles/visitor/content/nothing')).status, 404)
    assert.equal((await asAdmin('GET', '/roles/nobody/content/articles')).status, 404)
  })

  it('restrictions on the user apply to the user that is chosen', async () => {
    const author = await join(running, 'author')
    const own = { data: { title: 'Of the author', code: 'c' } }
    await send(running, 'POST', '/content/articles', author.cookie, own)
    const filters = { createdBy: { $eq: '$user.id' } }
    const permissions = { [ARTICLE]: [{ action: 'find', filters }] }
    await asAdmin('PUT', '/roles/author', { data: { permissions } })
    const read = (query: string) => asAdmin('GET', `/roles/author/content/articles?status=draft${query}`)
    const found = await read(`&user=${author.id}`)
    assert.deepEqual([found.at('data', 0, 'title'), found.at('data', 1)], ['Of the author', undefined])
    assert.equal((await read('')).status, 403)
    for (const user of [String(admin.id), '0', 'author', '99999999999999999999'])
      assert.equal((await read(`&user=${user}`)).status, 400, user)
  })

  it('end users are created, found, changed, blocked and deleted', async () => {
    const data = { username: 'mira', email: 'mira@example.test', password: PASSWORD, role: 'authenticated' }
    const made = await asAdmin('POST', '/end-users', { data })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.at('data', 'confirmed'), made.at('data', 'role', 'type')], [true, 'authenticated'])
    assert.ok(!/password/i.test(made.text))
    await createAccount(running.server, 'authenticated', 'noor')
    const listed = await asAdmin('GET', '/end-users?_q=mira')
    assert.equal(listed.at('meta', 'pagination', 'total'), 1)
    const everyone = await asAdmin('GET', '/end-users?pagination[pageSize]=100')
    assert.ok(everyone.text.includes('noor') && !everyone.text.includes('admin@example.test'))
    const path = `/end-users/${made.at('data', 'id')}`
    const changed = await asAdmin('PUT', path, { data: { blocked: true, role: 'public' } })
    assert.deepEqual([changed.at('data', 'blocked'), changed.at('data', 'role', 'type')], [true, 'public'])
    assert.equal((await asAdmin('DELETE', path)).status, 204)
    assert.equal((await asAdmin('PUT', path, { data: {} })).status, 404)
  })

  it('what is wrong with an end user is named, and the team is out of reach here', async () => {
    const data = { username: 'iris', email: 'iris@example.test', password: PASSWORD, role: 'authenticated' }
    for (const [wrong, message] of [
      [{ ...data, role: 'authenticatd' }, /did you mean/i],
      [{ ...data, email: 'nothing' }, /email/],
      [{ ...data, password: 'password' }, /password/i],
      [{ ...data, provider: 'x' }, /provider/],
      [{ ...data, username: 'admin' }, /already taken/],
      [{ username: 'iris' }, /email is required/],
    ] as const) {
      const response = await asAdmin('POST', '/end-users', { data: wrong })
      assert.equal(response.status, 400, response.text)
      assert.match(response.text, message)
    }
    for (const id of [String(admin.id), '999999', 'x'])
      assert.equal((await asAdmin('DELETE', `/end-users/${id}`)).status, 404, id)
  })
})

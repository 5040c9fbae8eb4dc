/** How people join the team, get a new password, and are managed by admins. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sentMails } from '../access/client.ts'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { cookieOf, join, PASSWORD, type Person, send, signIn, startTeamServer } from './team.ts'

onEachEngine((engine) => {
  let running: TestServer
  let admin: Person
  let editor: Person

  before(async () => {
    running = await startTeamServer(engine)
    admin = await join(running, 'admin')
    editor = await join(running, 'editor')
  })
  after(() => running?.close())

  const invite = (data: object) => send(running, 'POST', '/invitations', admin.cookie, { data })
  const codeIn = (link: unknown) => new URL(String(link)).searchParams.get('code') ?? ''

  it('an invitation creates one account, with the role and the address it names', async () => {
    const response = await invite({ email: 'New@Example.test', role: 'author' })
    assert.equal(response.status, 201, response.text)
    assert.match(String(response.at('data', 'link')), /\/admin\/invitation\?code=invitation_[\w-]{43}$/)
    const code = codeIn(response.at('data', 'link'))
    const shown = await send(running, 'GET', `/invitation?code=${code}`, null)
    assert.deepEqual(shown.at('data'), {
      email: 'new@example.test',
      role: { type: 'author', name: 'Author' },
    })
    const accept = (username: string, password = PASSWORD) =>
      send(running, 'POST', '/invitation', null, { code, username, password })
    assert.equal((await accept('newcomer', 'short')).status, 400)
    assert.equal((await accept('editor')).status, 400)
    const answers = await Promise.all([accept('newcomer'), accept('intruder')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
    const joined = answers.find(({ status }) => status === 201)
    assert.ok(joined)
    const me = await send(running, 'GET', '/me', cookieOf(joined))
    assert.deepEqual(
      [me.at('data', 'user', 'email'), me.at('data', 'user', 'role', 'type')],
      ['new@example.test', 'author'],
    )
    assert.equal((await accept('third')).status, 400)
    assert.equal((await send(running, 'GET', `/invitation?code=${code}`, null)).status, 400)
  })

  it('invitations are for roles of the team only, can be revoked, and replace each other', async () => {
    for (const data of [
      { email: 'x@example.test', role: 'public' },
      { email: 'x@example.test', role: 'none' },
      { email: 'x', role: 'editor' },
      { email: 'editor@example.test', role: 'editor' },
      { role: 'editor' },
    ])
      assert.equal((await invite(data)).status, 400, JSON.stringify(data))
    const first = await invite({ email: 'y@example.test', role: 'editor' })
    const second = await invite({ email: 'y@example.test', role: 'author' })
    const list = (await send(running, 'GET', '/invitations', admin.cookie)).at('data')
    assert.ok(Array.isArray(list) && list.length === 1)
    assert.equal(list[0].invitedBy, 'admin')
    assert.ok(!JSON.stringify(list).includes('invitation_'))
    const shown = (link: unknown) => send(running, 'GET', `/invitation?code=${codeIn(link)}`, null)
    assert.equal((await shown(first.at('data', 'link'))).status, 400)
    const revoke = () => send(running, 'DELETE', `/invitations/${second.at('data', 'id')}`, admin.cookie)
    assert.equal((await revoke()).status, 204)
    assert.equal((await revoke()).status, 404)
    assert.equal((await shown(second.at('data', 'link'))).status, 400)
    assert.equal((await send(running, 'GET', '/invitations', editor.cookie)).status, 403)
  })

  it('a forgotten password is replaced with a link that is mailed to the team only', async () => {
    const forget = (email: string) => send(running, 'POST', '/forgot-password', null, { email })
    assert.deepEqual((await forget('editor@example.test')).at('ok'), true)
    assert.deepEqual((await forget('nobody@example.test')).at('ok'), true)
    const mails = await sentMails(running.server)
    assert.equal(mails.length, 1)
    const code = /reset-password\?code=(code_[\w-]+)/.exec(mails[0] ?? '')?.[1] ?? ''
    const reset = () => send(running, 'POST', '/reset-password', null, { code, password: 'another-Passw0rd' })
    assert.equal((await reset()).status, 204)
    assert.equal((await reset()).status, 400)
    assert.equal((await send(running, 'GET', '/me', editor.cookie)).status, 401)
    const response = await signIn(running, 'editor', { password: 'another-Passw0rd' })
    assert.equal(response.status, 200)
    editor = { ...editor, cookie: cookieOf(response) }
  })

  it('admins change roles and block people, but the last admin stays', async () => {
    const put = (id: number, data: object) => send(running, 'PUT', `/team/${id}`, admin.cookie, { data })
    const team = (await send(running, 'GET', '/team', admin.cookie)).at('data')
    assert.ok(Array.isArray(team) && team.length >= 3)
    assert.ok(
      team.every(({ password, passwordHash }) => password === undefined && passwordHash === undefined),
    )
    assert.equal((await put(editor.id, { role: 'author' })).at('data', 'role', 'type'), 'author')
    assert.equal(
      (await send(running, 'GET', '/me', editor.cookie)).at('data', 'user', 'role', 'type'),
      'author',
    )
    assert.equal((await put(editor.id, { role: 'public' })).status, 400)
    assert.equal((await put(editor.id, { blocked: true })).status, 200)
    assert.equal((await send(running, 'GET', '/me', editor.cookie)).status, 401)
    for (const data of [{ role: 'editor' }, { blocked: true }])
      assert.equal((await put(admin.id, data)).status, 400, JSON.stringify(data))
    assert.equal((await send(running, 'DELETE', `/team/${admin.id}`, admin.cookie)).status, 400)
    assert.equal((await put(999_999, { role: 'editor' })).status, 404)
    assert.equal((await send(running, 'DELETE', `/team/${editor.id}`, admin.cookie)).status, 204)
  })
})

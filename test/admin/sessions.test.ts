/** Sessions of the admin app: signing in and out, the cookie, other origins, revocation on every process. */
import assert from 'node:assert/strict'
import { after, before, it, mock } from 'node:test'
import { totpCode, totpStep } from '../../src/access/team/totp.ts'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { systemScope } from '../../src/query/scope.ts'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import type { TestServer } from '../support/server.ts'
import {
  cookieOf,
  createAccount,
  join,
  PASSWORD,
  type Person,
  send,
  signIn,
  startTeamServer,
} from './team.ts'

onEachEngine((engine) => {
  let running: TestServer
  let editor: Person

  before(async () => {
    running = await startTeamServer(engine, {
      auth: { secret: 'a secret that is long enough for sessions' },
      rateLimit: { signIn: { perIdentifier: 3, perAddress: 1000 } },
    })
  })
  after(() => running?.close())

  const isSignedIn = async (cookie: string | null) =>
    (await send(running, 'GET', '/me', cookie)).status === 200

  it('the first admin is created with the printed link only, and only once', async () => {
    const { setup } = running.server.access
    const token = await setup.createToken()
    assert.ok(token)
    const values = { username: 'first', email: 'first@example.test', password: PASSWORD }
    const attempt = (given: object) => send(running, 'POST', '/setup', null, { ...values, ...given })
    assert.equal((await send(running, 'GET', '/session', null)).at('meta', 'needsSetup'), true)
    assert.equal((await attempt({ token: 'code_guessed' })).status, 400)
    assert.equal((await attempt({ token, password: 'short' })).status, 400)
    const [one, other] = await Promise.all([
      attempt({ token }),
      attempt({ token, username: 'second', email: 'second@example.test' }),
    ])
    assert.deepEqual([one.status, other.status].sort(), [201, 400])
    const winner = one.status === 201 ? one : other
    assert.equal(winner.at('data', 'user', 'role', 'access'), 'admin')
    assert.ok(await isSignedIn(cookieOf(winner)))
    assert.equal((await attempt({ token, username: 'third', email: 'third@example.test' })).status, 400)
    assert.equal(await setup.createToken(), null)
    assert.equal((await send(running, 'GET', '/session', null)).at('meta', 'needsSetup'), false)
  })

  it('signing in sets a cookie that scripts and other sites cannot use', async () => {
    editor = await join(running, 'editor')
    const response = await signIn(running, 'editor')
    const [cookie = ''] = response.headers['set-cookie'] ?? []
    assert.match(
      cookie,
      /^octavo_session=octavo_session_[\w-]{43}; Path=\/admin; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.deepEqual(response.at('data', 'user', 'role'), { type: 'editor', name: 'Editor', access: 'app' })
    assert.ok(!response.text.includes(cookieOf(response).split('=')[1] ?? ''))
  })

  it('a session id that was planted before signing in is not used', async () => {
    const planted = `octavo_session=octavo_session_${'a'.repeat(43)}`
    const response = await send(running, 'POST', '/session', planted, {
      ...{ identifier: 'editor', password: PASSWORD },
    })
    assert.equal(response.status, 200)
    assert.notEqual(cookieOf(response), planted)
    assert.equal(await isSignedIn(planted), false)
    const again = await send(running, 'POST', '/session', cookieOf(response), {
      ...{ identifier: 'editor', password: PASSWORD },
    })
    assert.notEqual(cookieOf(again), cookieOf(response))
    assert.equal(await isSignedIn(cookieOf(response)), false)
  })

  it('a request from another origin is refused, and so is a change without an origin', async () => {
    const host = new URL(running.base).host
    for (const origin of [
      'https://evil.test',
      `http://evil.test/${host}`,
      `http://${host}.evil.test`,
      'null',
      '',
    ]) {
      for (const [method, path] of [
        ['POST', '/content/tags'],
        ['PUT', '/content/homepage'],
        ['DELETE', '/session'],
        ['POST', '/me/password'],
        ['GET', '/me'],
      ] as const) {
        const body = method === 'GET' ? undefined : { data: { name: 'x' } }
        const response = await send(running, method, path, editor.cookie, body, { origin })
        assert.equal(response.status, 403, `${origin} ${method} ${path}`)
      }
    }
    const { status } = await sendRequest(
      running.server,
      'POST',
      '/admin/api/content/tags',
      { cookie: editor.cookie },
      '{"data":{"name":"x"}}',
    )
    assert.equal(status, 403)
    assert.ok(await isSignedIn(editor.cookie))
    assert.equal((await signIn(running, 'editor')).status, 200)
  })

  it('the cookie is no credential outside the admin API', async () => {
    for (const path of ['/api/tags', '/api/users/me', '/api/upload/files'])
      assert.equal(
        (await sendRequest(running.server, 'GET', path, { cookie: editor.cookie })).status,
        (await sendRequest(running.server, 'GET', path)).status,
        path,
      )
  })

  it('the secret of a session is no credential in an Authorization header, where no origin would be checked', async () => {
    const secret = String(editor.cookie).replace(/^octavo_session=/, '')
    assert.match(secret, /^octavo_session_/)
    for (const path of [
      '/api/tags',
      '/api/users/me',
      '/api/batch',
      '/admin/api/me',
      '/admin/api/content/tags',
    ])
      for (const scheme of ['Bearer', 'bearer ', 'Cookie', 'cookie-'])
        assert.deepEqual(
          (await sendRequest(running.server, 'GET', path, { authorization: `${scheme} ${secret}` })).status,
          (await sendRequest(running.server, 'GET', path, { authorization: `${scheme} none` })).status,
          `${path} ${scheme}`,
        )
    assert.ok(await isSignedIn(editor.cookie))
  })

  it('wrong passwords, users without a role of the team and blocked ones do not get in, and attempts are limited', async () => {
    await createAccount(running.server, 'authenticated', 'reader')
    assert.equal((await signIn(running, 'reader')).status, 403)
    assert.equal((await signIn(running, 'nobody')).status, 400)
    const wrong = () => signIn(running, 'editor', { password: 'wrong' })
    assert.equal((await wrong()).status, 400)
    assert.equal((await wrong()).status, 400)
    assert.equal((await wrong()).status, 400)
    const limited = await wrong()
    assert.equal(limited.status, 429)
    assert.ok(limited.headers['retry-after'])
  })

  it('signing out, revoking and ending all others end sessions at once', async () => {
    const { cookie } = await join(running, 'author', 'leaver')
    const second = cookieOf(await signIn(running, 'leaver'))
    const third = cookieOf(await signIn(running, 'leaver'))
    const sessions = await send(running, 'GET', '/sessions', cookie)
    const list = sessions.at('data')
    assert.ok(Array.isArray(list) && list.length === 3)
    assert.equal(list.filter(({ current }) => current).length, 1)
    const other = list.find(({ current }) => !current)
    assert.equal((await send(running, 'DELETE', `/sessions/${other.id}`, editor.cookie)).status, 404)
    assert.equal((await send(running, 'DELETE', `/sessions/${other.id}`, cookie)).status, 204)
    assert.deepEqual([await isSignedIn(second), await isSignedIn(third)].sort(), [false, true])
    assert.equal((await send(running, 'DELETE', '/sessions', cookie)).status, 204)
    assert.deepEqual([await isSignedIn(second), await isSignedIn(third)], [false, false])
    const out = await send(running, 'DELETE', '/session', cookie)
    assert.equal(out.status, 204)
    assert.match(String(out.headers['set-cookie']), /octavo_session=; .*Max-Age=0/)
    assert.equal(await isSignedIn(cookie), false)
  })

  it('a new password, blocking, deletion and the loss of the role end every session', async () => {
    const { users, accounts, roles } = running.server.access
    const by = { scope: systemScope, isAdmin: true }
    const endings: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
      password: async ({ cookie }) => {
        const change = { currentPassword: PASSWORD, password: 'another-Passw0rd' }
        const changed = await send(running, 'POST', '/me/password', cookie, change)
        assert.equal(changed.status, 200)
        assert.ok(await isSignedIn(cookieOf(changed)))
      },
      blocking: async ({ documentId }) => {
        const account = await accounts.byDocumentId(documentId)
        assert.ok(account)
        await users.update(account, { blocked: true }, by, async () => null)
      },
      deletion: async ({ documentId }) => {
        const account = await accounts.byDocumentId(documentId)
        assert.ok(account)
        await users.remove(account, by)
      },
      role: async ({ documentId }) => {
        const account = await accounts.byDocumentId(documentId)
        assert.ok(account)
        await users.update(account, { role: await roles.documentIdOf('authenticated') }, by, async () => null)
      },
    }
    for (const [name, end] of Object.entries(endings)) {
      const person = await join(running, 'author', `ended-by-${name}`)
      assert.ok(await isSignedIn(person.cookie))
      await end(person)
      assert.equal(await isSignedIn(person.cookie), false, name)
    }
  })

  it('a session that ends in one process has ended in every other', async () => {
    const person = await join(running, 'author', 'traveller')
    const elsewhere: OctavoServer = await createServer({
      project: running.server.project,
      logLevel: 'silent',
    })
    try {
      await elsewhere.listen()
      const there = async (position: string | undefined) =>
        (
          await sendRequest(elsewhere, 'GET', '/admin/api/me', {
            cookie: person.cookie,
            ...(position && { 'octavo-position': position }),
          })
        ).status
      assert.equal(await there(undefined), 200)
      const ended = await send(running, 'DELETE', '/session', person.cookie)
      assert.equal(await there(ended.headers['octavo-position']?.toString()), 401)
    } finally {
      await elsewhere.close()
    }
  })

  it('a second factor is asked for once it is confirmed; each code works once, and so does a recovery code', async () => {
    const { cookie } = await join(running, 'author', 'careful')
    const begun = await send(running, 'POST', '/me/second-factor', cookie, { currentPassword: PASSWORD })
    const secret = String(begun.at('data', 'secret'))
    assert.match(
      String(begun.at('data', 'uri')),
      /^otpauth:\/\/totp\/Octavo:careful%40example.test\?secret=[A-Z2-7]{32}&/,
    )
    assert.equal((await signIn(running, 'careful')).status, 200)
    // Of this step and the next: these stay valid when a step ends between here and the server.
    const code = (offset: number) => totpCode(secret, totpStep(Date.now()) + offset)
    const confirm = (given: string) =>
      send(running, 'POST', '/me/second-factor/confirm', cookie, { code: given })
    assert.equal((await confirm('000000x')).status, 400)
    const confirmed = await confirm(code(0))
    assert.equal(confirmed.status, 200)
    const recoveryCodes = confirmed.at('data', 'recoveryCodes')
    assert.ok(Array.isArray(recoveryCodes) && recoveryCodes.length === 10)

    const without = await signIn(running, 'careful')
    assert.equal(without.status, 401)
    assert.equal(without.at('error', 'details', 'secondFactor'), 'required')
    assert.equal(without.headers['set-cookie'], undefined)
    const next = code(1)
    assert.equal((await signIn(running, 'careful', { code: next })).status, 200)
    const again = await signIn(running, 'careful', { code: next })
    assert.equal(again.at('error', 'details', 'secondFactor'), 'invalid')
    assert.equal((await signIn(running, 'careful', { code: recoveryCodes[0] })).status, 200)
    assert.equal((await signIn(running, 'careful', { code: recoveryCodes[0] })).status, 401)
    for (const guess of ['1', '2']) await signIn(running, 'careful', { code: guess })
    assert.equal((await signIn(running, 'careful', { code: recoveryCodes[1] })).status, 429)
  })

  it('a second factor cannot be bypassed with the password alone through the content API, or with older credentials', async () => {
    const { cookie } = await join(running, 'admin', 'guarded')
    const api = async (path: string, body: object) => {
      const response = await sendRequest(
        running.server,
        'POST',
        `/api/auth/${path}`,
        {},
        JSON.stringify(body),
      )
      return { ...response, at: jsonAt(response.text) }
    }
    const signInToApi = (more: object = {}) =>
      api('local', { identifier: 'guarded', password: PASSWORD, ...more })
    const statusWith = async (jwt: unknown) =>
      (await sendRequest(running.server, 'GET', '/admin/api/tokens', { authorization: `Bearer ${jwt}` }))
        .status
    const early = (await signInToApi()).at('jwt')
    assert.equal(await statusWith(early), 200)

    const begun = await send(running, 'POST', '/me/second-factor', cookie, { currentPassword: PASSWORD })
    const secret = String(begun.at('data', 'secret'))
    // Of this step and the next: these stay valid when a step ends between here and the server.
    const code = (offset: number) => totpCode(secret, totpStep(Date.now()) + offset)
    const confirmed = await send(running, 'POST', '/me/second-factor/confirm', cookie, { code: code(0) })
    assert.equal(confirmed.status, 200, confirmed.text)

    assert.equal(await statusWith(early), 401)
    assert.equal(await isSignedIn(cookie), false)
    assert.ok(await isSignedIn(cookieOf(confirmed)))
    for (const [given, state] of [
      [{}, 'required'],
      [{ code: 'wrong' }, 'invalid'],
    ] as const) {
      const refused = await signInToApi(given)
      assert.equal(refused.status, 401)
      assert.equal(refused.at('error', 'details', 'secondFactor'), state)
      assert.equal(refused.at('jwt'), undefined)
    }
    assert.equal(await statusWith((await signInToApi({ code: code(1) })).at('jwt')), 200)

    const account = await running.server.access.accounts.byIdentifier('guarded')
    const mailed = await running.server.access.codes.create(String(account?.documentId), 'reset-password')
    const reset = await api('reset-password', {
      ...{ code: mailed, password: 'Another-Passw0rd', passwordConfirmation: 'Another-Passw0rd' },
    })
    assert.equal(reset.status, 200)
    assert.equal(reset.at('user', 'username'), 'guarded')
    assert.equal(reset.at('jwt'), undefined)
  })

  it('a session ends after its idle time, and after its whole time however much it is used', async () => {
    const { cookie } = await join(running, 'author', 'sleeper')
    const other = cookieOf(await signIn(running, 'sleeper'))
    const { idleMinutes, sessionHours } = running.server.project.config.admin
    const start = Date.now()
    const minutes = 60_000
    try {
      mock.timers.enable({ apis: ['Date'], now: start })
      for (let passed = 0; passed < sessionHours * 60; passed += idleMinutes - 1) {
        mock.timers.setTime(start + passed * minutes)
        assert.ok(await isSignedIn(cookie), `after ${passed} minutes`)
      }
      assert.equal(await isSignedIn(other), false)
      mock.timers.setTime(start + sessionHours * 60 * minutes + 1000)
      assert.equal(await isSignedIn(cookie), false)
    } finally {
      mock.timers.reset()
    }
  })

  it('behind a proxy the cookie has the public path and is sent over HTTPS only', async () => {
    const proxied = await startTeamServer(engine, { server: { url: 'https://cms.example.test/octavo/' } })
    try {
      await createAccount(proxied.server, 'editor')
      const from = (origin: string) =>
        send(proxied, 'POST', '/session', null, { identifier: 'editor', password: PASSWORD }, { origin })
      const response = await from('https://cms.example.test')
      assert.match(String(response.headers['set-cookie']), /; Path=\/octavo\/admin; .*; Secure$/)
      assert.equal((await from('http://cms.example.test')).status, 403)
      assert.equal((await from('https://example.test')).status, 403)
    } finally {
      await proxied.close()
    }
  })

  it('without the app there are no sessions, and tokens still open the admin API', async () => {
    const { server, close } = await startTeamServer(engine, { admin: { enabled: false, path: '/backstage' } })
    try {
      const { secret } = await server.access.tokens.create({ name: 'ops', kind: 'admin' })
      const status = async (method: string, path: string) =>
        (await sendRequest(server, method, path, { authorization: `Bearer ${secret}` })).status
      assert.equal(await status('GET', '/backstage/api/roles'), 200)
      assert.equal(await status('GET', '/admin/api/roles'), 404)
      assert.equal(await status('POST', '/backstage/api/session'), 404)
    } finally {
      await close()
    }
  })
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { BeforeHook } from '../../src/documents/hooks/hooks.ts'
import { newCodeFor } from '../../src/http/auth/own-account.ts'
import { compile } from '../../src/store/compile.ts'
import { StartError } from '../../src/store/errors.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'
import { waitUntil } from '../support/wait-until.ts'
import { request, sentCodes, sentMails, signIn, signUp } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const REGISTER = '/api/auth/local/register'

stopIntervals()

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
  })
  after(() => running?.close())

  it('registers a user, who signs in by user name or by e-mail address in any case', async () => {
    const ida = await signUp(running.server, 'ida')
    for (const identifier of ['ida', 'ida@example.test', 'IDA@Example.Test']) {
      const response = await signIn(running.server, identifier, ida.password)
      assert.equal(response.status, 200, identifier)
      assert.equal(response.at('user', 'username'), 'ida')
      assert.equal(response.headers['cache-control'], 'no-store')
    }
    assert.equal((await signIn(running.server, 'IDA', ida.password)).status, 400)
    const me = await request(running.server, 'GET', '/api/users/me', { as: ida.jwt })
    assert.equal(me.at('email'), 'ida@example.test')
    assert.ok(!/password|apiKey|argon2/i.test(me.text))
  })

  it('responses do not reveal whether an account exists', async () => {
    await signUp(running.server, 'known')
    const responses = await Promise.all(
      ['known', 'unknown', 'known@example.test', 'unknown@example.test'].map((identifier) =>
        signIn(running.server, identifier, 'wrong-password'),
      ),
    )
    assert.equal(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size, 1)
    for (const path of ['/api/auth/forgot-password', '/api/auth/send-email-confirmation']) {
      const [known, unknown] = await Promise.all(
        ['known@example.test', 'unknwn@example.test'].map((email) =>
          request(running.server, 'POST', path, { body: { email } }),
        ),
      )
      assert.equal(known?.status, 200)
      assert.equal(known?.text.replace('known@', ''), unknown?.text.replace('unknwn@', ''))
    }
  })

  it('rejects a malformed e-mail address in every endpoint that takes one', async () => {
    const user = { username: 'malformed', password: 'long-enough' }
    for (const email of ['plain-text', 'no@domain', '@example.test', 'two words@example.test'])
      for (const [path, body, as] of [
        ['/api/auth/forgot-password', { email }, undefined],
        ['/api/auth/send-email-confirmation', { email }, undefined],
        [REGISTER, { ...user, email }, undefined],
        ['/api/users', { ...user, email, role: 1 }, TOKENS.full],
      ] as const) {
        const response = await request(running.server, 'POST', path, { body, as })
        assert.deepEqual([response.status, response.at('error', 'name')], [400, 'ValidationError'], path)
        assert.match(response.text, /"path":\["email"\],"message":"[^"]*e-mail address/)
      }
  })

  it('does the same work for missing and existing accounts', async () => {
    const { accounts } = running.server.access
    const { store } = running.server
    const reads = async (identifier: string) => {
      const before = store.statements.reads
      await accounts.byIdentifier(identifier)
      return store.statements.reads - before
    }
    assert.equal(await reads('known'), await reads('nobody-at-all'))
  })

  it('rejects mass assignment at registration: role, confirmed, provider, ids, hashes', async () => {
    const extras = [
      'role',
      'confirmed',
      'blocked',
      'provider',
      'id',
      'documentId',
      'apiKey',
      'nickname',
      'notes',
    ]
    for (const key of extras) {
      const body = {
        username: `mass${key}`,
        email: `mass${key}@example.test`,
        password: 'long-enough',
        [key]: 1,
      }
      const response = await request(running.server, 'POST', REGISTER, { body })
      assert.equal(response.status, 400, key)
      assert.equal((await signIn(running.server, `mass${key}`, 'long-enough')).status, 400)
    }
  })

  it('lists all missing values, and never echoes a password', async () => {
    const response = await request(running.server, 'POST', REGISTER, { body: {} })
    assert.equal(response.at('error', 'name'), 'ValidationError')
    assert.match(response.text, /email.*username.*password/s)
    const short = await request(running.server, 'POST', REGISTER, {
      body: { username: 'shorty', email: 'shorty@example.test', password: 'sh0rt' },
    })
    assert.equal(short.status, 400)
    assert.ok(!short.text.includes('sh0rt"'))
    for (const body of [undefined, {}, { identifier: { $ne: null }, password: ['x'] }, [], { identifier: 1 }])
      assert.equal((await request(running.server, 'POST', '/api/auth/local', { body })).status, 400)
  })

  it('rejects a user name or e-mail address that is taken', async () => {
    await signUp(running.server, 'taken')
    const tries = [
      { username: 'taken', email: 'other@example.test', password: 'long-enough' },
      { username: 'other', email: 'TAKEN@example.test', password: 'long-enough' },
    ]
    for (const body of tries) {
      const response = await request(running.server, 'POST', REGISTER, { body })
      assert.deepEqual([response.status, response.at('error', 'name')], [400, 'ApplicationError'])
    }
    const same = { username: 'rush', email: 'rush@example.test', password: 'long-enough' }
    const rush = await Promise.all(
      Array.from({ length: 4 }, () => request(running.server, 'POST', REGISTER, { body: same })),
    )
    assert.deepEqual(rush.map(({ status }) => status).sort(), [200, 400, 400, 400])
    for (const late of rush.filter(({ status }) => status === 400))
      assert.equal(late.at('error', 'name'), 'ApplicationError')
  })

  it("rejects a user name that is another user's e-mail address, and the other way round", async () => {
    const { server } = running
    const victim = await signUp(server, 'victim')
    const named = { username: 'Büro@Example.test', email: 'named@example.test', password: 'named-Passw0rd' }
    assert.equal((await request(server, 'POST', REGISTER, { body: named })).status, 200)
    const other = await signUp(server, 'bystander')
    const { secret } = await server.access.tokens.create({ name: 'names', kind: 'admin' })
    const role = await server.access.roles.documentIdOf('authenticated')
    const taken = [
      { username: victim.email },
      { username: ' VICTIM@Example.Test' },
      { username: 'ｖictim@example.test' },
      { email: 'büro@example.test' },
      { email: 'BU\u0308RO@example.test' },
    ]
    for (const names of taken) {
      const body = { username: 'thief', email: 'thief@example.test', password: 'thief-Passw0rd', ...names }
      const responses = [
        await request(server, 'POST', REGISTER, { body }),
        await request(server, 'POST', '/api/users', { as: TOKENS.full, body: { ...body, role } }),
        await request(server, 'PUT', `/api/users/${other.id}`, { as: TOKENS.full, body: names }),
        await request(server, 'POST', '/admin/api/users', { as: secret, body: { data: body } }),
      ]
      for (const response of responses)
        assert.deepEqual(
          [response.status, response.at('error', 'name')],
          [400, 'ApplicationError'],
          response.text,
        )
    }
    for (const [identifier, password] of [
      [victim.email, victim.password],
      [named.username, named.password],
    ] as const)
      assert.equal((await signIn(server, identifier, password)).status, 200, identifier)
  })

  it("a user name may equal the user's own e-mail address", async () => {
    const { server } = running
    const body = { username: 'both@example.test', email: 'both@example.test', password: 'both-Passw0rd' }
    const registered = await request(server, 'POST', REGISTER, { body })
    assert.equal(registered.status, 200)
    const path = `/api/users/${registered.at('user', 'id')}`
    for (const names of [{ email: 'Both@example.test' }, { username: 'BOTH@example.test' }])
      assert.equal((await request(server, 'PUT', path, { as: TOKENS.full, body: names })).status, 200)
  })

  it('of concurrent registrations with the same identifier only one succeeds', async () => {
    const password = 'race-Passw0rd'
    for (const identifier of ['race1@example.test', 'race2@example.test', 'race3@example.test']) {
      const bodies = [
        { username: identifier.toUpperCase(), email: `by-name.${identifier}`, password },
        { username: `by-address.${identifier}`, email: identifier, password },
      ]
      const responses = await Promise.all(
        bodies.map((body) => request(running.server, 'POST', REGISTER, { body })),
      )
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400])
      const late = responses.find(({ status }) => status === 400)
      assert.equal(late?.at('error', 'name'), 'ApplicationError')
    }
  })

  it('a user can read their own account, and no other user through it', async () => {
    const [eve, other] = [await signUp(running.server, 'eve'), await signUp(running.server, 'other')]
    const topic = await request(running.server, 'POST', '/api/topics', {
      as: TOKENS.full,
      body: { data: { name: 'T' } },
    })
    for (const { documentId } of [eve, other])
      await request(running.server, 'POST', '/api/notes', {
        as: TOKENS.full,
        body: { data: { title: 'N', owner: documentId, topic: topic.at('data', 'documentId') } },
      })
    const query = 'populate[notes][populate][topic][populate][notes][populate]=owner'
    const me = await request(running.server, 'GET', `/api/users/me?${query}`, { as: eve.jwt })
    assert.equal(me.status, 200)
    assert.ok(me.text.includes('"notes":[{'))
    assert.ok(!me.text.includes('other@example.test'), me.text)
    assert.equal((await request(running.server, 'GET', '/api/users/me')).status, 403)
    assert.equal((await request(running.server, 'GET', '/api/users/me', { as: TOKENS.full })).status, 401)
  })

  it('resets a password with a code that is stored as a hash and works once', async () => {
    const { server } = running
    const mia = await signUp(server, 'mia')
    await request(server, 'POST', '/api/auth/forgot-password', {
      body: { email: 'Mia@example.test' },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    const code = (await sentCodes(server)).at(-1) ?? ''
    const rows = await server.store.read(compile(server.store.dialect, sql`select * from octavo_codes`))
    assert.ok(code !== '' && !JSON.stringify(rows).includes(code))
    const body = { code, password: 'new-Passw0rd', passwordConfirmation: 'new-Passw0rd' }
    const wrong = { ...body, passwordConfirmation: 'other-Passw0rd' }
    assert.equal((await request(server, 'POST', '/api/auth/reset-password', { body: wrong })).status, 400)
    const reset = await request(server, 'POST', '/api/auth/reset-password', { body })
    assert.equal(reset.status, 200)
    assert.equal((await request(server, 'POST', '/api/auth/reset-password', { body })).status, 400)
    assert.equal((await request(server, 'GET', '/api/users/me', { as: mia.jwt })).status, 401)
    assert.equal((await request(server, 'GET', '/api/users/me', { as: String(reset.at('jwt')) })).status, 200)
    assert.equal((await signIn(server, 'mia', mia.password)).status, 400)
    assert.equal((await signIn(server, 'mia', 'new-Passw0rd')).status, 200)
  })

  it('invalidates earlier codes when a new one is requested or the password changes', async () => {
    const { server } = running
    const leo = await signUp(server, 'leo')
    const askForCode = async () => {
      await request(server, 'POST', '/api/auth/forgot-password', { body: { email: leo.email } })
      return (await sentCodes(server)).at(-1) ?? ''
    }
    const use = async (code: string) =>
      (
        await request(server, 'POST', '/api/auth/reset-password', {
          body: { code, password: 'another-Passw0rd', passwordConfirmation: 'another-Passw0rd' },
        })
      ).status
    const first = await askForCode()
    const second = await askForCode()
    assert.equal(await use(first), 400)
    const change = { password: 'changed-Passw0rd', passwordConfirmation: 'changed-Passw0rd' }
    const changed = await request(server, 'POST', '/api/auth/change-password', {
      as: leo.jwt,
      body: { currentPassword: leo.password, ...change },
    })
    assert.equal(changed.status, 200)
    assert.equal(await use(second), 400)
    for (const code of ['', 'zzz', 'code_', first.toLowerCase()]) assert.equal(await use(code), 400)
  })

  it('a refused password keeps the code, so that the link in the e-mail still works', async () => {
    const { server } = running
    const noa = await signUp(server, 'noa')
    const askForCode = async () => {
      await request(server, 'POST', '/api/auth/forgot-password', { body: { email: noa.email } })
      return (await sentCodes(server)).at(-1) ?? ''
    }
    const code = await askForCode()
    const reset = (password: string) =>
      request(server, 'POST', '/api/auth/reset-password', {
        body: { code, password, passwordConfirmation: password },
      })
    const refused = await reset(noa.email)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /must not be the user name or the e-mail address/)
    assert.equal((await reset('better-Passw0rd')).status, 200)
    assert.equal((await reset('another-Passw0rd')).status, 400)

    const inApp = await running.server.access.codes.create(noa.documentId, 'reset-password')
    const resetInApp = (password: string) =>
      request(server, 'POST', '/admin/api/reset-password', {
        body: { code: inApp, password },
        headers: { origin: running.base },
      })
    assert.equal((await resetInApp(noa.email)).status, 400)
    assert.equal((await resetInApp('last-Passw0rd')).status, 204)
    assert.equal((await signIn(server, 'noa', 'last-Passw0rd')).status, 200)
  })

  it('a code that was sent to one address never confirms another one that replaces it at the same time', async () => {
    const strict = await serve(PROJECT, await engine.freshUrl(), { auth: { confirmEmail: true } })
    const { server } = strict
    const body = { username: 'swapper', email: 'mine@example.test', password: 'swapper-Passw0rd' }
    const id = (await request(server, 'POST', REGISTER, { body })).at('user', 'id')
    const setEmail = (email: string) =>
      request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { email } })
    for (const delay of [0, 2, 5, 10, 20, 40]) {
      await setEmail(body.email)
      await request(server, 'POST', '/api/auth/forgot-password', { body: { email: body.email } })
      const code = (await sentCodes(server)).at(-1)
      const password = `swapper-Passw0rd-${delay}`
      const reset = request(server, 'POST', '/api/auth/reset-password', {
        body: { code, password, passwordConfirmation: password },
      })
      await setTimeout(delay)
      await setEmail('of-someone-else@example.test')
      await reset
      const user = await request(server, 'GET', `/api/users/${id}`, { as: TOKENS.full })
      assert.deepEqual(
        [user.at('email'), user.at('confirmed')],
        ['of-someone-else@example.test', false],
        `after ${delay} ms`,
      )
    }
    await strict.close()
  })

  it('no code is sent to an address that the account no longer has', async () => {
    const { server } = running
    const vera = await signUp(server, 'vera')
    const { accounts, users } = server.access
    const before = await accounts.byDocumentId(vera.documentId)
    assert.ok(before)
    await users.updateOwn(before, { email: 'vera-moved@example.test' })
    assert.equal(await newCodeFor(server, before, vera.email, 'reset-password'), null)
    assert.ok(await newCodeFor(server, before, 'vera-moved@example.test', 'reset-password'))
  })

  it('builds links from the configuration, never from the Host header', async () => {
    const configured = await serve(PROJECT, await engine.freshUrl(), {
      server: { url: 'https://content.example' },
      auth: { resetPasswordUrl: 'https://front.example/reset?lang=en', confirmEmail: true },
    })
    const { server } = configured
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' }
    const body = { username: 'linked', email: 'linked@example.test', password: 'linked-Passw0rd' }
    await request(server, 'POST', REGISTER, { body, headers })
    await request(server, 'POST', '/api/auth/forgot-password', { body: { email: body.email }, headers })
    const text = (await sentMails(server)).join('\n')
    assert.match(text, /https:\/\/front\.example\/reset\?lang=en&code=code_/)
    assert.match(text, /https:\/\/content\.example\/api\/auth\/email-confirmation\?confirmation=code_/)
    assert.ok(!text.includes('evil'))
    await configured.close()
  })

  it('with confirmEmail a user can sign in only after confirming the address', async () => {
    const strict = await serve(PROJECT, await engine.freshUrl(), { auth: { confirmEmail: true } })
    const { server } = strict
    const body = { username: 'careful', email: 'careful@example.test', password: 'careful-Passw0rd' }
    const registered = await request(server, 'POST', REGISTER, { body })
    assert.equal(registered.status, 200)
    assert.equal(registered.at('jwt'), undefined)
    assert.equal(registered.at('user', 'confirmed'), false)
    const refused = await signIn(server, 'careful', body.password)
    assert.deepEqual([refused.status, refused.at('error', 'name')], [400, 'ApplicationError'])
    const code = (await sentCodes(server)).at(-1)
    const confirm = `/api/auth/email-confirmation?confirmation=${code}`
    const confirmed = await request(server, 'GET', confirm)
    assert.deepEqual([confirmed.status, confirmed.text], [200, '{"ok":true}'])
    assert.equal((await request(server, 'GET', confirm)).status, 400)
    assert.equal((await signIn(server, 'careful', body.password)).status, 200)
    await strict.close()
  })

  it('a HEAD request to the link does not confirm the address, a GET does and redirects if configured', async () => {
    const confirmedUrl = 'https://front.example/welcome'
    const auth = { confirmEmail: true, confirmedUrl }
    const strict = await serve(PROJECT, await engine.freshUrl(), { auth })
    const { server } = strict
    const body = { username: 'scanned', email: 'scanned@example.test', password: 'scanned-Passw0rd' }
    await request(server, 'POST', REGISTER, { body })
    const confirm = `/api/auth/email-confirmation?confirmation=${(await sentCodes(server)).at(-1)}`
    assert.equal((await request(server, 'HEAD', confirm)).status, 200)
    assert.equal((await signIn(server, 'scanned', body.password)).status, 400)
    const confirmed = await request(server, 'GET', confirm, { headers: { accept: 'text/html' } })
    assert.deepEqual([confirmed.status, confirmed.headers.location], [302, confirmedUrl])
    await strict.close()
  })

  it('a browser gets a page at the link that confirms an address, once it works and once it does not', async () => {
    const strict = await serve(PROJECT, await engine.freshUrl(), { auth: { confirmEmail: true } })
    const { server } = strict
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const body = { username: 'reader', email: 'reader@example.test', password: 'reader-Passw0rd' }
    await request(server, 'POST', REGISTER, { body })
    const confirm = `/api/auth/email-confirmation?confirmation=${(await sentCodes(server)).at(-1)}`
    const confirmed = await request(server, 'GET', confirm, { headers })
    assert.equal(confirmed.status, 200)
    assert.match(String(confirmed.headers['content-type']), /^text\/html/)
    assert.equal(confirmed.headers['cache-control'], 'no-store')
    assert.match(confirmed.text, /<h1>Your e-mail address is confirmed<\/h1>/)
    assert.equal((await signIn(server, 'reader', body.password)).status, 200)
    const again = await request(server, 'GET', confirm, { headers })
    assert.equal(again.status, 400)
    assert.match(
      again.text,
      /role="alert">The code is invalid, expired or already used<.*opened this link before/s,
    )
    await strict.close()
  })

  it('with confirmEmail a late change of the address does not take over that another one was confirmed', async () => {
    let isHeld = false
    const held = Promise.withResolvers<void>()
    const hold: BeforeHook = async ({ data }) => {
      const isLate =
        typeof data === 'object' && data !== null && 'email' in data && data.email === 'late@example.test'
      if (!isLate || isHeld) return
      isHeld = true
      await held.promise
    }
    const strict = await serve(
      PROJECT,
      await engine.freshUrl(),
      { auth: { confirmEmail: true } },
      { hooks: { 'plugin::users-permissions.user': { before: { update: hold } } } },
    )
    try {
      const body = { username: 'late', email: 'late@example.test', password: 'quiet-Passw0rd' }
      const { server } = strict
      const id = (await request(server, 'POST', REGISTER, { body })).at('user', 'id')
      const change = (body: object) => request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body })
      const late = change({ email: 'late@example.test' })
      await waitUntil(() => isHeld)
      const other = await change({ email: 'other@example.test', confirmed: true })
      assert.equal(other.at('confirmed'), true)
      held.resolve()
      const changed = await late
      assert.deepEqual([changed.at('email'), changed.at('confirmed')], ['late@example.test', false])
    } finally {
      await strict.close()
    }
  })

  it('with confirmEmail a changed address must be confirmed again', async () => {
    const strict = await serve(PROJECT, await engine.freshUrl(), { auth: { confirmEmail: true } })
    const { server } = strict
    const body = { username: 'mover', email: 'mover@example.test', password: 'mover-Passw0rd' }
    const id = (await request(server, 'POST', REGISTER, { body })).at('user', 'id')
    const change = (values: unknown) =>
      request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: values })
    assert.equal((await change({ confirmed: true })).at('confirmed'), true)
    assert.equal((await change({ email: 'Mover@example.test' })).at('confirmed'), true)
    assert.equal((await change({ email: 'moved@example.test' })).at('confirmed'), false)
    assert.equal((await signIn(server, 'mover', body.password)).status, 400)
    await strict.close()
  })

  it('every way to set a password enforces auth.password.minLength', async () => {
    const strict = await serve(PROJECT, await engine.freshUrl(), { auth: { password: { minLength: 12 } } })
    const { server } = strict
    const person = { username: 'long', email: 'long@example.test', password: 'elevenchars' }
    const role = await server.access.roles.documentIdOf('authenticated')
    const full = { as: TOKENS.full }
    assert.equal((await request(server, 'POST', REGISTER, { body: person })).status, 400)
    assert.equal(
      (await request(server, 'POST', '/api/users', { ...full, body: { ...person, role } })).status,
      400,
    )
    const made = await request(server, 'POST', '/api/users', {
      ...full,
      body: { ...person, role, password: 'twelve-chars' },
    })
    assert.equal(made.status, 201)
    const path = `/api/users/${made.at('id')}`
    assert.equal(
      (await request(server, 'PUT', path, { ...full, body: { password: 'elevenchars' } })).status,
      400,
    )
    await strict.close()
  })

  it('user names that look the same are the same', async () => {
    await signUp(running.server, 'renee')
    for (const username of ['renee ', ' renee', '\trenee'])
      assert.equal(
        (
          await request(running.server, 'POST', REGISTER, {
            body: { username, email: 'r@example.test', password: 'long-enough' },
          })
        ).status,
        400,
      )
  })

  it('a user name cannot look like that of another user with the help of invisible characters', async () => {
    const jane = await signUp(running.server, 'jane')
    const statusOf = async (username: string) => {
      const body = { username, email: `${Math.random()}@example.test`, password: 'long-enough' }
      return (await request(running.server, 'POST', REGISTER, { body })).status
    }
    for (const invisible of ['\u200b', '\u200d', '\u00ad', '\u2060', '\u202e', '\ufeff', '\u0007', '\u2028'])
      assert.equal(await statusOf(`ja${invisible}ne`), 400, JSON.stringify(invisible))
    const renamed = await request(running.server, 'PUT', `/api/users/${jane.id}`, {
      as: TOKENS.full,
      body: { username: 'ren\u200bee' },
    })
    assert.match(renamed.text, /username must not contain invisible characters/)
    for (const username of ['Zoë O’Hara', '李小龍', 'می\u200cخواهم', '👩\u200d🚀'])
      assert.equal(await statusOf(username), 200, username)
  })

  it('registration can be disabled', async () => {
    const closed = await serve(PROJECT, await engine.freshUrl(), {
      auth: { registration: { enabled: false } },
    })
    const body = { username: 'late', email: 'late@example.test', password: 'late-Passw0rd' }
    assert.equal((await request(closed.server, 'POST', REGISTER, { body })).status, 400)
    await closed.close()
  })

  it('does not start with an unknown role or attribute for new users', async () => {
    const started = async (registration: object) =>
      serve(PROJECT, await engine.freshUrl(), { auth: { registration } })
    for (const [registration, message] of [
      [{ role: 'authentcated' }, /unknown role "authentcated"; did you mean "authenticated"\?/],
      [{ role: 'no-such-role' }, /unknown role "no-such-role"$/],
      [{ fields: ['nicknme'] }, /users have no attribute "nicknme"; did you mean "nickname"\?/],
    ] as const) {
      await assert.rejects(started(registration), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, message)
        return true
      })
    }
    const { server, close } = await started({ role: 'author' })
    try {
      const { secret } = await server.access.tokens.create({ name: 'admin', kind: 'admin' })
      const kept = await request(server, 'DELETE', '/admin/api/roles/author', { as: secret })
      assert.equal(kept.status, 400)
      assert.match(kept.text, /The role author cannot be deleted: new users get it/)
    } finally {
      await close()
    }
  })

  it('a new user can set the attributes in registration.fields', async () => {
    const open = await serve(PROJECT, await engine.freshUrl(), {
      auth: { registration: { fields: ['nickname'] } },
    })
    const body = {
      username: 'nick',
      email: 'nick@example.test',
      password: 'nick-Passw0rd',
      nickname: 'Nicky',
    }
    const response = await request(open.server, 'POST', REGISTER, { body })
    assert.equal(response.at('user', 'nickname'), 'Nicky')
    await open.close()
  })
})

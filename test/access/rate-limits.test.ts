import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type RequestOptions, request, signIn, signUp } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const tight: ConfigInput = {
  rateLimit: { signIn: { windowSeconds: 60, perIdentifier: 3, perAddress: 30 } },
  server: { trustedProxies: ['127.0.0.1'] },
  // Attempts must take longer to check than to send, so that those from one address have to wait.
  auth: { passwordMemory: 4_096 },
}

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), tight)
  })
  after(() => running?.close())

  let hosts = 0
  /** Each test sends from its own address. */
  const newAddress = () => `192.0.2.${++hosts}`

  const statuses = async (tries: readonly { path?: string; body?: unknown; options?: RequestOptions }[]) => {
    const received: number[] = []
    for (const { path = '/api/auth/local', body, options } of tries)
      received.push((await request(running.server, 'POST', path, { ...options, body })).status)
    return received
  }

  const wrong = { identifier: 'target', password: 'guess' }

  it('attempts beyond the limit get a 429 with Retry-After', async () => {
    const from = newAddress()
    for (let attempt = 0; attempt < 3; attempt += 1)
      assert.equal((await signIn(running.server, 'target', 'guess', { from })).status, 400)
    const refused = await signIn(running.server, 'target', 'guess', { from })
    assert.deepEqual([refused.status, refused.at('error', 'name')], [429, 'RateLimitError'])
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 60)
  })

  it('an attempt does not wait for many attempts from another address', async () => {
    const [attacker, other] = [newAddress(), newAddress()]
    let done = 0
    const attempts = Array.from({ length: 28 }, async (_, index) => {
      const { status } = await signIn(running.server, `guessed ${index}`, 'guess', { from: attacker })
      done += 1
      assert.equal(status, 400)
    })
    await signIn(running.server, 'other', 'guess', { from: other })
    assert.ok(done < 14, `${done} of 28 attempts came first`)
    await Promise.all(attempts)
  })

  it('spellings of an identifier and other keys in the body share one limit', async () => {
    const options = { from: newAddress() }
    const bodies = [
      wrong,
      { ...wrong, extra: 1 },
      { password: 'guess', identifier: ' TARGET ' },
      { identifier: 'ｔarget', password: 'other' },
    ]
    assert.deepEqual(await statuses(bodies.map((body) => ({ body, options }))), [400, 400, 400, 429])
  })

  it('spellings of the path share one limit', async () => {
    const options = { from: newAddress() }
    await statuses([1, 2, 3].map(() => ({ body: wrong, options })))
    const paths = [
      '/api/auth/local/',
      '/api/auth/local?x=1',
      '/api/auth/%6Cocal',
      '/API/auth/local',
      '/api//auth/local',
    ]
    for (const status of await statuses(paths.map((path) => ({ path, body: wrong, options }))))
      assert.ok(status === 429 || status === 404, String(status))
  })

  const forwarded = (n: number) => ({
    'x-forwarded-for': `203.0.113.${n}`,
    forwarded: `for=203.0.113.${n}`,
    'x-real-ip': `203.0.113.${n}`,
    'true-client-ip': `203.0.113.${n}`,
  })

  it('ignores forwarded addresses when no proxy is configured', async () => {
    const direct = await serve(PROJECT, await engine.freshUrl(), { rateLimit: tight.rateLimit ?? {} })
    const received: number[] = []
    for (const n of [1, 2, 3, 4])
      received.push((await signIn(direct.server, 'target', 'guess', { headers: forwarded(n) })).status)
    assert.deepEqual(received, [400, 400, 400, 429])
    await direct.close()
  })

  it('trusts the address that a configured proxy appends, and nothing that the client sent before it', async () => {
    const from = newAddress()
    const tries = [1, 2, 3, 4].map((n) => ({ body: wrong, options: { from, headers: forwarded(n) } }))
    assert.deepEqual(await statuses(tries), [400, 400, 400, 429])
    assert.deepEqual(await statuses([{ body: wrong, options: { from: newAddress() } }]), [400])
  })

  it('successful sign-ins do not count', async () => {
    const person = await signUp(running.server, 'frequent')
    const from = newAddress()
    for (let round = 0; round < 8; round += 1)
      assert.equal((await signIn(running.server, 'frequent', person.password, { from })).status, 200)
  })

  it('limits one address that tries many accounts', async () => {
    const options = { from: newAddress() }
    const tries = Array.from({ length: 31 }, (_, n) => ({
      body: { identifier: `user${n}`, password: 'x' },
      options,
    }))
    const received = await statuses(tries)
    assert.deepEqual([received.slice(0, 30).every((status) => status === 400), received[30]], [true, 429])
  })

  it('limits requested e-mails, whether or not the account exists', async () => {
    for (const email of ['frequent@example.test', 'nobody@example.test']) {
      const options = { from: newAddress() }
      const tries = [1, 2, 3, 4].map(() => ({ path: '/api/auth/forgot-password', body: { email }, options }))
      assert.deepEqual(await statuses(tries), [200, 200, 200, 429], email)
    }
  })

  it('limits password guesses with a stolen session', async () => {
    const { jwt } = await signUp(running.server, 'stolen')
    const body = { currentPassword: 'guess', password: 'new-Passw0rd', passwordConfirmation: 'new-Passw0rd' }
    const options = { from: newAddress(), as: jwt }
    const tries = [1, 2, 3, 4].map(() => ({ path: '/api/auth/change-password', body, options }))
    assert.deepEqual(await statuses(tries), [400, 400, 400, 429])
  })

  it('the general limit counts per caller and exempts health checks', async () => {
    const limited = await serve(PROJECT, await engine.freshUrl(), {
      rateLimit: { general: { windowSeconds: 60, requests: 4 } },
      server: { trustedProxies: ['127.0.0.1'] },
    })
    const get = async (options: RequestOptions) =>
      (await request(limited.server, 'GET', '/api/topics', options)).status
    const spent = async (options: readonly RequestOptions[]) => {
      const received: number[] = []
      for (const one of options) received.push(await get(one))
      return received
    }
    const anywhere = [1, 2, 3, 4, 5].map((n) => ({ as: TOKENS.full, from: `203.0.113.${n}` }))
    assert.deepEqual(await spent(anywhere), [200, 200, 200, 200, 429])
    assert.equal(await get({ as: TOKENS.readonly, from: '203.0.113.1' }), 200)
    const made = [1, 2, 3, 4, 5].map((n) => ({ as: `made-up-${n}`, from: '203.0.113.9' }))
    assert.deepEqual(await spent(made), [401, 401, 401, 401, 429])
    assert.equal(await get({ from: '203.0.113.9' }), 429)
    for (const path of ['/healthz', '/readyz', '/readyz/?at=1'])
      assert.equal((await request(limited.server, 'GET', path, { from: '203.0.113.9' })).status, 200, path)
    await limited.close()
  })
})

/**
 * Failed sign-ins are limited per account: over all addresses, spellings and servers on one database. The owner signs in
 * all the same, from an address that is known or by mail.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request, sentCodes, signIn, signUp, type TestUser } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const PER_ACCOUNT = 5
const CONFIG: ConfigInput = {
  auth: { secret: 'the secret of the account limits, long enough' },
  rateLimit: { signIn: { windowSeconds: 900, perIdentifier: 3, perAddress: 500, perAccount: PER_ACCOUNT } },
  server: { trustedProxies: ['127.0.0.1'] },
}

onEachEngine((engine) => {
  const servers: TestServer[] = []
  before(async () => {
    const url = await engine.freshUrl()
    servers.push(await serve(PROJECT, url, CONFIG), await serve(PROJECT, url, CONFIG))
  })
  after(() => Promise.all(servers.map((server) => server.close())))

  const serverOf = (attempt: number) => {
    const { server } = servers[attempt % servers.length] ?? {}
    assert.ok(server)
    return server
  }
  let hosts = 0
  const newAddress = () => `2001:db8:${(++hosts).toString(16)}::1`

  /** Guesses from a new address each, on alternating servers, with each of the names in turn. */
  const guess = async (names: readonly string[], count: number) => {
    const seen: string[] = []
    for (let attempt = 0; attempt < count; attempt++) {
      const name = names[attempt % names.length] ?? ''
      const { status, at, headers } = await signIn(serverOf(attempt), name, `guess ${attempt}`, {
        from: newAddress(),
      })
      if (status === 429) assert.ok(Number(headers['retry-after']) > 0)
      seen.push(`${status} ${at('error', 'message')}`)
    }
    return seen
  }
  const spellingsOf = ({ username, email }: Pick<TestUser, 'username' | 'email'>) => [
    username,
    email,
    ` ${email.toUpperCase()} `,
    `${username} `,
  ]
  const wrong = '400 Invalid identifier or password'
  const limited = '429 Too many requests, please try again later'
  const expected = (count: number) =>
    Array.from({ length: count }, (_, attempt) => (attempt < PER_ACCOUNT ? wrong : limited))

  it('guesses from many addresses, with several spellings, on several servers share one limit', async () => {
    const person = await signUp(serverOf(0), 'target')
    assert.deepEqual(await guess(spellingsOf(person), 9), expected(9))
    // Another account is not affected.
    const other = await signUp(serverOf(0), 'bystander')
    assert.equal((await signIn(serverOf(1), 'bystander', other.password, { from: newAddress() })).status, 200)
  })

  it('an unknown identifier is limited in the same way', async () => {
    assert.deepEqual(await guess(['nobody@example.test', 'NOBODY@example.test '], 9), expected(9))
  })

  it('the owner signs in from an address where they have signed in before', async () => {
    const from = newAddress()
    const owner = await signUp(serverOf(0), 'owner')
    assert.equal((await signIn(serverOf(0), 'owner', owner.password, { from })).status, 200)
    await guess(spellingsOf(owner), 9)
    assert.equal((await signIn(serverOf(1), owner.email, owner.password, { from })).status, 200)
    const elsewhere = await signIn(serverOf(1), 'owner', owner.password, { from: newAddress() })
    assert.equal(elsewhere.status, 429)
    // The attacker does not become known by trying.
    assert.ok((await guess(['owner'], 2)).every((seen) => seen === limited))
  })

  it('a reset by mail works during an attack, and makes the address known', async () => {
    const person = await signUp(serverOf(0), 'resetting')
    await guess(spellingsOf(person), 9)
    const from = newAddress()
    const server = serverOf(0)
    const post = (path: string, body: unknown) => request(server, 'POST', `/api/auth/${path}`, { body, from })
    assert.equal((await post('forgot-password', { email: person.email })).status, 200)
    const code = (await sentCodes(server)).at(-1)
    const password = 'a better Passw0rd'
    assert.equal(
      (await post('reset-password', { code, password, passwordConfirmation: password })).status,
      200,
    )
    assert.equal((await signIn(serverOf(1), person.email, password, { from })).status, 200)
    assert.equal((await signIn(serverOf(1), person.email, password, { from: newAddress() })).status, 429)
  })

  it('guesses of the current password count too', async () => {
    const { jwt, ...person } = await signUp(serverOf(0), 'stolen')
    const body = { currentPassword: 'guess', password: 'new-Passw0rd', passwordConfirmation: 'new-Passw0rd' }
    for (let attempt = 0; attempt < PER_ACCOUNT; attempt++) {
      const options = { as: jwt, body, from: newAddress() }
      assert.equal(
        (await request(serverOf(attempt), 'POST', '/api/auth/change-password', options)).status,
        400,
      )
    }
    assert.deepEqual(await guess([person.username], 2), [limited, limited])
  })

  it('successful sign-ins do not count', async () => {
    const person = await signUp(serverOf(0), 'frequent')
    for (let round = 0; round < 2 * PER_ACCOUNT; round++)
      assert.equal(
        (await signIn(serverOf(round), 'frequent', person.password, { from: newAddress() })).status,
        200,
      )
  })

  it('every way to set a password refuses short and common ones', async () => {
    const server = serverOf(0)
    const { jwt, id, password: currentPassword, email } = await signUp(server, 'setter')
    const role = await server.access.roles.documentIdOf('authenticated')
    const admin = (await server.access.tokens.create({ name: `admin ${engine.name}`, kind: 'admin' })).secret
    const from = newAddress()
    await request(server, 'POST', '/api/auth/forgot-password', { body: { email }, from })
    const code = (await sentCodes(server)).at(-1)
    for (const password of ['k7#pQ2!', 'Password1!', '12345678', 'qwertyuiop']) {
      const person = { username: 'newcomer', email: 'newcomer@example.test', password }
      const again = { password, passwordConfirmation: password }
      const ways = [
        request(server, 'POST', '/api/auth/local/register', { body: person, from }),
        request(server, 'POST', '/api/auth/change-password', {
          as: jwt,
          body: { currentPassword, ...again },
          from,
        }),
        request(server, 'POST', '/api/auth/reset-password', { body: { code, ...again }, from }),
        request(server, 'POST', '/api/users', { as: TOKENS.full, body: { ...person, role } }),
        request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: { password } }),
        request(server, 'POST', '/admin/api/users', { as: admin, body: { data: person } }),
      ]
      for (const response of await Promise.all(ways)) {
        assert.deepEqual(
          [response.status, response.at('error', 'details', 'errors', 0, 'path', 0)],
          [400, 'password'],
        )
        assert.ok(!response.text.includes(password))
      }
    }
    const own = { username: 'setter', email, password: email }
    assert.equal(
      (await request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body: own })).status,
      400,
    )
    // The refused passwords have not used up the code.
    const password = 'a better Passw0rd'
    const body = { code, password, passwordConfirmation: password }
    assert.equal((await request(server, 'POST', '/api/auth/reset-password', { body, from })).status, 200)
  })
})

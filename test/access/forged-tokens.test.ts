/** Forged, altered, expired and foreign sessions are refused on every kind of route, whatever the caller may do without one. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, request, signUp, type TestUser } from './client.ts'
import { PROJECT } from './project.ts'

const SECRET = 'the secret of the test of forged tokens'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

function signed(header: object, claims: unknown, secret: string | Buffer = SECRET, algorithm = 'sha256') {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${createHmac(algorithm, secret).update(text).digest('base64url')}`
}

function signedByKeyPair(header: object, claims: unknown) {
  const text = `${encode(header)}.${encode(claims)}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

/** Forgeries by name. Some are signed with the secret of the server: then only what they contain is wrong. */
function forgeries(token: string, other: TestUser): Readonly<Record<string, string>> {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = decode(payload)
  const otherClaims = decode(other.jwt.split('.')[1] ?? '')
  const { exp, iss, aud, sub, stamp } = claims
  const hs256 = { alg: 'HS256' }
  const now = Math.floor(Date.now() / 1000)
  return {
    'the algorithm none': `${encode({ alg: 'none' })}.${payload}.`,
    'the algorithm none in another case': `${encode({ alg: 'nOnE' })}.${payload}.`,
    'the algorithm none with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
    'no algorithm': signed({ typ: 'JWT' }, claims),
    'a list of algorithms': signed({ alg: ['HS256', 'none'] }, claims),
    'another algorithm with the right secret': signed({ alg: 'HS512' }, claims, SECRET, 'sha512'),
    'an algorithm with another signature': signed({ alg: 'HS384' }, claims),
    'an algorithm of key pairs, signed with the secret': signed({ alg: 'RS256' }, claims),
    'an algorithm of key pairs, signed with a key': signedByKeyPair({ alg: 'RS256' }, claims),
    'a key of its own': signed(
      { ...hs256, jwk: { kty: 'oct', k: Buffer.from('own').toString('base64url') } },
      claims,
      'own',
    ),
    'the address of a key': signed({ ...hs256, jku: 'http://127.0.0.1:9/keys' }, claims, 'own'),
    'the path of a key': signed({ ...hs256, kid: '../../../../dev/null' }, claims, ''),
    'an extension that must be understood': signed({ ...hs256, crit: ['exp'], b64: false }, claims),
    'an empty secret': signed(hs256, claims, ''),
    'a common secret': signed(hs256, claims, 'secret'),
    'a part of the secret': signed(hs256, claims, SECRET.slice(0, -1)),
    'the claims of another user': `${header}.${encode(otherClaims)}.${signature}`,
    'the signature of another user': `${header}.${payload}.${other.jwt.split('.')[2]}`,
    'a later expiry': `${header}.${encode({ ...claims, exp: exp + 10_000 })}.${signature}`,
    'a past expiry': signed(hs256, { ...claims, exp: now - 3600 }),
    'no expiry': signed(hs256, { iss, aud, sub, stamp }),
    'an expiry that is not a number': signed(hs256, { ...claims, exp: 'never' }),
    'a start in the future': signed(hs256, { ...claims, nbf: now + 3600 }),
    'another issuer': signed(hs256, { ...claims, iss: 'other' }),
    'another audience': signed(hs256, { ...claims, aud: 'octavo:other' }),
    'a user that does not exist': signed(hs256, { ...claims, sub: 'nobody' }),
    'a numeric user': signed(hs256, { ...claims, sub: 1 }),
    'a user as an object': signed(hs256, { ...claims, sub: { $ne: null } }),
    'an old stamp': signed(hs256, { ...claims, stamp: 'old' }),
    'no stamp': signed(hs256, { iss, aud, sub, exp }),
    'claims that are a list': signed(hs256, [claims]),
    'claims that are null': signed(hs256, null),
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'four parts': `${token}.${signature}`,
    'a shortened signature': token.slice(0, -3),
    'an encrypted form': `${header}.${payload}.${signature}.${payload}.${signature}`,
    'no JSON': 'bm90IGpzb24.bm90IGpzb24.bm90IGpzb24',
    'a session in upper case': token.toUpperCase(),
  }
}

/** The fast path, Fastify routes, writes and the admin API. The public may send the first ones. */
const REQUESTS: readonly (readonly [Method, string])[] = [
  ['GET', '/api/topics'],
  ['GET', '/api/users/me'],
  ['POST', '/api/notes'],
  ['GET', '/admin/api/me'],
]

onEachEngine((engine) => {
  let running: TestServer
  let user: TestUser
  let other: TestUser
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), { auth: { secret: SECRET } })
    user = await signUp(running.server, 'user')
    other = await signUp(running.server, 'other')
  })
  after(() => running?.close())

  const send = ([method, path]: readonly [Method, string], as: string) =>
    request(running.server, method, path, {
      as,
      ...(method === 'POST' && { body: { data: { title: 'x' } } }),
    })

  it('the session itself is accepted, and so is one signed with the secret', async () => {
    const resigned = signed({ alg: 'HS256' }, decode(user.jwt.split('.')[1] ?? ''))
    for (const token of [user.jwt, resigned]) {
      const { status, at } = await send(['GET', '/api/users/me'], token)
      assert.deepEqual([status, at('username')], [200, 'user'])
    }
  })

  it('every forgery is refused with 401', async () => {
    const all = Object.entries(forgeries(user.jwt, other))
    assert.ok(all.length >= 29)
    for (const [name, token] of all)
      for (const target of REQUESTS) {
        const { status, text } = await send(target, token)
        assert.equal(status, 401, `${name}, ${target.join(' ')}: ${text}`)
      }
  })

  it('no forgery has written anything, and the session is still valid', async () => {
    const { status, at } = await send(['GET', '/api/notes?status=draft'], user.jwt)
    assert.deepEqual([status, at('data')], [200, []])
  })
})

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { createJwt } from './jwt.ts'

const SECRET = 'a-secret-of-more-than-thirty-two-characters'
const jwt = createJwt(SECRET)
const claims = { account: 'abc', stamp: 's', session: null, expiresAt: Date.now() + 60_000 }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const payload = {
  sub: 'abc',
  stamp: 's',
  iss: 'octavo',
  aud: 'octavo:api',
  exp: Math.floor(Date.now() / 1000) + 60,
}
const signed = (header: unknown, body: unknown, algorithm = 'sha256') => {
  const text = `${encode(header)}.${encode(body)}`
  return `${text}.${createHmac(algorithm, SECRET).update(text).digest('base64url')}`
}

test('a token carries the signed claims', async () => {
  const verified = await jwt.verify(await jwt.sign({ ...claims, session: 'one' }))
  assert.equal(verified?.account, 'abc')
  assert.equal(verified?.stamp, 's')
  assert.equal(verified?.session, 'one')
  assert.ok(
    await jwt.verify(signed({ alg: 'HS256' }, payload)),
    'the forgeries below start from a good token',
  )
})

test('the algorithm none is rejected', async () => {
  assert.equal(await jwt.verify(`${encode({ alg: 'none' })}.${encode(payload)}.`), null)
  assert.equal(await jwt.verify(signed({ alg: 'none' }, payload)), null)
})

test('another algorithm is rejected, even with the right secret', async () => {
  assert.equal(await jwt.verify(signed({ alg: 'HS512' }, payload, 'sha512')), null)
  assert.equal(await jwt.verify(signed({ alg: 'RS256' }, payload)), null)
})

test('a tampered token is rejected', async () => {
  const [header, , signature] = (await jwt.sign(claims)).split('.')
  assert.equal(await jwt.verify(`${header}.${encode({ ...payload, sub: 'root' })}.${signature}`), null)
})

test('an expired token and one without an expiry are rejected', async () => {
  assert.equal(await jwt.verify(await jwt.sign({ ...claims, expiresAt: Date.now() - 60_000 })), null)
  const { exp: _, ...endless } = payload
  assert.equal(await jwt.verify(signed({ alg: 'HS256' }, endless)), null)
})

test('a token with another issuer, audience or secret is rejected', async () => {
  assert.equal(await jwt.verify(signed({ alg: 'HS256' }, { ...payload, iss: 'other' })), null)
  assert.equal(await jwt.verify(signed({ alg: 'HS256' }, { ...payload, aud: 'other' })), null)
  const foreign = new SignJWT(payload).setProtectedHeader({ alg: 'HS256' })
  assert.equal(await jwt.verify(await foreign.sign(new TextEncoder().encode(`${SECRET}x`))), null)
})

test('garbage is rejected without an exception', async () => {
  for (const garbage of ['', '.', '..', 'a.b.c', 'x'.repeat(10_000), `${encode({})}.${encode([])}.x`])
    assert.equal(await jwt.verify(garbage), null, garbage.slice(0, 20))
})

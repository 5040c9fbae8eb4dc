/** Attacks on accounts: forged and old tokens, guessed passwords, attributes that registration must not set. */
import { createHmac } from 'node:crypto'
import { type Attack, type Attacker, expectStatus, isRefused, pick } from '../attack.ts'
import { CLIENT_TOKEN, USER_NAME } from '../project.ts'
import type { Reply } from '../send.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signWith(secret: string, algorithm: string, header: object, claims: object): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac(algorithm, secret).update(signed).digest('base64url')}`
}

/** Tokens that resemble a real one. */
function forgedToken(attacker: Attacker): string {
  const [header = '', payload = '', signature = ''] = attacker.userToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  const guessed = pick(attacker, ['', 'secret', 'null', 'undefined', 'octavo', 'a'.repeat(32)])
  return pick(attacker, [
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'None', typ: 'JWT' })}.${payload}.${signature}`,
    `${encode({ alg: 'HS512' })}.${payload}.${signature}`,
    `${encode({ alg: 'RS256' })}.${payload}.${signature}`,
    `${header}.${encode({ ...claims, sub: 'another' })}.${signature}`,
    `${header}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -2)}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.${signature}`,
    signWith(guessed, 'sha256', { alg: 'HS256' }, claims),
    signWith(guessed, 'sha256', { alg: 'HS256', jwk: { kty: 'oct', k: guessed } }, claims),
    signWith(guessed, 'sha256', { alg: 'HS256', kid: '../../dev/null' }, claims),
    signWith(header, 'sha256', { alg: 'HS256', jku: 'http://127.0.0.1:9/' }, claims),
    'x'.repeat(8_000),
    `${CLIENT_TOKEN.slice(0, -1)}x`,
    CLIENT_TOKEN.toUpperCase(),
  ])
}

async function forgeTokens(attacker: Attacker): Promise<void> {
  const path = pick(attacker, ['/api/articles', '/api/users/me', '/admin/api/tokens', '/api/upload/files'])
  const token = forgedToken(attacker)
  expectStatus(attacker, `${path} with ${token.slice(0, 60)}`, await attacker.send(path, { token }), [401])
}

/** Guesses from many addresses, with several spellings of the name and of the path, and claimed addresses. */
async function guessPassword(attacker: Attacker): Promise<void> {
  const identifier = pick(attacker, [
    USER_NAME,
    USER_NAME.toUpperCase(),
    ` ${USER_NAME}`,
    'ordinary@example.com',
    'ORDINARY@EXAMPLE.COM',
  ])
  const path = pick(attacker, ['/api/auth/local', '/api/auth/local/', '/api//auth/local', '/API/auth/local'])
  const reply = await attacker.sendFrom(attacker.draw(2_000), path, {
    method: 'POST',
    headers: { 'x-forwarded-for': `203.0.113.${attacker.draw(250)}` },
    json: { identifier, password: `guess-${attacker.draw(1_000_000)}`, more: attacker.draw(1000) },
  })
  expectStatus(attacker, `a guess at ${path}`, reply, [400, 404])
}

/** Existing and missing accounts get the same response. */
async function findAccounts(attacker: Attacker): Promise<void> {
  const send = pick<(email: string) => Promise<Reply>>(attacker, [
    (email) =>
      attacker.sendFrom(attacker.draw(2_000), '/api/auth/forgot-password', {
        method: 'POST',
        headers: { host: 'attacker.example' },
        json: { email },
      }),
    (email) =>
      attacker.sendFrom(attacker.draw(2_000), '/api/auth/local', {
        method: 'POST',
        json: { identifier: email, password: 'wrong-Passw0rd' },
      }),
  ])
  const existing = await send('ordinary@example.com')
  const missing = await send(`missing${attacker.draw(1_000_000)}@example.com`)
  for (const reply of [existing, missing])
    expectStatus(attacker, 'a question for an account', reply, [200, 400])
  if (isRefused(existing) || isRefused(missing)) return
  if (existing.status !== missing.status || existing.text !== missing.text)
    attacker.report(`An existing account gets ${existing.text}, a missing one ${missing.text}`)
}

async function registerWithMore(attacker: Attacker): Promise<void> {
  const name = `attacker${attacker.draw(1_000_000_000)}`
  const more = pick<object>(attacker, [
    { role: 1 },
    { role: 'admin' },
    { confirmed: true },
    { blocked: false },
    { provider: 'google' },
    { resetPasswordToken: 'x' },
    { id: 1 },
    { documentId: 'x' },
    { createdAt: '2000-01-01T00:00:00.000Z' },
    { __proto__: null, constructor: { role: 1 } },
  ])
  const reply = await attacker.sendFrom(attacker.draw(2_000), '/api/auth/local/register', {
    method: 'POST',
    json: { username: name, email: `${name}@example.com`, password: 'Passw0rd-of-attackers', ...more },
  })
  expectStatus(attacker, `registering with ${JSON.stringify(more)}`, reply, [400])
}

/** A session must not outlive a new password. */
async function useOldSession(attacker: Attacker): Promise<void> {
  const name = `leaving${attacker.draw(1_000_000_000)}`
  const password = 'Passw0rd-of-attackers'
  const from = attacker.draw(2_000)
  const json = { username: name, email: `${name}@example.com`, password }
  const registered = await attacker.sendFrom(from, '/api/auth/local/register', { method: 'POST', json })
  if (isRefused(registered)) return
  expectStatus(attacker, 'registering', registered, [200])
  const { jwt: token } = JSON.parse(registered.text)
  const newPassword = `${password}-2`
  const changed = await attacker.sendFrom(from, '/api/auth/change-password', {
    method: 'POST',
    token,
    json: { currentPassword: password, password: newPassword, passwordConfirmation: newPassword },
  })
  if (isRefused(changed)) return
  expectStatus(attacker, 'changing a password', changed, [200])
  expectStatus(
    attacker,
    'a session older than the password',
    await attacker.send('/api/users/me', { token }),
    [401],
  )
}

export const ACCOUNTS: readonly Attack[] = [
  { name: 'forged tokens', pauseMs: 60, run: forgeTokens },
  { name: 'guessing a password', pauseMs: 250, attackers: 2, run: guessPassword },
  { name: 'finding accounts', pauseMs: 1_000, run: findAccounts },
  { name: 'registering with more', pauseMs: 400, run: registerWithMore },
  { name: 'old sessions', pauseMs: 2_500, run: useOldSession },
]

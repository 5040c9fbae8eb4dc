import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bearerOf, hashOf, newSecret, sameHash } from './bearer.ts'
import { signingSecret } from './signing-secret.ts'

test('the scheme of a bearer credential is case-insensitive', () => {
  assert.equal(bearerOf('Bearer abc'), 'abc')
  assert.equal(bearerOf('bearer  abc '), 'abc')
})

test('a missing header, another scheme and a malformed header give no credential', () => {
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'abc',
    'Bearer a b',
    'Bearerabc',
  ])
    assert.equal(bearerOf(header), null, String(header))
})

test('secrets are unique, and their hashes can be compared', () => {
  const [a, b] = [newSecret('octavo'), newSecret('octavo')]
  assert.match(a, /^octavo_[\w-]{43}$/)
  assert.notEqual(a, b)
  assert.equal(sameHash(hashOf(a), hashOf(a)), true)
  assert.equal(sameHash(hashOf(a), hashOf(b)), false)
  assert.equal(sameHash(hashOf(a), ''), false)
})

test('in development the signing secret is generated once, readable only by its owner', async () => {
  const stateFolder = await mkdtemp(join(tmpdir(), 'octavo-secret-'))
  try {
    const secrets = await Promise.all(
      Array.from({ length: 5 }, () => signingSecret(null, { stateFolder, production: false })),
    )
    assert.equal(new Set(secrets).size, 1)
    assert.ok((secrets[0]?.length ?? 0) >= 32)
    assert.deepEqual(await readdir(stateFolder), ['auth-secret'])
    assert.equal((await stat(join(stateFolder, 'auth-secret'))).mode & 0o077, 0)
  } finally {
    await rm(stateFolder, { recursive: true })
  }
})

test('production requires a signing secret of sufficient length', async () => {
  const production = { stateFolder: null, production: true }
  await assert.rejects(signingSecret(null, production), /required in production/)
  await assert.rejects(signingSecret('short', production), /at least 32/)
  assert.equal(await signingSecret('x'.repeat(32), production), 'x'.repeat(32))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from './password.ts'

test('memory used for hashing is released', async () => {
  const resident = () => process.memoryUsage.rss() / 2 ** 20
  const before = resident()
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 4 }, () => hashPassword('again')))
  const after = resident()
  assert.ok(after - before < 40, `${before} MB became ${after} MB`)
})

test('a hash matches its password and no other', async () => {
  const hash = await hashPassword('correct horse')
  assert.match(hash, /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  assert.equal(await verifyPassword('correct horse', hash), true)
  assert.equal(await verifyPassword('correct horsf', hash), false)
  assert.equal(await verifyPassword('', hash), false)
})

test('each hash of a password is different', async () => {
  assert.notEqual(await hashPassword('again'), await hashPassword('again'))
})

test('no password matches a missing hash or a hash of another kind', async () => {
  assert.equal(await verifyPassword('', null), false)
  assert.equal(await verifyPassword('x', 'x'), false)
  assert.equal(await verifyPassword('x', '$2b$10$abcdefghijklmnopqrstuv'), false)
})

test('composed and decomposed characters are the same password', async () => {
  assert.equal(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9')), true)
})

test('too many waiting sign-ins get a 503, and later ones succeed', async () => {
  const flood = await Promise.allSettled(
    Array.from({ length: 205 }, () => verifyPassword('x', null, { memory: 8 })),
  )
  const refused = flood.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 5)
  for (const { reason } of refused) assert.equal(reason.status, 503)
  assert.equal(await verifyPassword('x', await hashPassword('x')), true)
})

test('more or less memory can be used, and each hash is verified with its own', async () => {
  const hash = await hashPassword('x', { memory: 1_024 })
  assert.match(hash, /^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
  assert.equal(await verifyPassword('x', hash), true)
  assert.equal(await verifyPassword('y', hash), false)
})

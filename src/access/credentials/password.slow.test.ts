import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from './password.ts'

test('the memory that hashing takes is given back', async () => {
  const resident = () => process.memoryUsage.rss() / 2 ** 20
  const before = resident()
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 4 }, () => hashPassword('again')))
  const after = resident()
  assert.ok(after - before < 40, `${before} MB became ${after} MB`)
})

test('a password is recognised by its hash, and only it', async () => {
  const hash = await hashPassword('correct horse')
  assert.match(hash, /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  assert.equal(await verifyPassword('correct horse', hash), true)
  assert.equal(await verifyPassword('correct horsf', hash), false)
  assert.equal(await verifyPassword('', hash), false)
})

test('the same password never has the same hash twice', async () => {
  assert.notEqual(await hashPassword('again'), await hashPassword('again'))
})

test('nothing is the password of no hash or of a hash of another kind', async () => {
  assert.equal(await verifyPassword('', null), false)
  assert.equal(await verifyPassword('x', 'x'), false)
  assert.equal(await verifyPassword('x', '$2b$10$abcdefghijklmnopqrstuv'), false)
})

test('a password typed with composed or decomposed letters is the same password', async () => {
  assert.equal(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9')), true)
})

test('a flood of sign-ins is refused once too many wait, and recovers', async () => {
  const flood = await Promise.allSettled(Array.from({ length: 205 }, () => verifyPassword('x', null)))
  const refused = flood.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 5)
  for (const { reason } of refused) assert.equal(reason.status, 503)
  assert.equal(await verifyPassword('x', await hashPassword('x')), true)
})

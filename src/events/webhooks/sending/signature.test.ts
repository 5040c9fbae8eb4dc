import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { isSecret, newMessageId, newSecret, signedHeaders } from './signature.ts'

it('every body is verified by the public library, with each of the secrets and no other', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      const [current, previous, other] = [newSecret(), newSecret(), newSecret()]
      const headers = { ...signedHeaders(newMessageId(), body, [current, previous], Date.now()) }
      for (const secret of [current, previous])
        assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
      assert.throws(() => new Webhook(other).verify(body, headers))
      assert.throws(() => new Webhook(current).verify(`${body} `, headers))
    }),
    { numRuns: 50 },
  )
})

it('a secret has a prefix and 24 to 64 bytes in base64', () => {
  assert.ok(isSecret(newSecret()))
  const encoded = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')
  for (const bytes of [24, 64]) assert.ok(isSecret(`whsec_${encoded(bytes)}`))
  for (const secret of [
    '',
    'whsec_',
    encoded(32),
    `whsec_${encoded(23)}`,
    `whsec_${encoded(65)}`,
    'whsec_***',
  ])
    assert.ok(!isSecret(secret), secret)
})

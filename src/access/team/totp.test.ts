import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingStep, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts'

/** The secret of the test vectors of RFC 6238, `12345678901234567890`, in Base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes are those of RFC 6238', () => {
  const vectors: readonly (readonly [number, string])[] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors) assert.equal(totpCode(RFC_SECRET, totpStep(seconds * 1000)), code)
})

test('a code is valid in its own step and the ones beside it, and not after it was used', () => {
  const secret = newTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const now = 1_700_000_000_000
  const step = totpStep(now)
  const code = totpCode(secret, step)
  assert.equal(matchingStep(secret, code, now, 0), step)
  assert.equal(matchingStep(secret, code, now + 30_000, 0), step)
  assert.equal(matchingStep(secret, code, now - 30_000, 0), step)
  assert.equal(matchingStep(secret, code, now + 90_000, 0), null)
  assert.equal(matchingStep(secret, code, now, step), null)
  for (const wrong of ['', '12345', '1234567', 'abcdef', 'ünïcöd'])
    assert.equal(matchingStep(secret, wrong, now, 0), null)
})

test('the address for authenticator apps names the server and the account', () => {
  assert.equal(
    totpUri('ABC', 'jane@example.test', 'Octavo'),
    'otpauth://totp/Octavo:jane%40example.test?secret=ABC&issuer=Octavo',
  )
})

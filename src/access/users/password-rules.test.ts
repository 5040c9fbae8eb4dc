/** Which new passwords are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COMMON_PASSWORDS } from '../credentials/common-passwords.ts'
import { isEasilyGuessed, passwordProblems } from './password-rules.ts'

const RULES = { minLength: 8, refuseCommon: true }
const isRefused = async (password: string, names: readonly string[] = []) =>
  (await passwordProblems(password, RULES, names)).length > 0

test('refuses common passwords in any case, with digits and punctuation around them', async () => {
  for (const password of [
    ...[
      'password',
      'PASSWORD',
      'Password1!',
      '123Password',
      'iloveyou2024',
      'Welcome#1',
      'trustno1',
      'ｐａｓｓｗｏｒｄ',
    ],
    ...['12345678', '87654321', '11111111', '12121212', 'qwertyuiop', 'poiuytrewq', '1qaz2wsx', '1q2w3e4r5t'],
    ...['abcdefgh', 'aaaaaaaaaaaa', 'passwordpassword', 'asdfghjkl', '00000000'],
  ])
    assert.equal(await isRefused(password), true, password)
})

test('accepts what is not on the list', async () => {
  for (const password of [
    'correct horse',
    'ada-Passw0rd',
    'k7#pQ2!x',
    'vier Füße im Schnee',
    '48151623',
    'mypasswordisgreen',
  ])
    assert.equal(await isRefused(password), false, password)
})

test('refuses short passwords and the names of the user', async () => {
  assert.equal(await isRefused('k7#pQ2!'), true)
  assert.equal(await isRefused('Ada.Lovelace', ['ada.lovelace', 'ada@example.com']), true)
  assert.equal(await isRefused('ADA@example.com', ['ada', 'ada@example.com']), true)
  const lenient = { minLength: 4, refuseCommon: false }
  assert.deepEqual(await passwordProblems('password', lenient), [])
})

test('refuses every word of the list with any digits around it', () => {
  const words = [...COMMON_PASSWORDS].filter((word) => /^[a-z]+$/.test(word))
  const digits = fc.integer({ min: 0, max: 99_999 }).map(String)
  fc.assert(
    fc.property(fc.constantFrom(...words), digits, digits, (word, before, after) => {
      assert.equal(isEasilyGuessed(`${before}${word}${after}`, COMMON_PASSWORDS), true)
    }),
  )
})

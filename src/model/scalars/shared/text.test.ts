import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertRefused, filter, parse, roundTrip, TEXTS } from '../../../../test/support/scalars.ts'
import { Pattern } from '../../pattern/pattern.ts'
import { scalarTypes } from '../index.ts'

describe('text', () => {
  test('numbers, booleans, lists and objects are not converted to text', () => {
    for (const type of TEXTS) assertRefused(type, [1, 0, true, false, [], ['a'], {}])
  })

  test('text is returned as it was sent', () => {
    const texts = ['', ' ', 'a', 'Ünïcode 寿司 🍕', '"quotes" and \\ and \n', '</script>', '\u2028']
    for (const text of texts) {
      for (const type of ['string', 'text', 'richtext'] as const) assert.equal(roundTrip(type, text), text)
    }
  })

  test('U+0000 and lone surrogates are refused, because a database cannot store them', () => {
    for (const type of ['string', 'text', 'richtext', 'password'] as const)
      assertRefused(type, ['a\0b', '\ud83c'])
    for (const type of ['string', 'enumeration', 'uid'] as const) {
      assert.equal(filter(type, 'a\0b').ok, false)
      assert.equal(filter(type, '\udf55').ok, false)
    }
  })

  test('a string has at most 255 characters without maxLength; a text has no limit', () => {
    assert.equal(parse('string', 'x'.repeat(255)).ok, true)
    assertRefused('string', ['x'.repeat(256)])
    assert.equal(parse('string', 'x'.repeat(256), { maxLength: 300 }).ok, true)
    assert.equal(parse('text', 'x'.repeat(100_000)).ok, true)
    assert.equal(parse('richtext', 'x'.repeat(100_000)).ok, true)
  })

  test('lengths and formats are checked when publishing', () => {
    assertRefused('string', ['', 'a'], { minLength: 2 })
    assertRefused('string', ['abcd'], { maxLength: 3 })
    assertRefused('string', ['abc', '1234'], { regex: new Pattern('^[0-9 ]{5,20}$') })
    assert.equal(
      roundTrip('string', '', { regex: new Pattern('^[0-9]{5}$') }),
      '',
      'an empty string passes a regex',
    )
    assertRefused('string', [''], { regex: new Pattern('^[0-9]{5}$'), required: true })
    assert.equal(roundTrip('string', '', { regex: new Pattern('^[0-9]*$'), required: true }), '')
    assert.equal(roundTrip('uid', 'ok-slug_1.~'), 'ok-slug_1.~')
    assert.equal(roundTrip('uid', ''), '')
    assertRefused('uid', ['with space', 'ü', 'a/b'])
  })

  test('drafts are checked for type and maximum length, but not for format and minimum length', () => {
    assert.equal(parse('string', 'a', { minLength: 2 }, 'draft').ok, true)
    assert.equal(parse('string', 'abc', { regex: new Pattern('^\\d+$') }, 'draft').ok, true)
    assert.equal(parse('string', '', { regex: new Pattern('^\\d+$'), required: true }, 'draft').ok, true)
    assert.equal(parse('email', 'nope', {}, 'draft').ok, true)
    assert.equal(parse('uid', 'with space', {}, 'draft').ok, true)
    assert.equal(parse('string', 'abcd', { maxLength: 3 }, 'draft').ok, false)
    assert.equal(parse('string', 5, {}, 'draft').ok, false)
  })

  test('a value that is too long to be matched against a pattern is refused', () => {
    const regex = new Pattern('^(a+)+$')
    const text = 'a'.repeat(regex.maxLength + 1)
    assert.deepEqual(parse('text', text, { regex }), {
      ok: false,
      message: 'must have at most 100000 characters, because it is matched against a pattern',
    })
    assert.equal(parse('text', text, { regex }, 'draft').ok, true)
  })

  test('e-mail addresses keep their letter case', () => {
    for (const address of [
      'A@B.CO',
      'a.b+c@x-y.example',
      "o'brien@example.test",
      'ü@ex.com',
      'a@münchen.de',
      'ελ@παράδειγμα.ελ',
      'a@my_host.example',
      'a@नेपाल.भारत',
    ]) {
      assert.equal(roundTrip('email', address), address)
    }
    assertRefused('email', [
      '',
      'not-an-email',
      '@b.co',
      'a@',
      'a@b..co',
      'a b@c.de',
      'a@-b.co',
      'a@b@c.de ',
      'a@b.c_',
      'a@b',
      'a@localhost',
      'a..b@x.com',
      '.a@x.com',
      'a.@x.com',
      'a@.x.com',
      'a@x.com.',
      'a@x.com-',
      'a@x y.com',
      'ü\u00a0b@x.com',
      'a\u200b@x.com',
      'a"b@x.com',
      '@.',
      `${'a'.repeat(65)}@x.com`,
      `a@${'b'.repeat(64)}.com`,
    ])
  })

  test('an enumeration accepts its words exactly, also in drafts', () => {
    const rules = { enum: ['italian', 'french'] }
    assert.equal(roundTrip('enumeration', 'french', rules), 'french')
    assertRefused('enumeration', ['ITALIAN', '', 3, 'other'], rules)
    assert.equal(parse('enumeration', 'other', rules, 'draft').ok, false)
  })

  test('a password is never served and cannot be filtered', () => {
    assert.equal(scalarTypes.password.json('hash'), 'null')
    assert.equal(filter('password', 'x').ok, false)
    assertRefused('password', ['12345'], { minLength: 6 })
    assert.equal(parse('password', '12345', { minLength: 6 }, 'draft').ok, false)
  })
})

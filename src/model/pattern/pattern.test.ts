import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Pattern } from './pattern.ts'

const ADVERSARIAL: readonly (readonly [source: string, repeated: string, last: string])[] = [
  ['^(a+)+$', 'a', '!'],
  ['^(a|aa)+$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$', 'a', '!'],
  ['^(\\w+\\s?)*$', 'a', '!'],
  ['(.*a){20}', 'a', '!'],
  ['^(?=(a+)+$)b', 'a', '!'],
  ['^(?!(a+)+$)(a|aa)+$', 'a', '!'],
  ['\\s+$', ' ', 'x'],
]

/** Milliseconds of the fastest of five runs. */
function fastest(run: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return Math.min(...times)
}

describe('a pattern that makes JavaScript backtrack', () => {
  for (const [source, repeated, last] of ADVERSARIAL) {
    test(`${source} takes time proportional to the length of the text`, () => {
      const pattern = new Pattern(source)
      assert.equal(pattern.problem(), null)
      const harmless = new Pattern('^[a-z]+$')
      const text = repeated.repeat(20_000) + last
      pattern.test(text)
      // A backtracking engine would not return within the lifetime of the machine.
      assert.ok(fastest(() => pattern.test(text)) < 100 * fastest(() => harmless.test(text)) + 500)
    })
  }
})

describe('a pattern has the meaning that it has in JavaScript', () => {
  const cases: readonly (readonly [source: string, texts: readonly string[]])[] = [
    ['a$', ['a', 'a\n', 'ab', 'ba']],
    ['^.$', ['\n', '\r', '\u2028', '\u2029', 'a', '\t']],
    ['^\\d$', ['5', '٣', 'a']],
    ['^\\w+$', ['a_9', 'é', 'ſ', 'K']],
    ['^\\s$', ['\u00a0', '\ufeff', '\v', '\u3000', '\u2003', 'a', '\u200b']],
    ['^\\S$', ['\u00a0', '\ufeff', 'a', '\u200b', '\0']],
    ['^[\\s,-]+$', ['\u00a0,-', 'a']],
    ['^[\\S]+$', ['abc', 'a c']],
    ['^[^\\S]$', [' ', 'a']],
    ['\\bfoo\\b', ['a foo b', 'foot', 'éfoo']],
    ['[[:alpha:]]', ['a]', ':]', 'z]']],
    ['^[]', ['', 'a']],
    ['^[^]$', ['a', '\n']],
    ['\\A\\z\\Q', ['AzQ', '']],
    ['^\\p{L}$', ['p{L}', 'é']],
    ['^a{,2}$', ['a{,2}', 'aa']],
    ['^\\u0041\\x42\\cJ\\0$', ['AB\n\0', 'AB']],
    ['^[\\b]$', ['\b', 'b']],
    ['^(?<year>\\d{4})-\\d\\d$', ['2024-02', '24-02']],
    ['^\\/[a-z\\-_.]+\\@$', ['/a-b_.@', '/a b@']],
    ['^(?:https?:\\/\\/)?[\\w.-]+(?:\\.[\\w.-]+)+$', ['https://a.b.co', 'a', 'a.b']],
    ['^(?=.*\\d)(?=.*[A-Z]).{8,}$', ['abcdefG1', 'abcdefgh', 'ABCDEFG1', 'aG1']],
    ['^(?!.*--)[a-z0-9-]+$', ['a-b', 'a--b', '']],
    ['^(?=.{3,8}$)[a-z]+(?:-[a-z]+)*$', ['abc', 'ab', 'abc-defgh', 'ab-cd']],
    ['^(\\d\\d)([-/])\\d\\d\\2\\d\\d$', ['01-02-03', '01/02/03', '01-02/03']],
    ['^.{1,2000}$', ['', 'a', 'a'.repeat(900)]],
  ]
  for (const [source, texts] of cases) {
    test(source, () => {
      const pattern = new Pattern(source)
      assert.equal(pattern.problem(), null)
      for (const text of texts)
        assert.equal(pattern.test(text), new RegExp(source).test(text), JSON.stringify(text))
    })
  }

  const atom = fc.constantFrom(
    ...[
      'a',
      'b',
      '-',
      '.',
      '\\d',
      '\\w',
      '\\s',
      '\\S',
      '\\.',
      '\\-',
      '[a-c]',
      '[^a]',
      '[\\w-]',
      '[\\d.]',
      '\\b',
    ],
  )
  const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?')
  const sequence = fc
    .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([one, times]) => (one === '\\b' ? one : one + times)).join(''))
  const source = fc
    .tuple(fc.constantFrom('', '^'), sequence, fc.option(sequence), quantifier, fc.constantFrom('', '$'))
    .map(
      ([start, one, other, times, end]) =>
        `${start}(${other === null ? one : `${one}|${other}`})${times}${end}`,
    )

  test('any pattern of usual parts', () => {
    fc.assert(
      fc.property(
        source,
        fc.string({
          unit: fc.constantFrom('a', 'b', 'c', '-', '.', '1', ' ', '\n', 'é', '\u00a0'),
          maxLength: 8,
        }),
        (pattern, text) => {
          assert.equal(new Pattern(pattern).test(text), new RegExp(pattern).test(text), `${pattern} ${text}`)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

test('characters beyond U+FFFF count as one', () => {
  assert.equal(new Pattern('^.$').test('🍕'), true)
  assert.equal(new Pattern('^[🍕🍔]$').test('🍔'), true)
})

describe('a pattern is refused', () => {
  for (const source of ['^a(?=(b+)+$)', '(?<=a)b+c*', '^(a+)+\\1$', '(a|b)+\\1', '^(?=a)b|c*d*(?=e)'])
    test(`${source}, because it cannot be matched in bounded time`, () => {
      assert.match(new Pattern(source).problem() ?? '', /cannot be matched in bounded time/)
    })

  test('when it is not a regular expression', () => {
    assert.match(new Pattern('(').problem() ?? '', /^is not a regular expression/)
  })
})

test('text beyond the maximum length is not tested', () => {
  const pattern = new Pattern('^a+$')
  assert.equal(pattern.test('a'.repeat(pattern.maxLength)), true)
  assert.equal(pattern.test('a'.repeat(pattern.maxLength + 1)), false)
  assert.ok(new Pattern('^(a)\\1$').maxLength < pattern.maxLength)
})

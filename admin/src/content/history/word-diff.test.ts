import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { diffWords } from './word-diff.ts'

describe('the comparison of two texts', () => {
  it('shows what was removed and added, word by word', () => {
    assert.deepEqual(diffWords('Open every day.', 'Open every weekday, late.'), [
      { kind: 'same', text: 'Open every ' },
      { kind: 'removed', text: 'day' },
      { kind: 'added', text: 'weekday, late' },
      { kind: 'same', text: '.' },
    ])
    assert.deepEqual(diffWords('', 'new'), [{ kind: 'added', text: 'new' }])
    assert.deepEqual(diffWords('old', ''), [{ kind: 'removed', text: 'old' }])
  })

  it('contains both texts, and long ones too', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'é', ' ', '.', '\n', '漢'), { maxLength: 60 })
      .map((all) => all.join(''))
    const textOf = (parts: ReturnType<typeof diffWords>, without: string) =>
      parts.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('')
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const parts = diffWords(before, after)
        assert.equal(textOf(parts, 'added'), before)
        assert.equal(textOf(parts, 'removed'), after)
      }),
    )
    const long = 'word '.repeat(5_000)
    assert.equal(textOf(diffWords(long, `${long}more`), 'removed'), `${long}more`)
  })
})

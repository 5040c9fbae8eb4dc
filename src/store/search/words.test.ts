import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fold } from '../fold/fold.ts'
import { fullTextQuery } from './full-text-query.ts'
import { indexedText, MARK, partsOf, wordsOf, wordsOfUnfolded } from './words.ts'

describe('the words of a text', () => {
  it('are separated by ASCII characters that are no letters or digits', () => {
    assert.deepEqual(wordsOf('chez émile_100% bon! bon'), ['bon', 'chez', 'émile', '100'])
  })

  it('are indexed by their trigrams if they are long or of a script without spaces', () => {
    assert.equal(indexedText('abc 日本語の'), `abc ${MARK}日本語 ${MARK}本語の`)
    assert.equal(indexedText('x'.repeat(32)), 'x'.repeat(32))
    assert.equal(indexedText('x'.repeat(33)), Array.from({ length: 31 }, () => `${MARK}xxx`).join(' '))
    assert.deepEqual(wordsOf(`abc 日本語の ${'x'.repeat(33)}`), ['abc'])
  })
})

describe('the words of any text', () => {
  const unit = fc.constantFrom(
    'a',
    'b',
    'Z',
    '9',
    'é',
    '\x80',
    '😀',
    ' ',
    '_',
    '-',
    '/',
    ':',
    '@',
    '[',
    '`',
    '{',
    '\x7f',
  )

  it('are those between separators, without the short ones', () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const words = text.split(/[ _/:@[`{\x7f-]/).filter((word) => [...word].length >= 3)
        const whole = words.filter((word) => [...word].length <= 32)
        assert.deepEqual(new Set(wordsOf(text)), new Set(whole))
        if (whole.length === words.length) assert.equal(indexedText(text), text)
      }),
    )
  })
})

describe('the parts of a search term', () => {
  const shapes = (term: string) =>
    partsOf(term).map(({ text, startsWord, endsWord }) => [startsWord, text, endsWord])

  it('are whole words, except where the term begins and ends', () => {
    assert.deepEqual(shapes('bour at night mar'), [
      [false, 'bour', true],
      [true, 'night', true],
      [true, 'mar', false],
    ])
    assert.deepEqual(shapes('(night)'), [[true, 'night', true]])
  })

  it('are none where no word has three characters', () => {
    for (const term of ['', 'ab', 'ab cd', '...', '😀😀', 'abc\0def'])
      assert.deepEqual(shapes(term), [], term)
  })
})

describe('a full-text query', () => {
  it('has the rarest parts of a term, and none when too many words match', () => {
    const found = (number: number, word: string, areAll: 0 | 1 = 1) => [areAll, [[number, word]]] as const
    assert.match(fullTextQuery('arbo', [found(1, 'harbour')]) ?? '', /^\("harbour" OR /)
    assert.equal(fullTextQuery('arbo', [found(1, 'harbour', 0)]), null)
    assert.equal(
      fullTextQuery('arbo night', [found(9, 'harbour', 0), found(1, 'night')]),
      fullTextQuery(' night', [found(1, 'night')]),
    )
    const three =
      fullTextQuery('one two three', [found(1, 'one'), found(900, 'two'), found(50, 'three')]) ?? ''
    assert.match(three, /^\("two" OR .*\) AND \("three" OR /)
    assert.doesNotMatch(three, /"one"/)
  })

  it('finds every word that contains a part of the text', () => {
    const word = fc.string({
      minLength: 3,
      maxLength: 12,
      unit: fc.constantFrom('a', 'b', 'é', '1', '日', '😀'),
    })
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        (words, from, length) => {
          const text = [...words.join(' ')]
          const start = from % text.length
          const term = text.slice(start, start + 3 + (length % text.length)).join('')
          const indexed = new Set(indexedText(text.join('')).split(' '))
          const listed = wordsOf(text.join(''))
          for (const part of partsOf(term)) {
            const isListed = listed.some((one) => one.includes(part.text))
            assert.ok(
              isListed || part.marked.every((trigram) => indexed.has(trigram)),
              `${term} in ${text.join('')}`,
            )
          }
        },
      ),
    )
  })
})

describe('the words of a text that is not folded', () => {
  it('are the words of the folded text', () => {
    // Among them letters that are folded to ASCII letters, and separators.
    const unit = fc.constantFrom(
      ...'aBzZ9éÉßẞΣςσİıſK\u212A日本 ',
      '_',
      '-',
      '\n',
      '\x7f',
      '😀',
      '𐐀',
      'x'.repeat(31),
    )
    const repeated = fc.constantFrom('word', 'words', 'sword', 'WORD', 'w\u00f6rd', ' ', '-')
    const text = fc.oneof(
      fc.string({ unit }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(repeated, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (raw) => {
        assert.deepEqual(wordsOfUnfolded(raw).toSorted(), wordsOf(fold(raw)).toSorted())
      }),
      { numRuns: 1_000 },
    )
  })

  it('are listed too where the text before has them at a place within a word', () => {
    for (const text of ['--- word', '--- word', '---sword word', '--- words word'])
      assert.ok(wordsOfUnfolded(text).includes('word'), text)
  })

  it('are each listed once, in the order of the text', () => {
    assert.deepEqual(wordsOfUnfolded('Chez ÉMILE chez Émile 100% bon'), ['chez', 'émile', '100', 'bon'])
  })
})

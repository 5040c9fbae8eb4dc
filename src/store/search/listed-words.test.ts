import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createListedWords } from './listed-words.ts'
import { wordsOfUnfolded } from './words.ts'

describe('the words that search indexes list', () => {
  it('include all words of the texts since they were last forgotten, each index for itself', () => {
    const unit = fc.constantFrom(...'abAÉß日 ', 'x'.repeat(12), 'x'.repeat(31))
    const text = fc.record({ index: fc.constantFrom('one', 'two'), text: fc.string({ unit, maxLength: 30 }) })
    const steps = fc.array(fc.oneof({ weight: 5, arbitrary: text }, fc.constant('forget')), { maxLength: 20 })
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 3, 1_000), (all, maxWords) => {
        const listed = createListedWords(maxWords)
        const lists = new Map<string, Set<string>>()
        for (const step of all) {
          if (typeof step === 'string') {
            listed.forget()
            lists.clear()
            continue
          }
          const list = lists.get(step.index) ?? new Set()
          lists.set(step.index, list)
          for (const word of listed.take(step.index, step.text)) list.add(word)
          for (const word of wordsOfUnfolded(step.text)) assert.ok(list.has(word), word)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('are not taken again as long as they are few', () => {
    const listed = createListedWords(3)
    assert.deepEqual(listed.take('index', 'Chez Émile, chez'), ['chez', 'émile'])
    assert.deepEqual(listed.take('index', 'Chez Émile bon'), ['bon'])
    assert.deepEqual(listed.take('index', 'Chez bon'), ['chez', 'bon'])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { localesInLine, localesInOrder } from './shown-locales.ts'

const MANY = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'fi']
const STATUSES = { de: 'draft', fr: 'published', sv: 'modified' }

describe('the locales of a document', () => {
  test('are all shown in a list if there are few', () => {
    assert.deepEqual(localesInLine(['en', 'fr'], {}), { shown: ['en', 'fr'], more: [] })
  })

  test('are those that it has, with the number of others, if there are many', () => {
    assert.deepEqual(localesInLine(MANY, STATUSES), { shown: ['fr', 'de'], more: ['sv'] })
  })

  test('are found at the start of a long list, with the one that is open', () => {
    assert.deepEqual(localesInOrder(MANY, STATUSES, 'fi').slice(0, 5), ['fr', 'de', 'sv', 'fi', 'en'])
    assert.deepEqual(localesInOrder(['en', 'fr'], { fr: 'draft' }, 'en'), ['en', 'fr'])
  })
})

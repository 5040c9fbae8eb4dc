import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

const ARTICLES = 5

type Step =
  | { readonly kind: 'join' | 'leave' | 'first'; readonly article: number }
  | { readonly kind: 'last' | 'set'; readonly articles: readonly number[] }

const article = fc.nat({ max: ARTICLES - 1 })
const articles = fc.uniqueArray(article, { maxLength: ARTICLES })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('join', 'leave', 'first'), article }),
  fc.record({ kind: fc.constantFrom('last', 'set'), articles }),
)

/** Each new order has positions after those of the order before. */
const REORDERED: readonly Step[] = [
  ...Array.from({ length: 6 }, (_, index): Step => ({ kind: 'set', articles: [index % 3, (index + 1) % 3] })),
  { kind: 'join', article: 3 },
  { kind: 'last', articles: [4] },
  { kind: 'join', article: 2 },
]

/** The list of a tag after a step. */
function applied(list: readonly number[], one: Step): readonly number[] {
  const without = (some: readonly number[]) => list.filter((each) => !some.includes(each))
  switch (one.kind) {
    case 'join':
      return list.includes(one.article) ? list : [...list, one.article]
    case 'leave':
      return without([one.article])
    case 'first':
      return [one.article, ...without([one.article])]
    case 'last':
      return [...without(one.articles), ...one.articles]
    case 'set':
      return one.articles
  }
}

onEachEngine((engine) => {
  describe('the list of a document', () => {
    let database: TestDatabase
    before(async () => {
      database = await openTestDatabase(engine)
    })
    after(() => database.close())

    it('keeps the order of all additions, from either side of the relation', async () => {
      const create = (index: number) => database.create('article', { title: `Article ${index}` })
      const ids = await Promise.all(Array.from({ length: ARTICLES }, (_, index) => create(index)))
      const idsOf = (some: readonly number[]) => some.map((index) => ids[index] ?? '')
      let labels = 0
      const write = (tag: string, one: Step) => {
        switch (one.kind) {
          case 'join':
            return database.update('article', ids[one.article] ?? '', { tags: { connect: [tag] } })
          case 'leave':
            return database.update('article', ids[one.article] ?? '', { tags: { disconnect: [tag] } })
          case 'first': {
            const [documentId] = idsOf([one.article])
            return database.update('tag', tag, {
              articles: { connect: [{ documentId, position: { start: true } }] },
            })
          }
          case 'last':
            return database.update('tag', tag, { articles: { connect: idsOf(one.articles) } })
          case 'set':
            return database.update('tag', tag, { articles: idsOf(one.articles) })
        }
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const tag = await database.create('tag', { label: `ordered ${++labels}` })
          let expected: readonly number[] = []
          for (const one of steps) {
            await write(tag, one)
            expected = applied(expected, one)
            assert.deepEqual(await database.related('tag', tag, 'articles'), idsOf(expected))
          }
        }),
        { numRuns: 40, examples: [[[...REORDERED]]] },
      )
    })
  })
})

/** Sends arbitrary JSON as a body: it is stored or refused with a named error, equally on both engines. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase, SCHEMAS, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { ApiError } from '../../errors.ts'

const TEXTS = [
  '',
  '0',
  '1',
  '-1',
  '1e400',
  'null',
  'a\u0000b',
  '\ud800',
  '%_\\',
  '2024-02-30',
  '👩‍🍳',
  'x'.repeat(300),
  '__proto__',
]
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, null, true, false, 0, -0, 1, 1.5, -1, 2 ** 53, 1e308, 5e-324),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const operation = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(
    fc.constantFrom(
      'set',
      'connect',
      'disconnect',
      'id',
      'documentId',
      'position',
      'before',
      'start',
      '__type',
      '__component',
      'title',
      'items',
      'tags',
    ),
    value,
    { maxKeys: 3 },
  )
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('node'), { maxLength: 3 }),
    operation(tie('node')),
  ),
})).node

const attributes = Object.keys(SCHEMAS['api::article.article'].attributes)
const body = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...attributes) }, { weight: 1, arbitrary: fc.string() }),
  value,
  {
    maxKeys: 4,
    noNullPrototype: true,
  },
)

/** The results for the bodies of a seed, for comparison between the engines. */
const outcomes = new Map<string, string[]>()
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? Date.now() % 1_000_000)

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
  })
  after(() => database.close())

  describe('any body', () => {
    it(`is stored or refused with a named error (seed ${SEED})`, async () => {
      const tag = await database.create('tag', { label: 'known' })
      const seen: string[] = []
      outcomes.set(engine.name, seen)
      await fc.assert(
        fc.asyncProperty(
          body,
          fc.constantFrom('draft' as const, 'published' as const),
          async (data, status) => {
            const named = {
              ...data,
              ...(typeof data.title === 'string' ? {} : { title: 'Fuzz' }),
              editor: null,
              ...(data.tags === '1' ? { tags: [tag] } : {}),
            }
            try {
              const id = await database.create('article', named, { status })
              seen.push('stored')
              await database.update('article', id, data, { status: 'draft' })
              await database.remove('article', id)
              seen.push('updated')
            } catch (error) {
              assert.ok(
                error instanceof ApiError && error.status < 500,
                `${error} for ${JSON.stringify(named)}`,
              )
              seen.push(`${error.name} ${error.message}`)
            }
          },
        ),
        { numRuns: 300, seed: SEED, endOnFailure: true },
      )
    })
  })
})

after(() => {
  const [one, other] = [...outcomes.values()]
  if (one && other) assert.deepEqual(one, other)
})

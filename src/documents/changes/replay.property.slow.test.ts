/** Whoever applies the records of writes in their order arrives at the content that is stored. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Transaction } from '../../store/store.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { type Version, type Versions, versionOf } from '../versions/version.ts'
import type { ChangeRecord, ChangeSink, VersionPair } from './change-record.ts'

const RUNS = 25
const TYPES = ['article', 'author', 'tag'] as const
type Type = (typeof TYPES)[number]

/** A number stands for one of the documents that were created before. */
const document = fc.nat(5)
const locale = fc.constantFrom('en', 'fr')
const status = fc.constantFrom('draft', 'published')
const label = fc.string({ minLength: 2, maxLength: 20, unit: 'grapheme' })
const part = fc.record({ title: label, tags: fc.uniqueArray(document, { maxLength: 2 }) })
const article = fc.record(
  {
    ...{ title: label, body: label, views: fc.nat(), secret: fc.option(label) },
    ...{ author: fc.option(document), parent: fc.option(document) },
    ...{
      tags: fc.uniqueArray(document, { maxLength: 3 }),
      related: fc.uniqueArray(document, { maxLength: 2 }),
    },
    parts: fc.array(part, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
)
type Article = typeof article extends fc.Arbitrary<infer Value> ? Value : never

const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('create' as const), data: article, locale, status }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('update' as const), document, data: article, locale, status }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constantFrom('publish', 'unpublish', 'discard'), document, locale }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('remove' as const), type: fc.constantFrom(...TYPES), document }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('relate' as const),
      document,
      articles: fc.uniqueArray(document),
    }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

/** The values and entries of a version, whatever form they had before they were stored. */
const fieldsOf = (version: Version | null): unknown =>
  version && {
    values: new Map(
      [...version.values].map(([name, value]) => [name, value === null ? null : String(value)]),
    ),
    lists: new Map([...version.lists].map(([name, list]) => [name, list.isSet ? list.entries : null])),
  }

/** The documents that a version is related to, in order, by entry and relation. */
const targetsOf = (version: Version | null): unknown =>
  version &&
  new Map(
    [...version.edges].flatMap(([entry, relations]) =>
      [...relations].map(([relation, edges]) => [`${entry} ${relation}`, edges.map(({ target }) => target)]),
    ),
  )

/** What is known of one document in one locale. */
interface Known {
  readonly fields: readonly [draft: unknown, published: unknown]
  readonly targets: readonly [draft: unknown, published: unknown]
}

onEachEngine((engine) => {
  let database: TestDatabase
  let made: readonly ChangeRecord[] = []
  let targetsAfter = new Map<string, Known['targets']>()
  const known = new Map<string, Known>()

  const keyOf = ({ type, documentId, locale }: Pick<ChangeRecord, 'type' | 'documentId' | 'locale'>) =>
    [type.singular, documentId, locale].join(' ')

  const load = async (transaction: Transaction, type: ChangeRecord['type'], documentId: string) => {
    const blueprint = blueprintOf(database.layout, type)
    return withEdges(transaction, blueprint, documentId, loadVersions(transaction, blueprint, documentId))
  }
  const pairOf = (versions: Versions, locale: string): VersionPair => ({
    draft: versionOf(versions, locale, false),
    published: versionOf(versions, locale, true),
  })
  const both = ({ draft, published }: VersionPair, of: (version: Version | null) => unknown) =>
    [of(draft), of(published)] as const

  /** Edges that others have added or removed are read in the transaction, as the record of such a change says. */
  const sink: ChangeSink = {
    async record(transaction, records) {
      made = records
      targetsAfter = new Map()
      for (const record of records) {
        const versions = await load(transaction, record.type, record.documentId)
        targetsAfter.set(keyOf(record), both(pairOf(versions, record.locale), targetsOf))
      }
    },
  }

  /** Applies the records of the last write, if it has succeeded. */
  function replay() {
    for (const record of made) {
      const key = keyOf(record)
      const fields = record.versions ? both(record.versions.after, fieldsOf) : known.get(key)?.fields
      assert.ok(fields, `${key} is not known`)
      if (fields.every((one) => one === null)) known.delete(key)
      else known.set(key, { fields, targets: targetsAfter.get(key) ?? [null, null] })
    }
  }

  before(async () => {
    database = await openTestDatabase(engine, { sinks: [sink] })
  })
  after(() => database.close())

  it('give the content that is stored', async () => {
    let written = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 25, size: 'max' }), async (commands) => {
        known.clear()
        const ids: Record<Type, string[]> = { article: [], author: [], tag: [] }
        const idOf = (type: Type, number: number) =>
          ids[type][number % Math.max(ids[type].length, 1)] ?? 'none'
        const idsOf = (type: Type, numbers: readonly number[]) => [
          ...new Set(numbers.map((number) => idOf(type, number))),
        ]
        const dataOf = ({ author, parent, tags, related, parts, ...rest }: Article) => ({
          ...rest,
          ...(author !== undefined && { author: author === null ? null : idOf('author', author) }),
          ...(parent !== undefined && { parent: parent === null ? null : idOf('article', parent) }),
          ...(tags && { tags: idsOf('tag', tags) }),
          ...(related && { related: idsOf('article', related) }),
          ...(parts && { parts: parts.map((one) => ({ ...one, tags: idsOf('tag', one.tags) })) }),
        })
        const whole = (data: Article) =>
          dataOf({ title: 'Untitled', parts: [{ title: 'Part', tags: [] }], ...data })
        const perform = (one: Command): Promise<unknown> => {
          switch (one.does) {
            case 'create':
              return database.create('article', whole(one.data), one).then((id) => ids.article.push(id))
            case 'update':
              return database.update('article', idOf('article', one.document), dataOf(one.data), one)
            case 'remove':
              return database.remove(one.type, idOf(one.type, one.document))
            case 'relate': {
              const articles = idsOf('article', one.articles)
              return database.update('author', idOf('author', one.document), { articles })
            }
            default:
              return database.act(one.does, 'article', idOf('article', one.document), one.locale)
          }
        }
        const attempt = async (work: () => Promise<unknown>) => {
          made = []
          try {
            await work()
            written++
            replay()
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error
            refused++
          }
        }
        for (let index = 0; index < 3; index++) {
          const tag = () => database.create('tag', { label: `tag ${index} ${written}` })
          await attempt(async () => ids.tag.push(await tag()))
          await attempt(async () =>
            ids.author.push(await database.create('author', { name: `name ${index}` })),
          )
          await attempt(async () => ids.article.push(await database.create('article', whole({}))))
        }
        for (const one of commands) await attempt(() => perform(one))

        const stored = new Map<string, Known>()
        await database.store.write(async (transaction) => {
          for (const name of TYPES)
            for (const documentId of ids[name]) {
              const type = database.type(name)
              const versions = await load(transaction, type, documentId)
              for (const locale of new Set(versions.map((version) => version.locale))) {
                const pair = pairOf(versions, locale)
                stored.set(keyOf({ type, documentId, locale }), {
                  fields: both(pair, fieldsOf),
                  targets: both(pair, targetsOf),
                })
              }
            }
        })
        assert.deepEqual(new Map([...known].sort()), new Map([...stored].sort()))
      }),
      { numRuns: RUNS },
    )
    assert.ok(written > refused, `${refused} of ${written + refused} writes were refused`)
  })
})

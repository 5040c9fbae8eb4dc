import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { defaults } from '../../project/config/defaults.ts'
import { systemScope } from '../../query/scope.ts'
import { createReads, type Reads } from '../../reads/reads.ts'
import type { DocumentResult } from '../../reads/results.ts'
import { compile } from '../../store/compile.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { historySink } from './history-sink.ts'
import { type HistoryReader, listHistory, readState } from './read-states.ts'
import { restoreVersion } from './restore-version.ts'
import { overlayOf } from './state-overlay.ts'
import { historyTables } from './tables.ts'

const RUNS = 8

const TEXT = fc.oneof(fc.constant(null), fc.string({ maxLength: 20, unit: 'grapheme' }))
const MANY = fc.uniqueArray(fc.nat(3), { maxLength: 3 })

const item = fc.record({ label: TEXT, tag: fc.option(fc.nat(3)) })
const section = fc.record({
  ...{ title: TEXT, weight: fc.option(fc.integer({ min: -5, max: 5 })), hidden: TEXT, tags: MANY },
  items: fc.array(item, { maxLength: 2 }),
})
const place = fc.record({ street: TEXT, near: MANY, geo: fc.option(fc.record({ lat: fc.constant(1.5) })) })

/** Parts of a body; a few of them are sent with each write. */
const body = fc.record(
  {
    title: fc.string({ minLength: 2, maxLength: 30 }),
    views: fc.nat(),
    big: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
    secret: TEXT,
    extra: fc.oneof(fc.dictionary(fc.string(), fc.array(fc.oneof(fc.string(), fc.integer()))), TEXT),
    author: fc.option(fc.nat(1)),
    tags: MANY,
    related: MANY,
    gallery: MANY,
    place: fc.option(place),
    parts: fc.array(section, { minLength: 1, maxLength: 3 }),
    zone: fc.array(fc.oneof(section, fc.record({ text: TEXT })), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
type Body = typeof body extends fc.Arbitrary<infer Value> ? Value : never

onEachEngine((engine) => {
  let database: TestDatabase
  let reads: Reads
  let reader: HistoryReader
  const ids = { tag: [''], author: [''], article: [''], file: [''] }

  before(async () => {
    database = await openTestDatabase(engine, { sinks: [historySink] })
    const { store, layout } = database
    await createOwnTables(store, historyTables)
    reads = createReads(store, layout, defaults)
    reader = { read: (query) => store.read(compile(store.dialect, query)), layout }
    const four = (create: (index: number) => Promise<string>) => Promise.all([0, 1, 2, 3].map(create))
    ids.tag = await four((index) => database.create('tag', { label: `tag ${index}` }))
    ids.author = await four((index) => database.create('author', { name: `author ${index}` }))
    ids.article = await four(() => database.create('article', { title: 'Related' }, { status: 'draft' }))
    ids.file = await four(async () => (await database.file()).documentId)
  })
  after(() => database.close())

  const named = (kind: keyof typeof ids, index: number | null) => (index === null ? null : ids[kind][index])
  const allNamed = (kind: keyof typeof ids, list: readonly number[]) => list.map((one) => named(kind, one))

  /** The body with documentIds in place of numbers. */
  function dataOf({ author, tags, related, gallery, place, parts, zone, ...rest }: Body) {
    const sectionOf = (one: NonNullable<typeof parts>[number]) => ({
      ...one,
      tags: allNamed('tag', one.tags),
      items: one.items.map((item) => ({ ...item, tag: named('tag', item.tag) })),
    })
    return {
      ...rest,
      ...(author !== undefined && { author: named('author', author) }),
      ...(tags && { tags: allNamed('tag', tags) }),
      ...(related && { related: allNamed('article', related) }),
      ...(gallery && { gallery: allNamed('file', gallery) }),
      ...(place !== undefined && { place: place && { ...place, near: allNamed('tag', place.near) } }),
      ...(parts && { parts: parts.map(sectionOf) }),
      ...(zone && {
        zone: zone.map((one) =>
          'text' in one
            ? { ...one, __component: 'part.quote' }
            : { ...sectionOf(one), __component: 'part.section' },
        ),
      }),
    }
  }

  const populate = {
    ...{ author: true, tags: true, related: true, gallery: true },
    place: { populate: '*' },
    parts: { populate: { tags: true, items: { populate: '*' } } },
    zone: { on: { 'part.section': { populate: '*' }, 'part.quote': { populate: '*' } } },
  }
  const QUERIES = [{ populate }, { fields: ['title', 'views', 'big', 'extra'] }]

  const draft = (query: object) => ({ status: 'draft', ...query })
  const contentOf = (result: DocumentResult | null) => JSON.parse(result?.data ?? 'null')
  /** What a restored document has again; timestamps are new. */
  const restored = ({ createdAt: _, updatedAt: __, id: ___, ...content }: Record<string, unknown>) => content

  it('every saved state reads back exactly, and restoring it gives the same document', async () => {
    const type = database.type('article')
    const blueprint = blueprintOf(database.layout, type)
    const readNow = async (documentId: string) =>
      Promise.all(
        QUERIES.map(async (query) =>
          contentOf(await reads.document(type, documentId, draft(query), systemScope)),
        ),
      )
    const readAt = async (documentId: string, version: number) => {
      const found = await readState(reader, type, documentId, version)
      assert.ok(found)
      const overlay = overlayOf(blueprint, documentId, found.state.version)
      return Promise.all(
        QUERIES.map(async (query) =>
          contentOf(await reads.documentIn(overlay, type, documentId, draft(query), systemScope)),
        ),
      )
    }
    const newest = async (documentId: string) => {
      const page = { documentId, locale: 'en', includesDrafts: true, start: 0, limit: 1 }
      const [item] = (await listHistory(reader, type, page)).items
      assert.ok(item)
      return item.version
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 2, maxLength: 4 }),
        fc.nat(),
        fc.boolean(),
        async (bodies, choice, isDeleted) => {
          const documentId = await database.create('article', { title: 'First' }, { status: 'draft' })
          const saved = new Map<number, unknown[]>()
          for (const one of bodies) {
            await database.update('article', documentId, dataOf(one), { status: 'draft' })
            saved.set(await newest(documentId), await readNow(documentId))
          }
          for (const [version, expected] of saved)
            assert.deepEqual(await readAt(documentId, version), expected)
          const chosen = [...saved.keys()][choice % saved.size] ?? 0
          if (isDeleted) await database.remove('article', documentId)
          const { notRestored } = await database.documents.transaction((transaction, documents) =>
            restoreVersion(
              transaction,
              documents,
              database.layout,
              database.request('article', { status: 'draft' }),
              { documentId, version: chosen },
              async () => null,
            ),
          )
          assert.deepEqual(notRestored, [])
          const [now = {}] = await readNow(documentId)
          const [then = {}] = saved.get(chosen) ?? []
          assert.deepEqual(restored(now), restored({ ...Object(then) }))
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})

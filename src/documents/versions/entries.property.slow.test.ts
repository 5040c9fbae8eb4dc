/** Compares random component lists, sent with and without ids, with a model in memory. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { brokenRules } from '../../../test/documents/integrity.ts'
import { openTestDatabase, type Status, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { ApiError } from '../../errors.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { servedValues } from './entries.ts'

interface Item {
  id: number
  label: string
  tag: string | null
}

interface Section {
  id: number
  title: string
  weight: number | null
  hidden: string | null
  tags: string[]
  items: Item[]
}

const RUNS = 40
const pick = fc.nat({ max: 20 })
const word = fc.constantFrom('a', 'b"c', 'ü', "d'e", '\\')

/** A value that is sent, which may be null, or null when nothing is sent. */
const sent = <Value>(value: fc.Arbitrary<Value>) => fc.option(fc.record({ to: fc.option(value) }))

/** `ref` chooses an existing entry of the document. */
const itemSpec = fc.record({
  ref: fc.option(pick),
  label: word,
  sendLabel: fc.boolean(),
  tag: sent(pick),
})
const sectionSpec = fc.record({
  ref: fc.option(pick),
  title: word,
  sendTitle: fc.boolean(),
  weight: sent(fc.nat({ max: 9 })),
  hidden: sent(word),
  tags: fc.option(fc.uniqueArray(pick, { maxLength: 3, selector: (one) => one % 4 })),
  items: fc.option(fc.array(itemSpec, { maxLength: 4 })),
})
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      status: fc.constantFrom<Status>('draft', 'published'),
      parts: fc.option(fc.array(sectionSpec, { maxLength: 5 }), { freq: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('publish' as const, 'discard' as const, 'unpublish' as const),
    }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never
type Put = Extract<Command, { kind: 'put' }>
type SectionSpec = NonNullable<Put['parts']>[number]
type ItemSpec = NonNullable<SectionSpec['items']>[number]

const copy = <Value>(value: Value): Value => structuredClone(value)

onEachEngine((engine) => {
  let database: TestDatabase
  let tags: string[]
  before(async () => {
    database = await openTestDatabase(engine)
    tags = await Promise.all(['a', 'b', 'c', 'd'].map((label) => database.create('tag', { label })))
  })
  after(() => database.close())

  class Run {
    readonly id: string
    draft: Section[] | null = null
    published: Section[] | null | undefined

    constructor(id: string) {
      this.id = id
    }

    get #existing() {
      return [...(this.draft ?? []), ...(this.published ?? [])]
    }

    #section(ref: number | null): Section | undefined {
      const existing = this.#existing
      const chosen = ref === null ? undefined : existing[ref % Math.max(existing.length, 1)]
      return existing.find(({ id }) => id === chosen?.id)
    }

    #item(ref: number | null): Item | undefined {
      const existing = this.#existing.flatMap(({ items }) => items)
      const chosen = ref === null ? undefined : existing[ref % Math.max(existing.length, 1)]
      return existing.find(({ id }) => id === chosen?.id)
    }

    /** The body to send, and the expected list, in which new entries have the id 0. */
    #merge(specs: readonly SectionSpec[]): { body: unknown[]; list: Section[] } {
      const bodies: unknown[] = []
      const list = specs.map((spec) => {
        const old = this.#section(spec.ref)
        const section: Section = old
          ? copy(old)
          : { id: 0, title: '', weight: 1, hidden: null, tags: [], items: [] }
        const body: Record<string, unknown> = old ? { id: old.id } : {}
        if (!old || spec.sendTitle) body.title = section.title = spec.title
        if (spec.weight) body.weight = section.weight = spec.weight.to
        if (spec.hidden) body.hidden = section.hidden = spec.hidden.to
        if (spec.tags !== null) body.tags = section.tags = spec.tags.map((one) => tags[one % 4] ?? '')
        if (spec.items !== null) {
          const items = spec.items.map((one) => this.#mergeItem(one))
          body.items = items.map(([itemBody]) => itemBody)
          section.items = items.map(([, item]) => item)
        }
        bodies.push(body)
        return section
      })
      return { body: bodies, list }
    }

    #mergeItem(spec: ItemSpec): [unknown, Item] {
      const old = this.#item(spec.ref)
      const item: Item = old ? copy(old) : { id: 0, label: '', tag: null }
      const body: Record<string, unknown> = old ? { id: old.id } : {}
      if (!old || spec.sendLabel) body.label = item.label = spec.label
      if (spec.tag) body.tag = item.tag = spec.tag.to === null ? null : (tags[spec.tag.to % 4] ?? null)
      return [body, item]
    }

    async put({ status, parts }: Put) {
      const { body, list } = parts === null ? { body: null, list: null } : this.#merge(parts)
      const ids = (list ?? [])
        .flatMap(({ id, items }) => [id, ...items.map((item) => item.id)])
        .filter((id) => id > 0)
      const refused = new Set(ids).size < ids.length || (status === 'published' && !isComplete(list))
      const write = database.update('article', this.id, { parts: body }, { status })
      if (refused) return assert.rejects(write, ApiError)
      await write
      this.draft = list
      this.#setNewIds(await database.entries('article', this.id, 'parts', { status: 'draft' }))
      if (status === 'published') this.published = copy(this.draft)
    }

    /** Sets the ids of new entries to those from the server. */
    #setNewIds(entries: readonly Entry[]) {
      for (const [index, section] of (this.draft ?? []).entries()) {
        section.id ||= entries[index]?.i ?? -1
        for (const [nested, item] of section.items.entries())
          item.id ||= entries[index]?.n?.items?.[nested]?.i ?? -1
      }
    }

    async act(kind: 'publish' | 'discard' | 'unpublish') {
      const action = database.act(kind, 'article', this.id)
      if (kind === 'publish' && !isComplete(this.draft)) return assert.rejects(action, ApiError)
      if (kind === 'discard' && this.published === undefined) return assert.rejects(action, ApiError)
      await action
      if (kind === 'publish') this.published = copy(this.draft)
      if (kind === 'discard') this.draft = copy(this.published ?? null)
      if (kind === 'unpublish') this.published = undefined
    }

    async compare() {
      assert.deepEqual(await this.#shown('draft'), this.draft ?? [])
      if (this.published !== undefined) assert.deepEqual(await this.#shown('published'), this.published ?? [])
      assert.deepEqual(await brokenRules(database.store, database.layout), [])
    }

    async #shown(status: Status): Promise<unknown[]> {
      const related = (attribute: string, component: string, id: number) =>
        database.related('article', this.id, attribute, { status }, { id, component })
      return Promise.all(
        (await database.entries('article', this.id, 'parts', { status })).map(async (entry) => ({
          id: entry.i,
          ...servedValues(entry),
          hidden: entry.p?.hidden ?? null,
          tags: await related('tags', 'part.section', entry.i),
          items: await Promise.all(
            (entry.n?.items ?? []).map(async (item) => ({
              id: item.i,
              ...servedValues(item),
              tag: (await related('tag', 'part.item', item.i))[0] ?? null,
            })),
          ),
        })),
      )
    }
  }

  const isComplete = (list: readonly Section[] | null) =>
    list === null || (list.length >= 1 && list.length <= 4 && list.every(({ items }) => items.length <= 3))

  describe('a sequence of component lists', () => {
    it('keeps the omitted attributes of named entries, in both versions', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 3, maxLength: 12, size: 'max' }),
          async (commands) => {
            const run = new Run(
              await database.create('article', { title: 'Parts', slug: null }, { status: 'draft' }),
            )
            for (const one of commands) {
              await (one.kind === 'put' ? run.put(one) : run.act(one.kind))
              await run.compare()
            }
            await database.remove('article', run.id)
          },
        ),
        { numRuns: RUNS, endOnFailure: process.env.OCTAVO_PROPERTY_SHRINK === undefined },
      )
    })
  })
})

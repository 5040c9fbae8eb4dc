import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Store } from '../../store/store.ts'
import { createCountReader } from './content-counts.ts'

const TAGS = { types: new Set(['api::tag.tag']), relations: new Set<number>() }
const HOUR = 3_600_000

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
  })
  after(() => database.close())

  it('content is counted once, and again in the background when it has changed, as part of no request', async (t) => {
    const request = new AsyncLocalStorage<string>()
    /** The request that each statement belongs to. */
    const statements: (string | undefined)[] = []
    let counted = Promise.withResolvers<void>()
    const store: Store = {
      ...database.store,
      async read(...parameters) {
        statements.push(request.getStore())
        const rows = await database.store.read(...parameters)
        setImmediate(() => counted.resolve())
        return rows
      },
    }
    const reader = createCountReader(store, database.layout)
    const provide = (name: string) => request.run(name, () => reader.provide(TAGS))
    const tags = () => reader.counts.rows('api::tag.tag', 1)

    await database.create('tag', { label: 'first' })
    await provide('first')
    assert.equal(tags(), 1)
    assert.equal(provide('again'), undefined)

    await database.create('tag', { label: 'second' })
    assert.equal(provide('too early'), undefined)
    assert.deepEqual(statements, ['first'])

    counted = Promise.withResolvers()
    const now = performance.now() + HOUR
    t.mock.method(performance, 'now', () => now)
    assert.equal(provide('later'), undefined)
    await counted.promise
    assert.equal(tags(), 2)
    assert.deepEqual(statements, ['first', undefined])
  })
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { eventOutbox } from './outbox.ts'
import { readEventsAfter, readRange } from './read-events.ts'
import { eventTables } from './tables.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  /** Another process on the same database. */
  let other: Store
  before(async () => {
    database = await openTestDatabase(engine, { sinks: [eventOutbox()] })
    await createOwnTables(database.store, eventTables)
    other = await openStore(database.url)
  })
  after(async () => {
    await other.close()
    await database.close()
  })

  const idsAfter = async (store: Store, seq: number) =>
    (await readEventsAfter(store, seq)).map(({ documentId }) => documentId)

  it('readers in several processes meet every event once, and never a smaller number after a larger one', async () => {
    const start = (await readRange(database.store)).newest
    const created: string[] = []
    let writing = true
    const follow = async (store: Store) => {
      const seen: { seq: number; documentId: string }[] = []
      for (let isLast = false; ; ) {
        const events = await readEventsAfter(store, seen.at(-1)?.seq ?? start, 7)
        seen.push(...events)
        if (events.length > 0) continue
        if (isLast) return seen
        isLast = !writing
        await new Promise(setImmediate)
      }
    }
    const followers = [database.store, other, other].map(follow)
    const writer = async (name: string) => {
      for (let count = 0; count < 25; count++) {
        const tag = database.request('tag')
        const idOf = async (_: unknown, written: { documentId: string }) => written.documentId
        const ids = await database.documents.transaction(async (_, documents) => {
          const first = await documents.create(tag, { label: `${name} ${count} a` }, idOf)
          // Transactions of different lengths overlap.
          for (let turn = count % 4; turn > 0; turn--) await new Promise(setImmediate)
          return [first, await documents.create(tag, { label: `${name} ${count} b` }, idOf)]
        })
        created.push(...ids)
      }
    }
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(writer))
    writing = false
    for (const seen of await Promise.all(followers)) {
      assert.deepEqual(seen.map(({ documentId }) => documentId).sort(), created.toSorted())
      const numbers = seen.map(({ seq }) => seq)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((one, next) => one - next),
      )
    }
  })

  it('a transaction that commits late gets numbers after those that were read before', async () => {
    if (engine.dialect.hasSingleWriter) return
    const { newest } = await readRange(database.store)
    const late = Promise.withResolvers<void>()
    const inserted = Promise.withResolvers<string>()
    const slow = database.documents.transaction(async (_, documents) => {
      const id = await documents.create(
        database.request('tag'),
        { label: 'slow' },
        async (_, one) => one.documentId,
      )
      inserted.resolve(id)
      await late.promise
    })
    const slowId = await inserted.promise
    const quickId = await database.create('tag', { label: 'quick' })
    assert.deepEqual(await idsAfter(other, newest), [quickId])
    const [{ seq = 0 } = {}] = await readEventsAfter(other, newest)
    late.resolve()
    await slow
    assert.deepEqual(await idsAfter(other, seq), [slowId])
    assert.deepEqual(await idsAfter(database.store, newest), [quickId, slowId])
  })

  it('a write that fails leaves no event and no gap', async () => {
    const { newest } = await readRange(database.store)
    await assert.rejects(
      database.documents.transaction(async (_, documents) => {
        await documents.create(database.request('tag'), { label: 'rolled back' }, async () => null)
        throw new Error('refused')
      }),
    )
    const id = await database.create('tag', { label: 'kept' })
    const [event] = await readEventsAfter(other, newest)
    assert.deepEqual([event?.documentId, event?.seq], [id, newest + 1])
  })
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../test/documents/test-database.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { defaults } from '../project/config/defaults.ts'
import { systemScopeFor } from '../query/scope.ts'
import type { Store } from '../store/store.ts'
import { createReads, type Reads } from './reads.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  let reads: Reads
  /** Whether each statement so far counted documents. */
  let counted: boolean[] = []
  /** Runs before a statement that counts. */
  let beforeCount = async () => {}

  before(async () => {
    database = await openTestDatabase(engine)
    for (const label of ['a', 'b', 'c', 'd', 'e']) await database.create('tag', { label })
  })
  after(() => database.close())

  beforeEach(() => {
    counted = []
    beforeCount = async () => {}
    const slow: Store = {
      ...database.store,
      async readFirstRow(statement, tables) {
        const counts = statement.sql.includes('count(*)')
        counted.push(counts)
        if (counts) await beforeCount()
        return database.store.readFirstRow(statement, tables)
      },
    }
    reads = createReads(slow, database.layout, defaults)
  })

  /** Reads the first `limit` tags with a token. */
  async function tags(limit: number, token = 1) {
    const scope = systemScopeFor({ kind: 'token', id: token, name: 'reader' })
    const query = { filters: { label: { $ne: 'zzz' } }, pagination: { limit } }
    const { data, total } = await reads.list(database.request('tag').type, query, scope)
    return { size: JSON.parse(data).length, total }
  }

  it('documents are counted once for lists that a caller requests at the same time', async () => {
    const total = (
      await database.store.readFirstRow({ sql: 'select count(*) from tags', parameters: [] })
    )?.[0]
    const expected = [1, 2, 3].map((size) => ({ size, total: Number(total) }))
    assert.deepEqual(await Promise.all([tags(1), tags(2), tags(3)]), expected)
    assert.deepEqual(counted, [true, false, false])
    await tags(4)
    assert.deepEqual(counted, [true, false, false, false])
  })

  it('a caller does not wait for the count of another one', { timeout: 60_000 }, async () => {
    const release = Promise.withResolvers<void>()
    beforeCount = () => (counted.length === 1 ? release.promise : Promise.resolve())
    const held = tags(1, 1)
    const { size } = await tags(2, 2)
    assert.equal(size, 2)
    assert.deepEqual(counted, [true, true])
    release.resolve()
    await held
  })

  it('lists are counted after all when the count that they wait for fails', async () => {
    beforeCount = async () => {
      if (counted.filter(Boolean).length === 1) throw new Error('The client has disconnected')
    }
    const [failed, ...others] = await Promise.allSettled([tags(1), tags(2), tags(3)])
    assert.equal(failed?.status, 'rejected')
    for (const other of others) assert.equal(other.status, 'fulfilled')
    assert.deepEqual(counted, [true, false, false, true, true])
  })

  it('a count of a former state is not used', async () => {
    const first = await tags(1)
    await database.create('tag', { label: 'more' })
    counted = []
    beforeCount = async () => {
      beforeCount = async () => {}
      await database.create('tag', { label: 'meanwhile' })
    }
    const [, waited] = await Promise.all([tags(1), tags(2)])
    assert.deepEqual(waited, { size: 2, total: Number(first.total) + 2 })
    assert.deepEqual(counted, [true, false, true])
  })
})

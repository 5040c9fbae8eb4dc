import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
  })
  after(() => database.close())

  const idOf = async (documentId: string) => Number((await database.row('person', documentId))?.id)
  const create = async () => {
    const documentId = await database.create('person', { name: 'A' })
    return { documentId, id: await idOf(documentId) }
  }

  it('a new row has a higher id than all existing and deleted rows', async () => {
    const first = await create()
    const removed = await create()
    await database.remove('person', removed.documentId)
    const next = await create()
    assert.ok(first.id < removed.id && removed.id < next.id)
    if (engine.name === 'sqlite')
      await database.store.write(async (transaction) =>
        transaction.run({ sql: `UPDATE sqlite_sequence SET seq = 0`, parameters: [] }),
      )
    const last = await create()
    assert.ok(next.id < last.id)
  })
})

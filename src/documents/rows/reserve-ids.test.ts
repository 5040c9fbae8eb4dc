import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openWorld, type World } from '../../../test/documents/world.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

onEachEngine((engine) => {
  let world: World
  before(async () => {
    world = await openWorld(engine)
  })
  after(() => world.close())

  const idOf = async (documentId: string) => Number((await world.row('person', documentId))?.id)
  const create = async () => {
    const documentId = await world.create('person', { name: 'A' })
    return { documentId, id: await idOf(documentId) }
  }

  it('a new row has a higher id than all existing and deleted rows', async () => {
    const first = await create()
    const removed = await create()
    await world.remove('person', removed.documentId)
    const next = await create()
    assert.ok(first.id < removed.id && removed.id < next.id)
    if (engine.name === 'sqlite')
      await world.store.write(async (transaction) =>
        transaction.run({ sql: `UPDATE sqlite_sequence SET seq = 0`, parameters: [] }),
      )
    const last = await create()
    assert.ok(next.id < last.id)
  })
})

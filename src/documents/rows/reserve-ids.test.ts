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
  const made = async () => {
    const documentId = await world.create('person', { name: 'A' })
    return { documentId, id: await idOf(documentId) }
  }

  it('a new row has an id beyond all that are there and all that ever were', async () => {
    const first = await made()
    const gone = await made()
    await world.remove('person', gone.documentId)
    const next = await made()
    assert.ok(first.id < gone.id && gone.id < next.id)
    if (engine.name === 'sqlite')
      await world.store.write(async (transaction) =>
        transaction.run({ sql: `UPDATE sqlite_sequence SET seq = 0`, parameters: [] }),
      )
    const last = await made()
    assert.ok(next.id < last.id)
  })
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../test/support/engines.ts'
import { openStore } from './open.ts'
import type { Store } from './store.ts'

const plain = (sql: string) => ({ sql, parameters: [] })
const PREPARED = plain('SELECT 1 AS one')

onEachEngine((engine) => {
  let store: Store
  before(async () => {
    store = await openStore(await engine.freshUrl())
  })
  after(() => store?.close())

  it('a transaction rejects with its first failure, also when all of its statements fail together', async () => {
    for (const first of ['SELECT nothing', 'SELECT nothing AS else']) {
      const write = store.write(async (transaction) => {
        await transaction.all(PREPARED)
        await transaction.all(PREPARED)
        await Promise.all([
          transaction.all(plain(first)),
          transaction.all(PREPARED),
          transaction.all(PREPARED),
        ])
      })
      await assert.rejects(write, /nothing/)
    }
  })
})

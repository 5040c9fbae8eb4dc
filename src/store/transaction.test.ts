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

  it('a write of which a statement has failed is rejected, also when its commit was sent before that was known', async () => {
    await store.write(async (transaction) => transaction.run(plain('CREATE TABLE words (word text UNIQUE)')))
    const sql = `INSERT INTO words VALUES (${engine.name === 'sqlite' ? '?' : '$1'})`
    // With so many statements before it, the commit is sent on its own.
    const others = 62
    for (let round = 0; round < 20; round++) {
      const written = await Promise.allSettled(
        Array.from({ length: 6 }, () =>
          store.write(async (transaction) => {
            transaction.run({ sql, parameters: [`word ${round}`] })
            for (let count = 0; count < others; count++) transaction.run(PREPARED)
            transaction.complete()
          }),
        ),
      )
      assert.equal(written.filter(({ status }) => status === 'fulfilled').length, 1)
    }
  })
})

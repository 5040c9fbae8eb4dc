import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { openStore } from '../../open.ts'
import type { Store, Transaction } from '../../store.ts'

onEachEngine((engine) => {
  let stores: readonly [Store, Store]
  before(async () => {
    const url = await engine.freshUrl()
    stores = [await openStore(url), await openStore(url)]
    await stores[0].write(async (transaction) => {
      for (const table of ['things', 'others'])
        transaction.run({ sql: `CREATE TABLE ${table} (name text)`, parameters: [] })
    })
  })
  after(async () => {
    for (const store of stores) await store.close()
  })

  /** The rows of a table, noted under what stands for its content. */
  async function look(transaction: Transaction, seen: Map<object, string>, table: string) {
    const content = await transaction.contentToken(table)
    const rows = await transaction.all({ sql: `SELECT name FROM ${table} ORDER BY name`, parameters: [] })
    if (!content) return
    const text = JSON.stringify(rows)
    assert.equal(seen.get(content) ?? text, text)
    seen.set(content, text)
  }

  const job = fc.record({
    table: fc.constantFrom('things', 'others'),
    action: fc.constantFrom('look', 'add', 'empty'),
    fails: fc.boolean(),
    elsewhere: fc.boolean(),
    /** Whether it starts while the previous one is in progress. */
    together: fc.boolean(),
  })

  it('the same token always means the same content, whoever writes and whatever fails', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 16 }), async (jobs) => {
        const seen = [new Map<object, string>(), new Map<object, string>()] as const
        let under: Promise<unknown>[] = []
        for (const { table, action, fails, elsewhere, together } of jobs) {
          if (!together) {
            await Promise.all(under)
            under = []
          }
          const at = elsewhere ? 1 : 0
          const write = stores[at].write(async (transaction) => {
            await look(transaction, seen[at], table)
            if (action !== 'look') {
              const sql =
                action === 'add' ? `INSERT INTO ${table} VALUES ('${count++}')` : `DELETE FROM ${table}`
              transaction.run({ sql, parameters: [] })
              transaction.touch(table)
              assert.equal(await transaction.contentToken(table), null)
            }
            await look(transaction, seen[at], table)
            if (fails) throw FAILURE
          })
          under.push(write.catch((error) => assert.equal(error, FAILURE)))
        }
        await Promise.all(under)
      }),
    )
  })

  it('a table that nobody writes to keeps its token from one transaction to the next', async () => {
    const contents = () => stores[0].write(async (transaction) => transaction.contentToken('things'))
    const before = await contents()
    await stores[0].write(async (transaction) => transaction.touch('others'))
    assert.equal(await contents(), before)
    assert.equal(before === null, engine.name === 'postgres')
    await stores[0].write(async (transaction) => transaction.touch('things'))
    if (before) assert.notEqual(await contents(), before)
  })
})

const FAILURE = new Error('on purpose')

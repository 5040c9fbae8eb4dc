import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bothEngines, onServer } from '../../../../test/support/engines.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { openStore } from '../../open.ts'
import type { Statement } from '../../statement.ts'
import { keepStatistics } from './statistics.ts'

const plain = (sql: string): Statement => ({ sql, parameters: [] })

describe('the planner statistics of small tables', () => {
  const [, engine] = bothEngines()
  const known = plain(`SELECT reltuples FROM pg_class WHERE relname = 'things'`)

  it('are collected soon after a write, and at the start for tables that have none', async () => {
    const url = await engine.freshUrl()
    const first = await openStore(url)
    await first.write(async (transaction) => {
      transaction.run(plain('CREATE TABLE things (name text)'))
      transaction.run(plain(`INSERT INTO things VALUES ('a'), ('b')`))
    })
    assert.equal((await first.read(known))[0]?.reltuples, -1)
    await first.close()
    const store = await openStore(url)
    await waitUntil(async () => (await store.read(known))[0]?.reltuples === 2)
    await store.write(async (transaction) => {
      transaction.run(plain(`INSERT INTO things SELECT 'more' FROM generate_series(1, 40)`))
      transaction.touch('things')
    })
    await waitUntil(async () => (await store.read(known))[0]?.reltuples === 42)
    await store.close()
  })

  it('are not collected while an index of the table is created, so that neither waits for the other', async () => {
    const url = await engine.freshUrl()
    const store = await openStore(url)
    const touch = () =>
      store.write(async (transaction) => {
        transaction.run(plain(`INSERT INTO things VALUES ('a')`))
        transaction.touch('things')
      })
    const waiting = plain(`SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'things'::regclass`)
    await store.write(async (transaction) => transaction.run(plain('CREATE TABLE things (name text)')))
    await onServer(url, async (client) => {
      // The lock that CREATE INDEX CONCURRENTLY takes.
      await client.query('BEGIN; LOCK TABLE things IN SHARE UPDATE EXCLUSIVE MODE')
      await touch()
      for (let time = 0; time < 10; time++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        assert.deepEqual(await store.read(waiting), [])
      }
      await client.query('COMMIT')
    })
    assert.equal((await store.read(known))[0]?.reltuples, -1)
    await touch()
    await waitUntil(async () => (await store.read(known))[0]?.reltuples === 2)
    await store.close()
  })

  it('are left to autovacuum once the table is large, unless a write adds a tenth to it', async () => {
    const store = await openStore(await engine.freshUrl())
    const insert = (rows: number) =>
      store.write(async (transaction) => {
        transaction.run(plain(`INSERT INTO things SELECT 'more' FROM generate_series(1, ${rows})`))
        transaction.touch('things')
      })
    const countOf = async () => Number((await store.read(known))[0]?.reltuples)
    await store.write(async (transaction) => {
      transaction.run(plain('CREATE TABLE things (name text)'))
      transaction.run(plain(`INSERT INTO things SELECT 'first' FROM generate_series(1, 5000)`))
      transaction.touch('things')
    })
    await waitUntil(async () => (await countOf()) === 5_000)
    for (let time = 0; time < 2; time++) await insert(1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal(await countOf(), 5_000)
    await insert(2_000)
    await waitUntil(async () => (await countOf()) === 7_002)
    await store.close()
  })

  it('are collected again when the number of writes has doubled, and a table that cannot be analyzed is skipped', async () => {
    const looked: string[] = []
    const statistics = keepStatistics(
      async (table) => {
        looked.push(table)
        if (table === 'gone') throw new Error('There is no such table')
      },
      async () => ['met'],
    )
    await waitUntil(() => looked.includes('met'))
    for (let round = 0; round < 100; round++) {
      statistics.noteWrite(['gone', 'there'])
      if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await waitUntil(() => looked.includes('gone') && looked.includes('there'))
    await statistics.close()
    const times = looked.filter((table) => table === 'there').length
    assert.ok(times <= 7, `looked ${times} times after 100 writes`)
  })
})

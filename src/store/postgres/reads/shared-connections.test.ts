import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { createPool } from '../connection/connection.ts'
import { createSharedConnections, type SharedConnections } from './shared-connections.ts'

const SHARED = 2
/** Microseconds of reads of which a connection gets only one, a few while no other is unused, and many. */
const LONG = 1_000_000
const MEDIUM = 2_100
const SHORT = 10

onEachEngine((engine) => {
  if (engine.name !== 'postgres') return

  describe('fast reads on shared connections', () => {
    let pool: pg.Pool
    let shared: SharedConnections
    const read = async (sql: string, expectedTime = LONG, on = shared, onTime = (_: number) => {}) => {
      const query = { text: sql, rowMode: 'array' } as const
      const { rows } = await on.run((client) => client.query<unknown[]>(query), expectedTime, onTime)
      return rows[0] ?? []
    }
    const numberOn = (on: SharedConnections) => (value: number) =>
      read(`SELECT ${value}, pg_backend_pid()`, LONG, on)
    const number = (value: number) => numberOn(shared)(value)
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

    before(async () => {
      pool = createPool({ connectionString: await engine.freshUrl(), max: 6, pipeline: true })
      shared = createSharedConnections(pool, SHARED)
    })
    after(() => pool.end())

    it('use few connections however many they are, each gets its own rows, and the connections go back', async () => {
      const neverStalled = createSharedConnections(pool, SHARED, Number.POSITIVE_INFINITY)
      const rows = await Promise.all(numbers(100).map(numberOn(neverStalled)))
      assert.deepEqual(
        rows.map((row) => row[0]),
        numbers(100),
      )
      assert.ok(new Set(rows.map((row) => row[1])).size <= SHARED)
      assert.equal(pool.idleCount, pool.totalCount)
    })

    it('fail alone', async () => {
      const results = await Promise.allSettled([
        number(1),
        read('SELECT 1 / 0'),
        number(2),
        number(3),
        number(4),
      ])
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
      )
      assert.equal((await number(5))[0], 5)
    })

    it('do not wait for one that turns out to be slow', async () => {
      const ended: string[] = []
      const slow = numbers(SHARED).map(() => read('SELECT pg_sleep(0.5)').then(() => ended.push('slow')))
      await sleep(50)
      await number(1).then(() => ended.push('fast'))
      await Promise.all(slow)
      assert.equal(ended[0], 'fast')
    })

    it('share one connection as long as they take little time', async () => {
      const connectionsOf = async (expectedTime: number) => {
        const reads = numbers(8).map(() => read('SELECT pg_backend_pid()', expectedTime))
        return new Set((await Promise.all(reads)).flat()).size
      }
      assert.equal(await connectionsOf(SHORT), 1)
      assert.equal(await connectionsOf(MEDIUM), SHARED)
      assert.ok((await connectionsOf(LONG)) > SHARED)
    })

    it('are timed from the response before theirs, those that arrive together by their average', async () => {
      const one = createSharedConnections(pool, 1, Number.POSITIVE_INFINITY)
      const times = (statements: string[]) =>
        statements.map(
          (sql) => new Promise<number>((resolve, reject) => read(sql, SHORT, one, resolve).catch(reject)),
        )
      const [first = 0, slow = 0, slower = 0] = await Promise.all(
        times(['SELECT 1', 'SELECT pg_sleep(0.3)', 'SELECT pg_sleep(0.6)']),
      )
      assert.ok(first < 250 && slow >= 250, `${first} ms, ${slow} ms`)
      assert.ok(slower >= 550 && slower < 850, `${slower} ms`)

      const together = times(['SELECT pg_sleep(0.3)', 'SELECT 1', 'SELECT 1'])
      await sleep(30)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
      const [each = 0, ...others] = await Promise.all(together)
      assert.deepEqual(others, [each, each])
      assert.ok(each >= 100, `${each} ms`)
    })

    it('reject when their connection breaks, which leaves the pool', async () => {
      const [, pid] = await number(1)
      const broken = await Promise.allSettled([
        read(`SELECT pg_terminate_backend(${pid}), pg_sleep(1)`),
        ...numbers(6).map(number),
      ])
      assert.ok(broken.some(({ status }) => status === 'rejected'))
      assert.equal((await number(2))[0], 2)
      assert.equal(pool.idleCount, pool.totalCount)
    })
  })
})

/** Reads of SQLite that take long, and what becomes of them in their thread. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { ApiError } from '../../errors.ts'
import type { Statement } from '../statement.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

/** Counts to a number, which takes as long as the number is large, and reads what is in the table. */
const counting = (to: number) =>
  plain(
    `WITH RECURSIVE steps(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps WHERE n < ?)
     SELECT count(*) AS steps, (SELECT max(name) FROM things) AS name FROM steps`,
    to,
  )
const LONG = 200_000

describe('a read that takes long', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-reading-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let threads: Worker[] = []
  let notices: string[] = []
  let path = ''
  let files = 0
  let store: Awaited<ReturnType<typeof openSqlite>>
  let ended = 0
  const note = (thread: Worker) => {
    threads.push(thread)
    thread.once('exit', () => ended++)
  }

  async function open(options: SqliteOptions = {}) {
    path = join(folder, `${++files}.db`)
    store = await openSqlite(path, { notice: (words) => notices.push(words), ...options })
    await store.write(async (t) => t.run(plain('CREATE TABLE things (name integer PRIMARY KEY)')))
  }
  const add = (name: number) =>
    store.write(async (t) => {
      t.run(plain('INSERT INTO things VALUES (?)', name))
      t.touch('things')
    })
  /** The first two times show how long it takes. */
  async function showThatItIsLong() {
    for (let round = 0; round < 2; round++) await store.readFirstRow(counting(LONG))
    assert.equal(threads.length, 0)
  }

  beforeEach(() => {
    threads = []
    ended = 0
    notices = []
    process.on('worker', note)
  })
  afterEach(async () => {
    process.off('worker', note)
    await store.close()
  })

  test('is made in a thread, where it holds up nobody', async () => {
    await open()
    await showThatItIsLong()
    const order: string[] = []
    const long = Promise.resolve(store.readFirstRow(counting(LONG * 5))).then((row) =>
      order.push(`long ${row?.[0]}`),
    )
    order.push(`short ${(await store.readFirstRow(plain('SELECT 7')))?.[0]}`)
    await long
    assert.deepEqual(order, ['short 7', `long ${LONG * 5}`])
    assert.equal(threads.length, 1)
    assert.deepEqual(store.metrics().pools, [{ name: 'reader', size: 1, idle: 1, waiting: 0 }])
  })

  test('keeps no answer waiting to what was asked for just before it', async () => {
    await open({ times: { short: 0 } })
    await showThatItIsLong()
    await store.readFirstRow(counting(LONG))
    // Held back, the short answer would come together with the long one every time; a slow machine is late now and then.
    await waitUntil(async () => {
      let isOver = false
      store.requestArrived()
      store.requestArrived()
      const short = store.readFirstRow(plain('SELECT 7'))
      const long = Promise.resolve(store.readFirstRow(counting(LONG * 5))).then(() => {
        isOver = true
      })
      assert.deepEqual(await short, [7])
      await sleep(1)
      const cameFirst = !isOver
      await long
      return cameFirst
    })
  })

  test('shows everything that was written before it was asked for', async () => {
    await open({ times: { long: 0, short: 0 } })
    await store.readFirstRow(counting(10))
    for (let name = 1; name <= 50; name++) {
      await add(name)
      assert.deepEqual(await store.readFirstRow(counting(10)), [10, name])
      assert.deepEqual({ ...(await store.read(counting(10)))[0] }, { steps: 10, name })
    }
    assert.equal(threads.length, 1)
  })

  test('gives what a short one gives, large integers and failures too', async () => {
    await open({ times: { long: 0, short: 0 } })
    const large = plain('SELECT 9007199254740993 AS large, 7 AS small, NULL AS none')
    assert.deepEqual({ ...(await store.read(large))[0] }, { large: 9007199254740993n, small: 7, none: null })
    assert.equal(await store.readFirstRow(plain('SELECT 1 WHERE 0')), null)
    const failing = plain('SELECT abs(?) AS it', -9223372036854775808n)
    await assert.rejects(async () => store.readFirstRow(failing), /integer overflow/)
    await assert.rejects(async () => store.readFirstRow(plain('SELECT nonsense')), /no such column/)
    assert.deepEqual(await store.readFirstRow(plain('SELECT 1')), [1])
  })

  test('is refused when its thread dies, and nobody else is', async () => {
    await open()
    await showThatItIsLong()
    await store.readFirstRow(counting(LONG))
    const long = Promise.resolve(store.readFirstRow(counting(LONG * 10)))
    const refused = assert.rejects(long, (error) => error instanceof ApiError && error.status === 503)
    assert.equal(store.metrics().pools[0]?.waiting, 1)
    const killed = threads[0]?.terminate()
    await add(1)
    assert.deepEqual(await store.readFirstRow(plain('SELECT name FROM things')), [1])
    await killed
    await refused
    assert.match(notices.join(), /thread for long reads has stopped/)
    assert.deepEqual(await store.readFirstRow(counting(LONG)), [LONG, 1])
  })

  test('is given up after its time, and two of these are enough', async () => {
    await open({ statementTimeout: 50 })
    await showThatItIsLong()
    const refusal = async () => {
      const read = async () => store.readFirstRow(counting(LONG * 40))
      const [outcome] = await Promise.allSettled([read()])
      assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof ApiError)
      assert.equal(outcome.reason.status, 503)
      return outcome.reason
    }
    let givenUp = 0
    // Where a thread takes long to start, one that was given up may have come to its end meanwhile: then there is one more.
    await waitUntil(async () => {
      const { message, headers } = await refusal()
      assert.ok(threads.length - ended <= 2, 'No more than two go on with what was given up')
      if (headers['retry-after'] === '5') return true
      assert.match(message, /took too long/)
      givenUp++
      return false
    })
    assert.ok(givenUp >= 2)
    assert.deepEqual(await store.readFirstRow(plain('SELECT 1')), [1])
    assert.deepEqual([threads.length, notices.length], [givenUp, givenUp])
  })

  test('is refused at once when too many wait', async () => {
    await open({ maxWaiting: 2 })
    await showThatItIsLong()
    await store.readFirstRow(counting(LONG))
    const reads = [1, 2, 3].map(async () => store.readFirstRow(counting(LONG)))
    const outcomes = await Promise.allSettled(reads)
    const [, , third] = outcomes
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    )
    assert.ok(third?.status === 'rejected' && third.reason instanceof ApiError)
    assert.match(third.reason.message, /Too many reads are waiting/)
  })

  test('is refused at once when those that wait take too long', async () => {
    await open({ waitTimeout: 1 })
    await showThatItIsLong()
    await store.readFirstRow(counting(LONG))
    const first = Promise.resolve(store.readFirstRow(counting(LONG)))
    await assert.rejects(async () => store.readFirstRow(counting(LONG)), /Too many reads are waiting/)
    assert.deepEqual(await first, [LONG, null])
  })

  test('is waited for at the end, and the log emptied into the file', async () => {
    await open()
    await showThatItIsLong()
    await add(1)
    const long = Promise.resolve(store.readFirstRow(counting(LONG)))
    await store.close()
    assert.deepEqual(await long, [LONG, 1])
    assert.equal(existsSync(`${path}-wal`), false)
  })

  const skip = availableParallelism() < 2 && 'the thread is for another core'
  describe('keeps others waiting in the thread', { skip }, () => {
    /** Everything goes to the thread, which runs already. */
    beforeEach(async () => {
      await open({ times: { short: 0, long: Number.POSITIVE_INFINITY } })
      await waitUntil(async () => {
        store.requestArrived()
        store.requestArrived()
        await store.readFirstRow(plain('SELECT 1'))
        return store.metrics().pools.length > 0
      })
    })

    test('no longer than until there is time to make them here, the last ones first', async () => {
      const answered: unknown[] = []
      const ask = async (statement: Statement) => {
        const row = await store.readFirstRow(statement)
        answered.push(row?.[0])
      }
      store.requestArrived()
      store.requestArrived()
      const all = [ask(counting(LONG * 20))]
      for (let name = 1; name <= 12; name++) all.push(ask(plain('SELECT ?', name)))
      assert.equal(store.metrics().pools[0]?.waiting, 13)
      await Promise.all(all)
      const before = answered.slice(0, answered.indexOf(LONG * 20))
      assert.ok(before.length >= 6, `${before.length} were made here`)
      assert.deepEqual(before, [12, 11, 10, 9, 8, 7, 6].slice(0, before.length))
      assert.deepEqual(
        answered.map(Number).sort((one, other) => one - other),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, LONG * 20],
      )
    })

    test('and each is answered with its own, whoever makes it', async () => {
      await add(7)
      const failing = plain('SELECT abs(?) AS it', -9223372036854775808n)
      for (let round = 0; round < 20; round++) {
        store.requestArrived()
        store.requestArrived()
        const sizes = Array.from({ length: 300 }, () => Math.ceil(Math.random() * 2_000))
        const refused = [1, 2, 3].map(() =>
          assert.rejects(async () => store.readFirstRow(failing), /integer overflow/),
        )
        const rows = await Promise.all(sizes.map((size) => store.readFirstRow(counting(size))))
        assert.deepEqual(
          rows,
          sizes.map((size) => [size, 7]),
        )
        await Promise.all(refused)
      }
      assert.deepEqual(store.metrics().pools, [{ name: 'reader', size: 1, idle: 1, waiting: 0 }])
    })
  })
})

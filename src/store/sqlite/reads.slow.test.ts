/** Slow reads of SQLite, which run in the reader thread. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { ApiError } from '../../errors.ts'
import type { Statement } from '../statement.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

/** Takes longer the larger the number is, and reads the table. */
const counting = (to: number) =>
  plain(
    `WITH RECURSIVE steps(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps WHERE n < ?)
     SELECT count(*) AS steps, (SELECT max(name) FROM things) AS name FROM steps`,
    to,
  )
const SLOW = 400_000
/** The milliseconds that a read waits for its turn in these tests: long enough for a machine under load. */
const PATIENT = 120_000

describe('a slow read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-slow-reads-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let threads: Worker[] = []
  let notices: string[] = []
  let path = ''
  let files = 0
  let store: Awaited<ReturnType<typeof openSqlite>>
  const note = (thread: Worker) => void threads.push(thread)

  async function open(options: SqliteOptions = {}) {
    path = join(folder, `${++files}.db`)
    store = await openSqlite(path, {
      waitTimeout: PATIENT,
      notice: (message) => notices.push(message),
      ...options,
    })
    await store.write(async (t) => t.run(plain('CREATE TABLE things (name integer PRIMARY KEY)')))
  }
  const add = (name: number) =>
    store.write(async (t) => {
      t.run(plain('INSERT INTO things VALUES (?)', name))
      t.touch('things')
    })
  /** The store knows that a read is slow after two runs on the main thread. */
  async function makeKnownAsSlow() {
    for (let round = 0; round < 2; round++) await store.readFirstRow(counting(SLOW))
    assert.equal(threads.length, 0)
  }

  beforeEach(() => {
    threads = []
    notices = []
    process.on('worker', note)
  })
  afterEach(async () => {
    process.off('worker', note)
    await store.close()
  })

  test('runs in a thread and does not block other reads', async () => {
    await open()
    await makeKnownAsSlow()
    const order: string[] = []
    const slow = Promise.resolve(store.readFirstRow(counting(SLOW * 5))).then((row) =>
      order.push(`slow ${row?.[0]}`),
    )
    order.push(`fast ${(await store.readFirstRow(plain('SELECT 7')))?.[0]}`)
    await slow
    assert.deepEqual(order, ['fast 7', `slow ${SLOW * 5}`])
    assert.equal(threads.length, 1)
    assert.deepEqual(store.metrics().pools, [{ name: 'reader', size: 1, idle: 1, waiting: 0 }])
  })

  test('shares the thread with faster reads while other requests wait', async () => {
    await open({ slowRead: Number.POSITIVE_INFINITY })
    const read = () => store.readFirstRow(counting(SLOW / 10))
    for (let round = 0; round < 4; round++) assert.ok(!(read() instanceof Promise))
    const readWhileBusy = () => {
      for (let request = 0; request < 2; request++) store.requestArrived()
      return read()
    }
    // The thread is started, but this read does not wait for it.
    assert.ok(!(readWhileBusy() instanceof Promise))
    const hasSecondCore = availableParallelism() > 1
    if (hasSecondCore) await waitUntil(async () => store.metrics().pools.length === 1)
    const shared = readWhileBusy()
    assert.equal(shared instanceof Promise, hasSecondCore)
    assert.deepEqual(await shared, [SLOW / 10, null])
    assert.ok(!(read() instanceof Promise))
  })

  test('of some milliseconds does not wait for much slower ones', async () => {
    await open({ slowRead: 100 })
    const medium = counting(SLOW / 200)
    const isInSharedThread = async () => {
      await store.readFirstRow(medium)
      return threads.length === 2 && store.metrics().pools[0]?.size === 2
    }
    await waitUntil(isInSharedThread)
    await Promise.all([store.read(counting(SLOW)), store.read(counting(SLOW))])
    const order: string[] = []
    const slow = Promise.resolve(store.read(counting(SLOW * 5))).then(() => order.push('slow'))
    await store.readFirstRow(medium)
    order.push('medium')
    await slow
    assert.deepEqual(order, ['medium', 'slow'])
  })

  test('sees everything that was written before it', async () => {
    await open({ slowRead: 0 })
    await store.readFirstRow(counting(10))
    for (let name = 1; name <= 50; name++) {
      await add(name)
      assert.deepEqual(await store.readFirstRow(counting(10)), [10, name])
      assert.deepEqual({ ...(await store.read(counting(10)))[0] }, { steps: 10, name })
    }
    // The first read has started the shared thread, and ran in one for slow reads meanwhile.
    assert.equal(threads.length, 2)
  })

  test('returns the same as a fast one, including large integers and failures', async () => {
    await open({ slowRead: 0 })
    const large = plain('SELECT 9007199254740993 AS large, 7 AS small, NULL AS none')
    assert.deepEqual({ ...(await store.read(large))[0] }, { large: 9007199254740993n, small: 7, none: null })
    assert.equal(await store.readFirstRow(plain('SELECT 1 WHERE 0')), null)
    const failing = plain('SELECT abs(?) AS it', -9223372036854775808n)
    await assert.rejects(async () => store.readFirstRow(failing), /integer overflow/)
    await assert.rejects(async () => store.readFirstRow(plain('SELECT nonsense')), /no such column/)
    assert.deepEqual(await store.readFirstRow(plain('SELECT 1')), [1])
  })

  test('is refused when its thread dies, while other reads go on', async () => {
    await open()
    await makeKnownAsSlow()
    await store.readFirstRow(counting(SLOW))
    const slow = Promise.resolve(store.readFirstRow(counting(SLOW * 10)))
    const refused = assert.rejects(slow, (error) => error instanceof ApiError && error.status === 503)
    assert.equal(store.metrics().pools[0]?.waiting, 1)
    const killed = threads[0]?.terminate()
    await add(1)
    assert.deepEqual(await store.readFirstRow(plain('SELECT name FROM things')), [1])
    await killed
    await refused
    assert.match(notices.join(), /reader thread has stopped/)
    assert.deepEqual(await store.readFirstRow(counting(SLOW)), [SLOW, 1])
  })

  test('is abandoned after the timeout, and refused while two abandoned ones still run', async (t) => {
    await open({ statementTimeout: 50 })
    await makeKnownAsSlow()
    // A thread ends when its statement does. Here it ends later, so that the abandoned reads certainly still run.
    const release = Promise.withResolvers<void>()
    const keepRunning = (thread: Worker) => {
      const terminate = thread.terminate.bind(thread)
      t.mock.method(thread, 'terminate', () => release.promise.then(terminate))
    }
    process.on('worker', keepRunning)
    const refused = (message: RegExp, retryAfter: string) =>
      assert.rejects(
        async () => store.readFirstRow(counting(SLOW * 40)),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.deepEqual([error.status, error.headers['retry-after']], [503, retryAfter])
          assert.match(error.message, message)
          return true
        },
      )
    await refused(/took too long/, '1')
    await refused(/took too long/, '1')
    await refused(/Too many reads take too long/, '5')
    assert.deepEqual(await store.readFirstRow(plain('SELECT 1')), [1])
    assert.deepEqual([threads.length, notices.length], [2, 2])
    process.off('worker', keepRunning)
    const exits = threads.map((thread) => once(thread, 'exit'))
    release.resolve()
    await Promise.all(exits)
  })

  test('is refused when too many are waiting', async () => {
    await open({ maxWaiting: 2 })
    await makeKnownAsSlow()
    await store.readFirstRow(counting(SLOW))
    const reads = [1, 2, 3].map(async () => store.readFirstRow(counting(SLOW)))
    const outcomes = await Promise.allSettled(reads)
    const [, , third] = outcomes
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    )
    assert.ok(third?.status === 'rejected' && third.reason instanceof ApiError)
    assert.match(third.reason.message, /Too many slow reads of this caller are in progress/)
  })

  test('is refused when those that are waiting take too long', async () => {
    await open({ waitTimeout: 1 })
    await makeKnownAsSlow()
    await store.readFirstRow(counting(SLOW))
    const first = Promise.resolve(store.readFirstRow(counting(SLOW)))
    await assert.rejects(
      async () => store.readFirstRow(counting(SLOW)),
      /Too many slow reads of this caller are in progress/,
    )
    assert.deepEqual(await first, [SLOW, null])
  })

  test('is awaited when the store closes, which then empties the log into the file', async () => {
    await open()
    await makeKnownAsSlow()
    await add(1)
    const slow = Promise.resolve(store.readFirstRow(counting(SLOW)))
    await store.close()
    assert.deepEqual(await slow, [SLOW, 1])
    assert.equal(existsSync(`${path}-wal`), false)
  })
})

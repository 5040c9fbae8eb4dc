/** What happens when the writer thread dies. The tests terminate it, as running out of memory would. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { ApiError } from '../../../errors.ts'
import type { Statement } from '../../statement.ts'
import { openSqlite } from '../sqlite.ts'
import { startWriter } from './writer-client.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

describe('a writer thread that dies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-writing-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let threads: { readonly worker: Worker; readonly opened: Promise<unknown> }[] = []
  let files = 0
  let store: Awaited<ReturnType<typeof openSqlite>>
  // The first message of a thread says that it has opened the file.
  const note = (worker: Worker) => void threads.push({ worker, opened: once(worker, 'message') })
  const kill = () => threads.at(-1)?.worker.terminate()
  /** Kills the thread and waits until the store uses another one. */
  async function killAndAwaitReplacement() {
    const started = once(process, 'worker')
    await kill()
    await started
    await threads.at(-1)?.opened
    await nextTurn()
  }

  beforeEach(async () => {
    threads = []
    process.on('worker', note)
    store = await openSqlite(join(folder, `${++files}.db`))
    await store.write(async (t) => t.run(plain('CREATE TABLE things (name integer PRIMARY KEY)')), {
      long: true,
    })
  })
  afterEach(async () => {
    process.off('worker', note)
    await store.close()
  })

  const add = (name: number) =>
    store.write(
      async (transaction) => {
        transaction.run(plain('INSERT INTO things VALUES (?)', name))
        await transaction.all(plain('SELECT 1'))
        transaction.touch('things')
        return name
      },
      { long: true },
    )
  const names = async () =>
    (await store.read(plain('SELECT name FROM things'))).map(({ name }) => Number(name))

  test('acknowledges nothing that is not committed, and is replaced', async () => {
    const writes = Array.from({ length: 400 }, (_, index) => add(index + 1))
    const settled = Promise.allSettled(writes)
    await writes[5]
    await killAndAwaitReplacement()
    const outcomes = await settled
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    assert.ok(refused.length > 0)
    for (const error of refused) {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.headers['retry-after']], [503, '1'])
    }
    const kept = new Set(await names())
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') assert.ok(kept.has(outcome.value))
    await add(1_000)
    assert.ok((await names()).includes(1_000))
    assert.equal(threads.length, 2)
  })

  test('does not block reads or short writes', async () => {
    await add(1)
    const killed = kill()
    assert.deepEqual(await names(), [1])
    await killed
    await store.write(async (t) => t.run(plain('INSERT INTO things VALUES (2)')))
    assert.deepEqual(await names(), [1, 2])
  })

  test('is replaced again and again', async () => {
    for (let round = 1; round <= 4; round++) {
      await add(round)
      await killAndAwaitReplacement()
    }
    await add(5)
    assert.deepEqual(await names(), [1, 2, 3, 4, 5])
  })

  test('does not lead to ids of component entries being given twice', async () => {
    const reserve = () => store.write((transaction) => transaction.reserveEntryIds(1), { long: true })
    const first = await reserve()
    await killAndAwaitReplacement()
    assert.ok((await reserve()) > first)
  })

  test('does not delay closing', async () => {
    await kill()
    await store.close()
  })
})

test('a writer thread that could not start is started with the next write, and the closed file has everything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-starting-'))
  const path = join(folder, 'data.db')
  const store = await openSqlite(path)
  const make = (table: string) =>
    store.write(async (t) => t.run(plain(`CREATE TABLE ${table} (name text)`)), { long: true })
  const end = (thread: Worker) => void thread.terminate()
  process.on('worker', end)
  await assert.rejects(make('first'), /ended while it started/)
  process.off('worker', end)
  await make('second')
  await store.close()
  assert.ok(!existsSync(`${path}-wal`), 'the log is left behind')
  rmSync(folder, { recursive: true, force: true })
})

test('a writer thread that never starts does not delay closing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-starting-'))
  const path = join(folder, 'data.db')
  const store = await openSqlite(path)
  const end = (thread: Worker) => void thread.terminate()
  process.on('worker', end)
  await assert.rejects(store.write(async (t) => t.all(plain('SELECT 1')), { long: true }))
  process.off('worker', end)
  await store.close()
  assert.ok(!existsSync(`${path}-wal`), 'the log is left behind')
  rmSync(folder, { recursive: true, force: true })
})

test('a writer thread empties the log after its current write, not during it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-log-'))
  const path = join(folder, 'data.db')
  const writer = await startWriter({ path, timeout: 1_000 }, () => {})
  const run = (sql: string, opens = false) => writer.execute([{ ...plain(sql), rows: false }], opens)
  await run('BEGIN IMMEDIATE', true)
  await run('CREATE TABLE things (name text)')
  await writer.emptyWal()
  const before = statSync(path).size
  await run('COMMIT')
  assert.equal(statSync(path).size, before)
  await writer.emptyWal()
  assert.ok(statSync(path).size > before)
  await writer.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What is acknowledged is on the disk: seen by standing between the log and the disk. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FailingDisk, failingDisk } from '../../../../test/support/failing-disk.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import type { Statement } from '../../statement.ts'
import { isFailedSync, translate } from '../failures.ts'
import { openSqlite } from '../sqlite.ts'
import { trackDurabilityFailure } from './durability-failure.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

const writeLock = { acquire: async () => {}, release() {} }

describe('a write on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-disk-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  let path = ''
  let disk: FailingDisk
  let store: Awaited<ReturnType<typeof openSqlite>>
  let notices: string[] = []
  const open = () => openSqlite(path, { notice: (message) => void notices.push(message) })

  beforeEach(async () => {
    disk = failingDisk()
    path = join(folder, `${++files}.db`)
    notices = []
    store = await open()
    await store.write(async (t) => t.run(plain('CREATE TABLE things (name text)')))
  })
  afterEach(async () => {
    disk.restore()
    await store.close()
  })

  const add = (name: string, long = false) =>
    store.write(async (t) => t.run(plain('INSERT INTO things VALUES (?)', name)), { long })
  const names = async () => (await store.read(plain('SELECT name FROM things'))).map(({ name }) => name)
  const refusal = { status: 503, message: /disk of the database has failed.* until the server is restarted/ }

  test('is acknowledged only when it is on disk', async () => {
    disk.hold()
    const before = disk.calls
    let acknowledged = false
    const written = add('one').then(() => {
      acknowledged = true
    })
    await waitUntil(() => disk.calls > before)
    await sleep(50)
    assert.equal(acknowledged, false)
    disk.release()
    await written
  })

  test('that is committed during a sync is acknowledged only after the next one', async () => {
    const worker = await openSqlite(path, {
      coordination: { writeLock, durability: trackDurabilityFailure() },
    })
    const insert = (name: string) =>
      worker.write(async (t) => t.run(plain('INSERT INTO things VALUES (?)', name)))
    disk.hold()
    const before = disk.calls
    const first = insert('one')
    await waitUntil(() => disk.calls > before)
    let acknowledged = false
    const second = insert('two').then(() => {
      acknowledged = true
    })
    await waitUntil(async () => (await names()).length === 2)
    disk.release()
    disk.hold()
    await first
    await waitUntil(() => disk.calls > before + 1)
    await sleep(50)
    assert.equal(acknowledged, false)
    disk.release()
    await second
    await worker.close()
  })

  test('that the disk failed to store is refused, and so is every later one, short or long', async () => {
    disk.fail()
    await assert.rejects(add('one'), refusal)
    await assert.rejects(add('two'), refusal)
    await assert.rejects(add('three', true), refusal)
    assert.ok(!(await names()).some((name) => name === 'two' || name === 'three'))
    assert.equal(store.durabilityFailure?.status, 503)
  })

  test('that waited when the disk failed is refused, not acknowledged by a later successful sync', async () => {
    disk.hold()
    disk.fail()
    const before = disk.calls
    const first = add('one')
    await waitUntil(() => disk.calls > before)
    const others = [add('two'), add('three')]
    disk.release()
    await assert.rejects(first, refusal)
    for (const outcome of await Promise.allSettled(others)) assert.equal(outcome.status, 'rejected')
  })

  test('that the disk failed to store is logged once, with what to do', async () => {
    disk.fail()
    await Promise.allSettled([add('one'), add('two')])
    await Promise.allSettled([add('three')])
    assert.equal(notices.length, 1)
    assert.match(notices[0] ?? '', /EIO.*restart the server/)
  })

  test('is possible again after a restart', async () => {
    await add('kept')
    disk.fail()
    await assert.rejects(add('one'), refusal)
    await store.close()
    store = await open()
    assert.equal(store.durabilityFailure, null)
    await add('two')
    const found = await names()
    assert.ok(found.includes('kept') && found.includes('two'))
  })

  test('is refused when the disk has failed for another process of the server', async () => {
    const durability = trackDurabilityFailure()
    const worker = await openSqlite(path, { coordination: { writeLock, durability } })
    await worker.write(async (t) => t.run(plain(`INSERT INTO things VALUES ('one')`)))
    durability.failedElsewhere()
    await assert.rejects(
      worker.write(async (t) => t.all(plain(`INSERT INTO things VALUES ('two')`))),
      refusal,
    )
    await worker.close()
    assert.deepEqual(await names(), ['one'])
  })
})

test('a failed sync of SQLite itself is distinguished from other disk failures', () => {
  const error = (code: number) => translate({ code, message: 'disk I/O error' })
  assert.deepEqual([1034, 266, 10, 13].map(error).map(isFailedSync), [true, false, false, false])
})

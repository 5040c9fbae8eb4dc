import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from '../statement.ts'
import { openSqlite } from './sqlite.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

describe('requests that arrive in one turn of the event loop', () => {
  let folder = ''
  let path = ''
  let store: Awaited<ReturnType<typeof openSqlite>>
  let other: DatabaseSync

  const count = () => {
    const row = store.readFirstRow(plain('SELECT count(*) FROM things'))
    assert.ok(!(row instanceof Promise))
    return row?.[0]
  }
  const addElsewhere = () => other.exec(`INSERT INTO things (name) VALUES ('elsewhere')`)
  const arrive = () => {
    store.requestArrived()
    return store.tableVersion('things')
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-turn-'))
    path = join(folder, 'data.db')
    store = await openSqlite(path)
    await store.write(async (t) => t.run(plain('CREATE TABLE things (name text)')))
    other = new DatabaseSync(path)
    await nextTurn()
  })
  afterEach(async () => {
    other.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('read the content as it was when the first of them was handled', async () => {
    arrive()
    assert.equal(count(), 0)
    addElsewhere()
    arrive()
    assert.equal(count(), 0)
    await nextTurn()
    assert.equal(count(), 1)
  })

  test('see a write of their own process as soon as it is acknowledged', async () => {
    for (let round = 1; round <= 100; round++) {
      let seen: unknown
      const reading = store
        .write(async (t) => t.run(plain('INSERT INTO things (name) VALUES (?)', 'own')), {
          long: round % 2 === 0,
        })
        .then(() => {
          seen = count()
        })
      // In every turn until then, something is read before the acknowledgement.
      while (seen === undefined) {
        arrive()
        count()
        await nextTurn()
      }
      await reading
      assert.equal(seen, round)
    }
  })

  test('leave nothing open that would keep the log from being emptied', async () => {
    arrive()
    assert.equal(count(), 0)
    addElsewhere()
    const empty = () => other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy
    assert.equal(empty(), 1)
    await nextTurn()
    assert.equal(empty(), 0)
  })

  test('do not keep a write from starting the log again', async () => {
    const pagesInLog = () => Number(other.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.log)
    let before = 0
    setImmediate(() => {
      arrive()
      assert.equal(count(), 0)
      before = pagesInLog()
    })
    await store.write(async (t) => t.run(plain('INSERT INTO things (name) VALUES (?)', 'own')))
    assert.ok(pagesInLog() < before)
  })

  test('do not keep the database from being closed', async () => {
    arrive()
    assert.equal(count(), 0)
    await store.close()
    await nextTurn()
    store = await openSqlite(path)
    assert.equal(count(), 0)
  })

  test('read on when one of them fails', async () => {
    arrive()
    assert.throws(() => store.readFirstRow(plain('SELECT json(?)', 'invalid')))
    assert.equal(count(), 0)
    await nextTurn()
    addElsewhere()
    arrive()
    assert.equal(count(), 1)
  })
})

test('a read without a request sees the latest content', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-turn-'))
  const store = await openSqlite(join(folder, 'data.db'))
  const other = new DatabaseSync(join(folder, 'data.db'))
  try {
    await nextTurn()
    store.tableVersion('things')
    other.exec('CREATE TABLE things (name text)')
    assert.deepEqual(store.readFirstRow(plain('SELECT count(*) FROM things')), [0])
  } finally {
    other.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

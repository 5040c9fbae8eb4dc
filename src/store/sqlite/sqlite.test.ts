import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../errors.ts'
import { openStore } from '../open.ts'
import type { Statement } from '../statement.ts'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-sqlite-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const freshPath = () => join(folder, `${++files}.db`)

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

describe('writes on SQLite', () => {
  let path = ''
  let store: Awaited<ReturnType<typeof openSqlite>>
  const add = (name: string) =>
    store.write(async (transaction) => {
      transaction.run(plain('INSERT INTO things (name) VALUES (?)', name))
      await transaction.all(plain('SELECT count(*) AS count FROM things'))
      transaction.touch('things')
      return name
    })
  const count = async () => (await store.read(plain('SELECT count(*) AS count FROM things')))[0]?.count

  beforeEach(async () => {
    path = freshPath()
    store = await openSqlite(path)
    await store.write(async (t) => t.run(plain('CREATE TABLE things (name text PRIMARY KEY)')))
  })
  afterEach(() => store.close())

  test('of other processes are noticed even after a failed check', async () => {
    await add('a')
    const [globalVersion, version] = [store.globalVersion(), store.tableVersion('things')]
    const other = new DatabaseSync(path)
    const versions = other.prepare('SELECT name, version FROM octavo_versions').all()
    other.exec('ALTER TABLE octavo_versions RENAME TO aside')
    // A check is reused within a callback, but not if it has failed.
    await sleep(1)
    for (const readVersion of [
      () => store.globalVersion(),
      () => store.tableVersion('things'),
      () => store.globalVersion(),
    ])
      assert.throws(readVersion, /octavo_versions/)
    other.exec('ALTER TABLE aside RENAME TO octavo_versions')
    other.exec(`UPDATE octavo_versions SET version = version + ${versions.length} WHERE name = 'things'`)
    other.close()
    await sleep(1)
    assert.notEqual(store.tableVersion('things'), version)
    assert.notEqual(store.globalVersion(), globalVersion)
  })

  test('that arrive together share commits', async () => {
    const before = store.commits
    await Promise.all(Array.from({ length: 300 }, (_, index) => add(`thing ${index}`)))
    const commits = store.commits - before
    assert.equal(await count(), 300)
    assert.ok(commits <= 60, `${commits} commits for 300 writes`)
  })

  test('that arrive one by one are committed one by one', async () => {
    const before = store.commits
    for (const name of ['a', 'b', 'c']) await add(name)
    assert.equal(store.commits - before, 3)
  })

  test('that all fail commit nothing', async () => {
    await add('a')
    const before = store.commits
    await Promise.allSettled([add('a'), add('a'), add('a')])
    assert.equal(store.commits, before)
    assert.equal(await count(), 1)
  })

  test('are visible to readers only after they are acknowledged together', async () => {
    const seen: unknown[] = []
    await Promise.all([
      add('a'),
      store.write(async (transaction) => {
        await transaction.all(plain(`INSERT INTO things (name) VALUES ('b') RETURNING name`))
        seen.push(await count())
      }),
    ])
    assert.deepEqual([...seen, await count()], [0, 2])
  })

  test('beyond the limit of the queue are refused as unavailable, and the others succeed', async () => {
    const small = await openSqlite(path, { bounds: { queue: 5, jobs: 2, milliseconds: 20, patience: 1_000 } })
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        small.write(async (t) => t.run(plain('INSERT INTO things (name) VALUES (?)', String(index)))),
      ),
    )
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    await small.close()
    assert.ok(refused.length >= 4)
    assert.ok(refused.every((reason) => reason.status === 503 && reason.headers['retry-after'] === '1'))
    assert.equal(await count(), 10 - refused.length)
  })

  test('that never end are aborted and do not block the others', async () => {
    const impatient = await openSqlite(path, {
      bounds: { queue: 5, jobs: 2, milliseconds: 20, patience: 50 },
    })
    const endless = impatient.write(async (transaction) => {
      await transaction.all(plain(`INSERT INTO things (name) VALUES ('endless') RETURNING name`))
      await new Promise(() => {})
    })
    const behind = impatient.write(async (t) => t.run(plain(`INSERT INTO things (name) VALUES ('behind')`)))
    await assert.rejects(endless, { status: 503 })
    await behind
    await impatient.close()
    assert.deepEqual((await store.read(plain('SELECT name FROM things')))[0]?.name, 'behind')
    assert.equal(await count(), 1)
  })

  test('that take long let other requests have their turn, and their statements keep their order', async () => {
    const slow = plain(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT count(*) AS count FROM n`)
    const order = plain(
      "SELECT group_concat(name, '') AS names FROM (SELECT name FROM things ORDER BY rowid)",
    )
    let turns = 0
    let isWriting = true
    const countTurns = () => {
      turns++
      if (isWriting) setImmediate(countTurns)
    }
    const names = await store.write(async (transaction) => {
      setImmediate(countTurns)
      for (let index = 0; index < 100; index++) {
        transaction.run(plain('INSERT INTO things (name) VALUES (?)', `${index},`))
        // Statements that are sent at the same time.
        await Promise.all([transaction.all(slow), transaction.all(slow)])
      }
      const [row] = await transaction.all(order)
      isWriting = false
      return row?.names
    })
    assert.equal(names, Array.from({ length: 100 }, (_, index) => `${index},`).join(''))
    assert.ok(turns > 2, `${turns} turns of the event loop`)
  })

  test('on a full disk are refused as unavailable, leave nothing incomplete, and succeed again when there is space', async () => {
    const limit = (pages: number) => store.write((t) => t.all(plain(`PRAGMA max_page_count = ${pages}`)))
    await add('before')
    await limit(12)
    const big = store.write(async (transaction) => {
      transaction.run(plain(`INSERT INTO things (name) VALUES ('first')`))
      for (let index = 0; index < 20; index++)
        transaction.run(plain('INSERT INTO things (name) VALUES (?)', `${index}`.repeat(5_000)))
    })
    const beside = add('beside')
    await assert.rejects(big, { status: 503 })
    // SQLite may or may not roll back the concurrent write too; its result must be true in either case.
    const [outcome] = await Promise.allSettled([beside])
    assert.equal(await count(), outcome.status === 'fulfilled' ? 2 : 1)
    await limit(100_000)
    await add('after')
    assert.equal(await count(), outcome.status === 'fulfilled' ? 3 : 2)
  })

  test('wait for another program that is writing to the file', async () => {
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    other.exec(`INSERT INTO things VALUES ('other')`)
    let isWritten = false
    const waiting = add('mine').then(() => {
      isWritten = true
    })
    for (let round = 0; round < 5; round++) {
      await sleep(10)
      assert.equal(await count(), 0)
    }
    assert.equal(isWritten, false)
    other.exec('COMMIT')
    await waiting
    other.close()
    assert.equal(await count(), 2)
  })

  test('run one at a time, short or long', async () => {
    const long = (name: string) =>
      store.write((t) => t.all(plain('INSERT INTO things VALUES (?) RETURNING name', name)), { long: true })
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? long(`${index}`) : add(`${index}`))),
    )
    assert.equal(await count(), 40)
  })

  test('do not let the log grow beyond the size at which it is emptied', async () => {
    const insert = (name: string) =>
      store.write(async (transaction) => transaction.run(plain('INSERT INTO things VALUES (?)', name)))
    const rounds = 40
    for (let round = 0; round < rounds; round++)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => insert(`${round} ${index} ${'long'.repeat(3_000)}`)),
      )
    const written = rounds * 100 * 12_000
    assert.ok(statSync(path).size + statSync(`${path}-wal`).size > written)
    assert.ok(statSync(path).size > written / 2, 'most of it is in the file by now')
  })

  test('never move the log into the file on the main thread, as older SQLite does when asked for the length of the log', async (t) => {
    const prepare = t.mock.method(DatabaseSync.prototype, 'prepare')
    const exec = t.mock.method(DatabaseSync.prototype, 'exec')
    const other = await openSqlite(freshPath())
    const opening = exec.mock.callCount()
    await other.write(async (transaction) => transaction.run(plain('CREATE TABLE things (name text)')))
    for (let index = 0; index < 10; index++)
      await other.write(async (transaction) => transaction.run(plain('INSERT INTO things VALUES (1)')))
    const executed = [...prepare.mock.calls, ...exec.mock.calls.slice(opening)].map(
      ({ arguments: [sql] }) => sql,
    )
    assert.deepEqual(
      executed.filter((sql) => /checkpoint/.test(sql)),
      [],
    )
    await other.close()
  })

  test('leave the file intact', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => add(`thing ${index}`)))
    assert.deepEqual({ ...(await store.read(plain('PRAGMA integrity_check')))[0] }, { integrity_check: 'ok' })
    assert.equal((await store.read(plain('PRAGMA journal_mode')))[0]?.journal_mode, 'wal')
  })
})

describe('an SQLite database', () => {
  const refused = (path: string, message: RegExp) =>
    assert.rejects(openStore(`sqlite:${path}`), (error) => {
      assert.ok(error instanceof StartError, String(error))
      assert.match(error.message, message)
      assert.ok(!error.message.includes('\n'))
      return true
    })

  test('is created together with its folders', async () => {
    const path = join(folder, 'deep', 'er', 'data.db')
    await (await openStore(`sqlite:${path}`)).close()
    assert.ok(statSync(path).isFile())
  })

  test('opens while a long write of the same process is in progress', async () => {
    const path = join(folder, 'data.db')
    const first = await openSqlite(path)
    const long = first.write(
      async (transaction) => {
        await transaction.all(plain('CREATE TABLE others (name text)'))
        await (await openSqlite(path, { waitTimeout: 1_000 })).close()
        return 'written'
      },
      { long: true },
    )
    assert.equal(await long, 'written')
    await first.close()
  })

  test('with a relative path is in the folder of the project', async () => {
    await (await openStore('sqlite:.octavo/data.db', { directory: folder })).close()
    assert.ok(statSync(join(folder, '.octavo', 'data.db')).isFile())
  })

  test('is a single complete file after it is closed, and can be copied', async () => {
    const path = freshPath()
    const store = await openStore(`sqlite:${path}`)
    await store.write(async (transaction) => {
      transaction.run({ sql: 'create table kept (word text)', parameters: [] })
      transaction.run({ sql: 'insert into kept values (?)', parameters: ['here'] })
    })
    await store.read({ sql: 'select word from kept', parameters: [] })
    await store.close()
    assert.ok(!existsSync(`${path}-wal`), 'the log is left behind')
  })

  test('that is not a database is refused in one line', async () => {
    const path = freshPath()
    writeFileSync(path, 'not a database, but long enough to be read as one. '.repeat(100))
    await refused(path, /damaged or is not an SQLite database/)
  })

  test('that is a folder is refused in one line', async () => {
    const path = freshPath()
    mkdirSync(path)
    await refused(path, /cannot be opened/)
  })

  test('whose folder cannot be created is refused in one line', async () => {
    const file = freshPath()
    writeFileSync(file, '')
    await refused(join(file, 'data.db'), /Cannot create the folder/)
  })

  test('that cannot be written to is refused in one line', { skip: process.getuid?.() === 0 }, async () => {
    const path = freshPath()
    await (await openStore(`sqlite:${path}`)).close()
    chmodSync(path, 0o444)
    await refused(path, /cannot be written to/)
  })

  test('needs a path, and other kinds of url are refused', async () => {
    await refused('', /must name a file/)
    await assert.rejects(openStore('mysql://localhost/x'), StartError)
  })

  test('in memory is refused, and no file of that name is created', async () => {
    await assert.rejects(openStore('sqlite::memory:', { directory: folder }), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /must name a file/)
      return true
    })
    assert.ok(!existsSync(join(folder, ':memory:')))
  })
})

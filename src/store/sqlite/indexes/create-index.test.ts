/** Indexes that are created in steps while the table changes. SQLite's own check compares them with the rows. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import type { Row } from '../../statement.ts'
import { openSqlite } from '../sqlite.ts'
import { createIndex, type IndexWrites } from './create-index.ts'
import { handOver } from './hand-over.ts'

const ROWS = 3_000
const INDEX = { name: 'octavo_auto_1', table: 'books', columns: ['a_title', 'a_rating'] }
const QUERY = `SELECT id FROM books WHERE published = 1 AND locale = 'en' AND a_title = 'b' ORDER BY a_rating, id`

const folder = mkdtempSync(join(tmpdir(), 'octavo-index-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
let path = ''
let store: Awaited<ReturnType<typeof openSqlite>>
/** Another connection, as another process has it. */
let other: DatabaseSync

beforeEach(async () => {
  path = join(folder, `${++files}.db`)
  store = await openSqlite(path)
  other = new DatabaseSync(path, { timeout: 5_000 })
  other.exec(`CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, published INTEGER NOT NULL, locale TEXT NOT NULL,
      a_title TEXT, a_rating REAL, a_note TEXT) STRICT;
    INSERT INTO books (published, locale, a_title, a_rating)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    SELECT i % 2, iif(i % 3, 'en', 'fr'), nullif(char(97 + i * 7 % 5), 'e'), nullif(i * 31 % 17 / 2.0, 3) FROM n`)
})
afterEach(async () => {
  other.close()
  await store.close()
})

/** Creates the index with a change between any two steps. */
function createWith(change: () => void | Promise<void>, signal?: AbortSignal): Promise<void> {
  const writes: IndexWrites = {
    async write(work) {
      const result = await store.write(work, { long: true })
      await change()
      return result
    },
    handOver: async (index) => handOver(other, index),
  }
  return createIndex(writes, INDEX, signal)
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => Number(id))
const relations = () =>
  other
    .prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'octavo_auto%' ORDER BY name`)
    .all()
    .map(({ name }) => name)

function assertIntact() {
  assert.deepEqual(
    other
      .prepare('PRAGMA integrity_check')
      .all()
      .map(({ integrity_check }) => integrity_check),
    ['ok'],
  )
}

/** Whether reads use the index, and find what a scan finds. */
async function assertServes() {
  assertIntact()
  assert.deepEqual(relations(), [INDEX.name])
  const scan = QUERY.replace('books', 'books NOT INDEXED')
  const found = await store.read({ sql: QUERY, parameters: [] })
  assert.deepEqual(idsOf(found), idsOf(await store.read({ sql: scan, parameters: [] })))
  const { indexes } = await store.explain({ sql: QUERY, parameters: [] })
  assert.deepEqual(indexes, [INDEX.name])
}

const title = fc.option(fc.constantFrom('a', 'b', 'ü', '𝒳'))
const rating = fc.option(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })))
/** A place among all rows: those that are copied, those that are not, and new ones. */
const place = fc.double({ min: 0, max: 1.1, noNaN: true }).map((part) => Math.ceil(part * ROWS))
const change = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), title, rating }),
  fc.record({ kind: fc.constant('update' as const), id: place, title, rating }),
  fc.record({ kind: fc.constant('move' as const), id: place, published: fc.nat(1) }),
  fc.record({ kind: fc.constant('other' as const), id: place }),
  fc.record({ kind: fc.constant('delete' as const), from: place, count: fc.nat(20) }),
)
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function apply(change: Change) {
  const run = (statement: string, ...values: (string | number | null)[]) =>
    other.prepare(statement).run(...values)
  switch (change.kind) {
    case 'insert':
      // As requests insert rows.
      return run(
        `INSERT OR FAIL INTO books (published, locale, a_title, a_rating) VALUES (1, 'en', ?, ?)`,
        change.title,
        change.rating,
      )
    case 'update':
      return run(
        `UPDATE books SET a_title = ?, a_rating = ? WHERE id = ?`,
        change.title,
        change.rating,
        change.id,
      )
    case 'move':
      return run(`UPDATE books SET published = ? WHERE id = ?`, change.published, change.id)
    case 'other':
      return run(`UPDATE books SET a_note = 'noted' WHERE id = ?`, change.id)
    case 'delete':
      return run(`DELETE FROM books WHERE id >= ? AND id < ?`, change.from, change.from + change.count)
  }
}

test('an index has every row as it is, whatever changes while it is created and after it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 60 }), async (changes) => {
      const left = [...changes]
      const changeSome = () => left.splice(0, 5).forEach(apply)
      await createWith(changeSome)
      left.forEach(apply)
      await store.write(async (t) =>
        t.run({ sql: `UPDATE books SET a_title = 'b' WHERE id % 97 = 0`, parameters: [] }),
      )
      await assertServes()
      await store.dropIndex(INDEX.name)
      assert.deepEqual(relations(), [])
    }),
    { numRuns: 20 },
  )
})

test('an index that two processes create has every row as it is, whatever changes meanwhile', async () => {
  const second = await openSqlite(path)
  let isCreated = false
  const created = Promise.all([store.createIndex(INDEX), second.createIndex(INDEX)]).finally(() => {
    isCreated = true
  })
  const rename = { sql: `UPDATE books SET a_title = 'b' WHERE id % 97 = ?` }
  for (let rest = 0; !isCreated; rest++)
    await second.write(async (t) => t.run({ ...rename, parameters: [rest % 97] }))
  await created
  await second.close()
  await assertServes()
})

test('an index that exists is left as it is, and an empty table gets one', async () => {
  await store.createIndex(INDEX)
  await assertServes()
  await store.createIndex(INDEX)
  await assertServes()
  await store.dropIndex(INDEX.name)
  other.exec('DELETE FROM books')
  await store.createIndex(INDEX)
  await assertServes()
})

async function interruptCreation() {
  const interruption = new AbortController()
  let steps = 0
  const stopAfterTwo = () => {
    if (++steps === 2) interruption.abort(new Error('stopped'))
  }
  await assert.rejects(createWith(stopAfterTwo, interruption.signal), { name: 'AbortError' })
  assert.equal(relations().length, 5)
}

test('an interrupted creation does not disturb writes, and is continued', async () => {
  await interruptCreation()
  other.exec(
    `INSERT INTO books (published, locale, a_title) VALUES (1, 'en', 'b'); DELETE FROM books WHERE id < 9`,
  )
  await store.createIndex(INDEX)
  await assertServes()
})

test('what is left of a creation that no longer follows changes is replaced', async () => {
  await interruptCreation()
  other.exec(`DROP TRIGGER octavo_auto_1_update; UPDATE books SET a_title = 'b'`)
  await store.createIndex(INDEX)
  await assertServes()
})

test('an index that is dropped while it is created is not created, and nothing is left of it', async () => {
  let steps = 0
  const created = createWith(async () => {
    if (++steps === 2) await store.dropIndex(INDEX.name)
  })
  await assert.rejects(created, /octavo_auto_1 was dropped while it was created/)
  assert.deepEqual(relations(), [])
  await store.write(async (t) => t.run({ sql: `UPDATE books SET a_title = 'b'`, parameters: [] }))
  assertIntact()
})

test('an index that lacks a row does not become that of the table', async () => {
  const created = createWith(() => other.exec('DELETE FROM octavo_auto_1_copy WHERE id = 7'))
  await assert.rejects(created, /octavo_auto_1 has 2999 of 3000 rows of books/)
  assertIntact()
  assert.ok(!relations().includes(INDEX.name))
  await store.createIndex(INDEX)
  await assertServes()
})

test('no index is created on a closed database', async () => {
  await store.close()
  await assert.rejects(store.createIndex(INDEX), { status: 503 })
  await assert.rejects(store.dropIndex(INDEX.name), { status: 503 })
})

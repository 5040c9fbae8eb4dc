/** Writes while another program holds the write lock of the file for short intervals. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Statement } from '../../statement.ts'
import { openSqlite } from '../sqlite.ts'

const plain = (sql: string, ...parameters: Statement['parameters']): Statement => ({ sql, parameters })

const folder = mkdtempSync(join(tmpdir(), 'octavo-second-writer-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Begins a transaction; false when the store has the lock. */
function hasBegun(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN IMMEDIATE')
    return true
  } catch {
    return false
  }
}

test('a write whose statements are sent together waits until another program has finished its own', async () => {
  const path = join(folder, 'shared.db')
  const store = await openSqlite(path)
  await store.write(async (t) => t.run(plain('CREATE TABLE things (name integer PRIMARY KEY)')))
  const other = new DatabaseSync(path)
  let isDone = false
  let intervals = 0
  const holdLock = async () => {
    while (!isDone) {
      if (!hasBegun(other)) {
        await sleep(1)
        continue
      }
      intervals++
      other.exec(`INSERT INTO things VALUES (${-intervals})`)
      await sleep(8)
      other.exec('COMMIT')
      await sleep(4)
    }
  }
  const held = holdLock()
  let written = 0
  try {
    for (; written < 200 || intervals < 6; written += 2)
      await store.write(async (t) => {
        await Promise.all([
          t.all(plain('INSERT INTO things VALUES (?)', written)),
          t.all(plain('INSERT INTO things VALUES (?)', written + 1)),
        ])
      })
  } finally {
    isDone = true
    await held
    other.close()
  }
  const [row] = await store.read(plain('SELECT count(*) AS count FROM things WHERE name >= 0'))
  assert.equal(row?.count, written)
  await store.close()
})

test('a write is refused as busy, not as broken, when another program does not finish', async () => {
  const path = join(folder, 'held.db')
  const store = await openSqlite(path, { waitTimeout: 50 })
  await store.write(async (t) => t.run(plain('CREATE TABLE things (name integer PRIMARY KEY)')))
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const write = () =>
    store.write((t) =>
      Promise.all([
        t.all(plain('INSERT INTO things VALUES (1)')),
        t.all(plain('INSERT INTO things VALUES (2)')),
      ]),
    )
  await assert.rejects(write(), { status: 503, message: 'The database is busy' })
  other.exec('ROLLBACK')
  other.close()
  await write()
  const [row] = await store.read(plain('SELECT count(*) AS count FROM things'))
  assert.equal(row?.count, 2)
  await store.close()
})

import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { followWalLength, type WalLength } from './wal-length.ts'

const MOST = 20

for (const pageSize of [512, 4096, 65_536]) {
  describe(`the length of a log of pages of ${pageSize} bytes`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-length-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    let files = 0
    let path = ''
    let database: DatabaseSync
    let file = 0
    let length: WalLength

    beforeEach(() => {
      path = join(folder, `${++files}.db`)
      database = new DatabaseSync(path)
      database.exec(
        `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0`,
      )
      database.exec('CREATE TABLE things (name text); PRAGMA wal_checkpoint(TRUNCATE)')
      file = openSync(`${path}-wal`, 'r')
      length = followWalLength(file, MOST)
    })
    afterEach(() => {
      closeSync(file)
      database.close()
    })

    /** Each of these commits writes one page. */
    const commit = (count: number) => {
      for (let index = 0; index < count; index++) database.exec(`UPDATE things SET name = '${index}'`)
    }
    const begin = () => database.exec(`INSERT INTO things VALUES ('')`)
    const empty = () => {
      const { checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {}
      return Number(checkpointed)
    }

    test('is exact to the page', () => {
      assert.equal(length.isLong(), false)
      begin()
      commit(MOST - 2)
      assert.equal(length.isLong(), false)
      commit(1)
      assert.equal(length.isLong(), true)
    })

    test('is short after the log has started again, although its file is as long as before', () => {
      begin()
      commit(2 * MOST)
      length.noteEmptied(empty())
      const before = statSync(`${path}-wal`).size
      commit(MOST - 1)
      assert.equal(statSync(`${path}-wal`).size, before)
      assert.equal(length.isLong(), false)
      commit(1)
      assert.equal(length.isLong(), true)
    })

    test('counts from the moved pages while a reader keeps the log from starting again', () => {
      begin()
      commit(MOST)
      const reader = new DatabaseSync(path)
      reader.exec('BEGIN; SELECT * FROM things')
      length.noteEmptied(empty())
      assert.equal(length.isLong(), false)
      commit(MOST - 1)
      assert.equal(length.isLong(), false)
      commit(1)
      assert.equal(length.isLong(), true)
      reader.close()
    })

    test('counts as long again only after as much growth, when the log could not be emptied', () => {
      begin()
      commit(MOST)
      assert.equal(length.isLong(), true)
      length.noteFailed()
      assert.equal(length.isLong(), false)
      commit(MOST)
      assert.equal(length.isLong(), true)
    })
  })
}

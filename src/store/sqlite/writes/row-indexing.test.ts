import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { compile } from '../../compile.ts'
import { openStore } from '../../open.ts'
import { FORMAT, type SearchIndex } from '../../search/search-dialect.ts'
import { sqliteSearch } from '../../search/sqlite-search.ts'
import type { Store, Transaction } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import { indexRows } from './batch-statements.ts'

const INDEX: SearchIndex = { name: 'octavo_search_notes', columns: ['a_text'], format: FORMAT }
/** Together with what a row costs besides, a tenth of the text that is added at once. */
const LONG = 'x'.repeat(30_000)

describe('rows that wait for their search index on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-row-indexing-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let store: Store
  let number = 0

  const write = (...statements: readonly string[]) =>
    store.write(async (transaction) => {
      for (const sql of statements) transaction.run({ sql, parameters: [] })
      transaction.touch('notes')
    })
  const insert = (id: number, text: string) => `INSERT INTO notes VALUES (${id}, '${text}')`
  const idsOf = async (sql: string) => (await store.read({ sql, parameters: [] })).map(({ id }) => Number(id))
  const waiting = async () => (await idsOf('SELECT DISTINCT id FROM octavo_search_notes_pending')).length
  const indexed = (word: string) =>
    idsOf(`SELECT rowid AS id FROM octavo_search_notes WHERE octavo_search_notes MATCH '"${word}"'`)

  beforeEach(async () => {
    store = await openStore(`sqlite:${join(folder, `${number++}.db`)}`)
    await write('CREATE TABLE notes (id integer PRIMARY KEY, a_text text)')
    await store.write(async (transaction) => {
      for (const statement of sqliteSearch.create('notes', INDEX))
        transaction.run(compile(sqliteDialect, statement))
    })
  })
  afterEach(() => store.close())

  it('are added together by the write with which they are many', async () => {
    for (let id = 1; id < 10; id++) await write(insert(id, `word${id} ${LONG}`))
    assert.equal(await waiting(), 9)
    await write(insert(10, `word10 ${LONG}`))
    assert.equal(await waiting(), 0)
    for (let id = 1; id <= 10; id++) assert.deepEqual(await indexed(`word${id}`), [id])
  })

  it('are added in steps if one write has changed very many, also some of them again', async () => {
    const rows = 12_000
    await write(
      `INSERT INTO notes WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
        SELECT i, 'before number' || i || ' ${'and more '.repeat(5)}' FROM n`,
      `UPDATE notes SET a_text = 'after number' || id || ' ${'and more '.repeat(5)}' WHERE id % 1000 = 7`,
    )
    assert.equal(await waiting(), 0)
    assert.equal((await indexed('before')).length, rows - 12)
    assert.equal((await indexed('after')).length, 12)
    assert.deepEqual(await indexed('number11007'), [11_007])
    await write(`UPDATE notes SET a_text = 'last number' || id || ' ${'and more '.repeat(5)}'`)
    assert.deepEqual(
      [await waiting(), (await indexed('before')).length, (await indexed('after')).length],
      [0, 0, 0],
    )
    assert.deepEqual(await indexed('number11007'), [11_007])
  })

  it('still wait after a write that was undone, and are counted again', async () => {
    const undone = async (...statements: readonly string[]) =>
      assert.rejects(write(...statements, 'INSERT INTO notes VALUES (1, NULL)'), /same id/)
    await write(insert(1, `first ${LONG}`))
    await undone(...Array.from({ length: 12 }, (_, at) => insert(at + 2, `undone ${LONG}`)))
    assert.equal(await waiting(), 1)
    for (let id = 2; id <= 9; id++) await write(insert(id, `word${id} ${LONG}`))
    assert.equal(await waiting(), 9)
    await write(insert(10, `word10 ${LONG}`))
    assert.deepEqual([await waiting(), await indexed('undone'), await indexed('word9')], [0, [], [9]])
  })

  const addAll = () => store.write(async (transaction) => transaction.run(indexRows(['notes'], 'all')))
  const listedWords = async (words: readonly string[]) => {
    const rows = await store.read({ sql: 'SELECT word FROM octavo_search_notes_words', parameters: [] })
    const listed = new Set(rows.map(({ word }) => word))
    return words.filter((word) => listed.has(word))
  }

  it('have their words listed again after writes that had listed them were undone', async () => {
    const undone = () =>
      store.write(async (transaction) => {
        transaction.run({ sql: insert(1, 'first second'), parameters: [] })
        transaction.run(indexRows(['notes'], 'all'))
        const sql = 'SELECT word FROM octavo_search_notes_words'
        const words = await transaction.all({ sql, parameters: [] })
        throw new Error(words.map(({ word }) => word).join(' '))
      })
    // After the first failure in a batch, jobs have savepoints.
    await Promise.all([undone(), undone()].map((write) => assert.rejects(write, /^Error: first second$/)))
    assert.deepEqual(await listedWords(['first', 'second']), [])
    await write(insert(1, 'first second'))
    await addAll()
    assert.deepEqual(await listedWords(['first', 'second']), ['first', 'second'])
  })

  it('have their words listed again in an index that was created anew', async () => {
    await write(insert(1, 'first second'))
    await addAll()
    await write('DELETE FROM notes')
    await store.write(async (transaction) => {
      const { drop, create } = sqliteSearch
      for (const statement of [...drop('notes', INDEX), ...create('notes', INDEX)])
        transaction.run(compile(sqliteDialect, statement))
    })
    assert.deepEqual(await listedWords(['first', 'second']), [])
    await write(insert(2, 'second'))
    await addAll()
    assert.deepEqual(await listedWords(['first', 'second']), ['second'])
  })

  it('do not include those of an index that a rolled back transaction has created', async () => {
    const version = async (transaction: Transaction) => {
      const [row] = await transaction.all({ sql: 'PRAGMA schema_version', parameters: [] })
      return Number(row?.schema_version)
    }
    const other: SearchIndex = { ...INDEX, name: 'octavo_search_others' }
    let undone = 0
    const creation = store.write(async (transaction) => {
      transaction.run({ sql: 'CREATE TABLE others (id integer PRIMARY KEY, a_text text)', parameters: [] })
      for (const statement of sqliteSearch.create('others', other))
        transaction.run(compile(sqliteDialect, statement))
      transaction.run(indexRows(['others'], 'many'))
      undone = await version(transaction)
      throw new Error('interrupted')
    })
    await assert.rejects(creation, /interrupted/)
    await store.write(async (transaction) => {
      transaction.run({ sql: 'CREATE TABLE others (id integer PRIMARY KEY, a_text text)', parameters: [] })
      for (let table = 0; (await version(transaction)) < undone; table++)
        transaction.run({ sql: `CREATE TABLE more_${table} (id integer)`, parameters: [] })
      assert.equal(await version(transaction), undone)
    })
    await store.write(async (transaction) => {
      transaction.run({ sql: `INSERT INTO others VALUES (1, 'text')`, parameters: [] })
      transaction.touch('others')
    })
    assert.deepEqual(await idsOf('SELECT id FROM others'), [1])
  })

  it('are found by another connection, which may have added some of them', async () => {
    const other = await openStore(`sqlite:${join(folder, `${number - 1}.db`)}`)
    try {
      for (let id = 1; id <= 30; id++) {
        const on = id % 3 === 0 ? other : store
        await on.write(async (transaction) => {
          transaction.run({ sql: insert(id, `word${id} ${LONG}`), parameters: [] })
          transaction.touch('notes')
        })
        assert.ok((await waiting()) <= 20)
      }
      const left = new Set(await idsOf('SELECT id FROM octavo_search_notes_pending'))
      for (let id = 1; id <= 30; id++) if (!left.has(id)) assert.deepEqual(await indexed(`word${id}`), [id])
    } finally {
      await other.close()
    }
  })
})

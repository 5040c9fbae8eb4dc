import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { compile } from '../compile.ts'
import { openStore } from '../open.ts'
import type { Sql } from '../sql.ts'
import type { Store } from '../store.ts'
import { FORMAT, type SearchIndex } from './search-dialect.ts'

const INDEX: SearchIndex = { name: 'octavo_search_notes', columns: ['a_text'], format: FORMAT }

/** Stands for the function of a migrated database. */
const FOLD = 'CREATE FUNCTION octavo_fold(text) RETURNS text LANGUAGE sql IMMUTABLE RETURN lower($1)'

onEachEngine(({ name, dialect, freshUrl }) => {
  const run = (store: Store, sql: string) =>
    store.write(async (transaction) => transaction.run({ sql, parameters: [] }))
  const runAll = (store: Store, statements: readonly Sql[]) =>
    store.write(async (transaction) => {
      for (const statement of statements) transaction.run(compile(dialect, statement))
    })
  const idsOf = async (store: Store, sql: string) =>
    (await store.read({ sql, parameters: [] })).map(({ id }) => Number(id))
  const pending = (store: Store) => idsOf(store, 'SELECT id FROM octavo_search_notes_pending')
  const indexed = (store: Store, word: string) =>
    idsOf(
      store,
      name === 'sqlite'
        ? `SELECT rowid AS id FROM octavo_search_notes WHERE octavo_search_notes MATCH '"${word}"'`
        : `SELECT id FROM octavo_search_notes_rows WHERE words @> ARRAY['${word}']`,
    )

  const openNotes = async (url: string) => {
    const store = await openStore(url)
    await run(store, 'CREATE TABLE notes (id bigint PRIMARY KEY, a_text text)')
    if (name === 'postgres') await run(store, FOLD)
    await runAll(store, [...dialect.search.prepare, ...dialect.search.create('notes', INDEX)])
    return store
  }

  it('changed rows are added to their search index while the server is idle, also after a restart', async () => {
    const url = await freshUrl()
    let store = await openNotes(url)
    await run(store, "INSERT INTO notes VALUES (1, 'first'), (2, 'second')")
    assert.deepEqual(await pending(store), [1, 2])
    await waitUntil(async () => (await pending(store)).length === 0)
    assert.deepEqual(await indexed(store, 'second'), [2])

    await run(store, "UPDATE notes SET a_text = 'third' WHERE id = 2")
    await store.close()
    store = await openStore(url)
    await waitUntil(async () => (await pending(store)).length === 0)
    assert.deepEqual(await indexed(store, 'third'), [2])
    assert.deepEqual(await indexed(store, 'second'), [])
    await store.close()
  })

  it('each word is listed once, however many there are', async () => {
    const store = await openNotes(await freshUrl())
    const insert = async (id: number, words: readonly string[]) => {
      await run(store, `INSERT INTO notes VALUES (${id}, '${words.join(' ')}')`)
      await waitUntil(async () => (await pending(store)).length === 0)
    }
    const some = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => `word${first + index}`)
    await insert(1, some(0, 12_000))
    await insert(2, [...some(6_000, 12_000), ...some(17_000, 1_000)])
    const [listed] = await store.read({
      sql: 'SELECT count(*) AS words, count(DISTINCT word) AS different FROM octavo_search_notes_words',
      parameters: [],
    })
    assert.deepEqual({ ...listed }, { words: 18_000, different: 18_000 })
    await store.close()
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../test/support/engines.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { compile } from '../compile.ts'
import { openStore } from '../open.ts'
import type { Sql } from '../sql.ts'
import { indexRows } from '../sqlite/writes/batch-statements.ts'
import type { Store } from '../store.ts'
import { FORMAT, type SearchIndex } from './search-dialect.ts'
import { MARK } from './words.ts'

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
  /** The rows of a word, and the entries of the index that have it. */
  const entries = (store: Store, word: string) =>
    idsOf(
      store,
      name === 'sqlite'
        ? `SELECT rowid AS id FROM octavo_search_notes WHERE octavo_search_notes MATCH '"${word}"'`
        : `SELECT id FROM octavo_search_notes_rows WHERE words @> ARRAY['${word}']`,
    )
  const indexed = async (store: Store, word: string) => {
    const ids = await entries(store, word)
    const pairs = name === 'sqlite' ? 'octavo_search_notes_pairs' : 'octavo_search_notes_rows'
    const twins = await idsOf(
      store,
      `SELECT twin AS id FROM ${pairs} WHERE twin IS NOT NULL AND id IN (${ids.join() || 'NULL'})`,
    )
    return [...ids, ...twins].toSorted((a, b) => a - b)
  }
  const addAll = (store: Store) =>
    name === 'sqlite'
      ? store.write(async (transaction) => transaction.run(indexRows(['notes'], 'all')))
      : run(store, 'SELECT octavo_search_notes_add(false)')

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

  it('two rows with the same text share its words until one of them changes', async () => {
    const store = await openNotes(await freshUrl())
    await run(store, "INSERT INTO notes VALUES (1, 'same'), (2, 'same')")
    await addAll(store)
    assert.deepEqual([(await entries(store, 'same')).length, await indexed(store, 'same')], [1, [1, 2]])
    await run(store, "UPDATE notes SET a_text = 'other' WHERE id = 1")
    await addAll(store)
    assert.deepEqual([await indexed(store, 'same'), await indexed(store, 'other')], [[2], [1]])
    await store.close()
  })

  it('the index has the words of each row after any changes', async () => {
    const store = await openNotes(await freshUrl())
    const words = ['first', 'second', 'third']
    const text = fc.constantFrom(...words, 'first second', '')
    const change = fc.oneof(
      fc.record({ id: fc.integer({ min: 1, max: 5 }), text: fc.option(text) }),
      fc.constant('add' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 24, size: 'max' }), async (changes) => {
        const texts = new Map<number, string>()
        await run(store, 'DELETE FROM notes')
        for (const step of [...changes, 'add' as const]) {
          if (step === 'add') {
            await addAll(store)
            for (const word of words)
              assert.deepEqual(
                await indexed(store, word),
                [...texts].flatMap(([id, has]) => (has.includes(word) ? [id] : [])).toSorted(),
              )
          } else if (step.text === null) {
            texts.delete(step.id)
            await run(store, `DELETE FROM notes WHERE id = ${step.id}`)
          } else {
            texts.set(step.id, step.text)
            await run(
              store,
              `INSERT INTO notes VALUES (${step.id}, '${step.text}')
                ON CONFLICT (id) DO UPDATE SET a_text = excluded.a_text`,
            )
          }
        }
      }),
      { numRuns: 60 },
    )
    await store.close()
  })

  it('a word as long as a file is indexed', async () => {
    const store = await openNotes(await freshUrl())
    await run(
      store,
      `INSERT INTO notes VALUES (1, 'before ${'data'.repeat(50_000)} ${'日本語'.repeat(30_000)}')`,
    )
    await addAll(store)
    for (const word of ['before', `${MARK}ata`, `${MARK}本語日`])
      assert.deepEqual(await indexed(store, word), [1], word)
    await store.close()
  })

  // SQLite adds rows with every commit.
  if (name === 'postgres')
    it('few rows wait, however short they are and however many are created', async () => {
      const store = await openNotes(await freshUrl())
      await run(store, "INSERT INTO notes SELECT id, 'row ' || id FROM generate_series(1, 6000) AS id")
      const { length } = await pending(store)
      assert.ok(length < 3_000, `${length} rows wait`)
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

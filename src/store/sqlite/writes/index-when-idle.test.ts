import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { compile } from '../../compile.ts'
import { FORMAT, type SearchIndex } from '../../search/search-dialect.ts'
import { sqliteSearch } from '../../search/sqlite-search.ts'
import type { Store } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import { openSqlite } from '../sqlite.ts'

const INDEX: SearchIndex = { name: 'octavo_search_notes', columns: ['a_text'], format: FORMAT }

describe('changed rows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-idle-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'notes.db')

  const run = (store: Store, sql: string) =>
    store.write(async (transaction) => transaction.run({ sql, parameters: [] }))
  const idsOf = async (store: Store, sql: string) =>
    (await store.read({ sql, parameters: [] })).map(({ id }) => id)
  const pending = (store: Store) => idsOf(store, 'SELECT id FROM octavo_search_notes_pending')
  const indexed = (store: Store, word: string) =>
    idsOf(store, `SELECT rowid AS id FROM octavo_search_notes WHERE octavo_search_notes MATCH '"${word}"'`)

  it('are added to their search index while the server is idle, also after a restart', async () => {
    let store = await openSqlite(path)
    await run(store, 'CREATE TABLE notes (id integer PRIMARY KEY, a_text text)')
    await store.write(async (transaction) => {
      for (const statement of sqliteSearch.create('notes', INDEX))
        transaction.run(compile(sqliteDialect, statement))
    })
    await run(store, "INSERT INTO notes VALUES (1, 'first'), (2, 'second')")
    await waitUntil(async () => (await pending(store)).length === 0)
    assert.deepEqual(await indexed(store, 'second'), [2])

    await run(store, "UPDATE notes SET a_text = 'third' WHERE id = 2")
    await store.close()
    store = await openSqlite(path)
    await waitUntil(async () => (await pending(store)).length === 0)
    assert.deepEqual(await indexed(store, 'third'), [2])
    assert.deepEqual(await indexed(store, 'second'), [])
    await store.close()
  })
})

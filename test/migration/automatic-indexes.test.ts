/** Migrations of content-types on which the server has created indexes by itself. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { readAutomaticIndexes } from '../../src/reads/indexes/tables.ts'
import { completeInterrupted } from '../../src/reads/indexes/update-indexes.ts'
import { compile } from '../../src/store/compile.ts'
import type { Store } from '../../src/store/store.ts'
import { newIndexName, storeAutomaticIndex } from '../../src/store/tables/automatic-indexes.ts'
import { onEachEngine, onServer } from '../support/engines.ts'
import { collection, string, typeFile } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openMigratedProject } from './migrated-project.ts'

const integer = { type: 'integer' }

async function addIndex(store: Store, ...columns: readonly string[]) {
  const index = {
    name: newIndexName(),
    table: 'books',
    columns,
    state: 'ready',
    since: '2026-01-01',
  } as const
  await store.createIndex(index)
  await store.write(async (transaction) =>
    transaction.run(compile(store.dialect, storeAutomaticIndex(index))),
  )
  return index.name
}

/** Records an index that is to be created. */
async function recordIndex(store: Store, table: string, ...columns: readonly string[]) {
  const index = { name: newIndexName(), table, columns, state: 'building', since: '2026-01-01' } as const
  await store.write(async (transaction) =>
    transaction.run(compile(store.dialect, storeAutomaticIndex(index))),
  )
  return index
}

/** Records an index and stops its creation halfway. */
async function interruptIndex(store: Store, table: string, ...columns: readonly string[]) {
  const index = await recordIndex(store, table, ...columns)
  const interruption = new AbortController()
  const created = store.createIndex(index, interruption.signal)
  setImmediate(() => interruption.abort(new Error('stopped')))
  await created.catch(() => {})
}

onEachEngine((engine) => {
  it('an index follows renames, and is dropped with its columns and when the schema declares it', async (t) => {
    const files = (singular: string, attributes: object, more: object = {}) => ({
      [typeFile(singular)]: collection(singular, attributes, more),
    })
    const before = { title: string, pages: integer, year: integer, shelf: string }
    const project = await openMigratedProject(t, engine, files('book', before))
    const id = await project.create('books', { title: 'A', pages: 7, year: 1999, shelf: 's' })
    const names = await project.withStore(async (store) => ({
      renamed: await addIndex(store, 'a_title', 'created_at'),
      dropped: await addIndex(store, 'a_shelf', 'a_pages'),
      converted: await addIndex(store, 'a_year'),
      declared: await addIndex(store, 'a_shelf'),
    }))
    const state = () =>
      project.withStore(async (store) => {
        const rows = await store.read(compile(store.dialect, store.dialect.listColumnsAndIndexes))
        const existing = rows.filter(({ kind }) => kind === 'index')
        const owner = new Map(existing.map((row) => [String(row.name), String(row.owner)]))
        const automatic = Object.values(names).filter((name) => owner.has(name))
        const recorded = (await readAutomaticIndexes(store)).map(({ name, table, columns }) => [
          name,
          table,
          columns,
        ])
        return { automatic, owners: automatic.map((name) => owner.get(name)), recorded }
      })

    const after = { name: { ...string, renamedFrom: 'title' }, year: string, shelf: string }
    await project.apply(files('book', after, { options: { indexes: [['shelf']] } }), 'everything')
    assert.deepEqual(await state(), {
      automatic: [names.renamed],
      owners: ['books'],
      recorded: [[names.renamed, 'books', ['a_name', 'created_at']]],
    })
    const book = Object(await project.data(`/api/books/${id}`))
    assert.deepEqual([book.name, book.year], ['A', '1999'])

    await project.apply(files('book', after, { collectionName: 'volumes' }), 'everything')
    assert.deepEqual(await state(), {
      automatic: [names.renamed],
      owners: ['volumes'],
      recorded: [[names.renamed, 'volumes', ['a_name', 'created_at']]],
    })

    await project.apply(files('other', { name: string }), 'everything')
    assert.deepEqual(await state(), { automatic: [], owners: [], recorded: [] })
  })

  it('an index does not prevent longer values that a schema allows later', async (t) => {
    const files = (title: object) => ({ [typeFile('book')]: collection('book', { title }) })
    const text = randomBytes(4_000).toString('base64')
    for (const next of [{ ...string, maxLength: 6_000 }, { type: 'text' }]) {
      const project = await openMigratedProject(t, engine, files(string))
      await project.create('books', { title: 'A' })
      const name = await project.withStore((store) => addIndex(store, 'a_title'))
      await project.apply(files(next))
      const id = await project.create('books', { title: text })
      assert.equal(Object(await project.data(`/api/books/${id}`)).title, text)
      const left = await project.withStore(readAutomaticIndexes)
      assert.deepEqual(
        left.map((index) => index.name),
        engine.name === 'sqlite' ? [name] : [],
      )
    }
  })

  it('an index that is being created does not stand in the way of a migration', async (t) => {
    const files = (attributes: object, more: object = {}) => ({
      [typeFile('book')]: collection('book', attributes, more),
    })
    const project = await openMigratedProject(
      t,
      engine,
      files({ title: string, pages: integer, year: integer }),
    )
    const id = await project.create('books', { title: 'A', pages: 7, year: 1999 })
    await project.withStore(async (store) => {
      await interruptIndex(store, 'books', 'a_title')
      await interruptIndex(store, 'books', 'a_pages')
      await interruptIndex(store, 'books', 'a_year')
    })
    const after = { name: { ...string, renamedFrom: 'title' }, year: string }
    await project.apply(files(after, { collectionName: 'volumes' }), 'everything')
    const book = Object(await project.data(`/api/books/${id}`))
    assert.deepEqual([book.name, book.year], ['A', '1999'])
    await project.create('books', { name: 'B', year: '2000' })
    await project.withStore(async (store) => {
      const log = { info() {} }
      const completed = await completeInterrupted({ store, log })
      assert.deepEqual(
        completed.map(({ table, columns }) => [table, columns]),
        [['volumes', ['a_name']]],
      )
      const [index] = await readAutomaticIndexes(store)
      assert.equal(index?.state, 'ready')
      const rows = await store.read(compile(store.dialect, store.dialect.listColumnsAndIndexes))
      assert.ok(
        rows.some(({ kind, name, owner }) => kind === 'index' && name === index?.name && owner === 'volumes'),
      )
    })
    await project.create('books', { name: 'C', year: '2001' })
  })

  if (engine.name === 'postgres')
    it('a migration does not wait for an index that another process creates', async (t) => {
      const files = (attributes: object) => ({ [typeFile('book')]: collection('book', attributes) })
      const project = await openMigratedProject(t, engine, files({ title: string, pages: integer }))
      const id = await project.create('books', { title: 'A', pages: 7 })
      const building = `SELECT 1 FROM pg_stat_activity
        WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event = 'virtualxid' AND datname = current_database()`
      await onServer(project.url, async (old) => {
        // An index is not finished before the transactions that began earlier.
        await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
        await project.withStore(async (store) => {
          const created = store.createIndex(await recordIndex(store, 'books', 'a_title'))
          const refused = assert.rejects(created, /cancelled, because the content-types change/)
          await waitUntil(async () => (await store.read({ sql: building, parameters: [] })).length > 0)
          await project.apply(files({ title: string, pages: string }), 'everything')
          await refused
        })
        assert.equal(Object(await project.data(`/api/books/${id}`)).pages, '7')
        await old.query('COMMIT')
      })
      await project.withStore(async (store) => {
        assert.equal((await completeInterrupted({ store, log: { info() {} } })).length, 1)
        assert.deepEqual(
          (await readAutomaticIndexes(store)).map(({ state }) => state),
          ['ready'],
        )
      })
    })
})

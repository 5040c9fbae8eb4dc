import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { onEachEngineVersion } from '../../../test/support/engines.ts'
import { modelOfTypes } from '../../../test/support/models.ts'
import { type Model, typeOf } from '../../model/model.ts'
import { compile } from '../compile.ts'
import { StartError, UniqueViolation } from '../errors.ts'
import { openStore } from '../open.ts'
import { type Sql, sql } from '../sql.ts'
import type { SqlValue } from '../statement.ts'
import type { Store } from '../store.ts'
import type { Entry } from '../tables/entry.ts'
import { columnOf, type Layout } from '../tables/layout.ts'
import { servedRow, servedScalars } from '../tables/served.ts'
import type { TypeTable } from '../tables/tables.ts'
import { listBackups } from './apply/backups.ts'
import { type MigrationOptions, migrate as migrateStore, readCurrentModel } from './migrate.ts'
import { MigrationRefused } from './plan/migration-plan.ts'

const string = { type: 'string' }
const WRITTEN = '2024-01-01T00:00:00.000Z'

/** Migrates and returns the layout. */
const migrate = async (store: Store, model: Model, options?: MigrationOptions) =>
  (await migrateStore(store, model, options)).layout

onEachEngineVersion((engine) => {
  const opened: Store[] = []
  let url = ''
  let store: Store

  const open = async () => {
    const another = await openStore(url)
    opened.push(another)
    return another
  }
  beforeEach(async () => {
    url = await engine.freshUrl()
    store = await open()
  })
  after(async () => {
    for (const one of opened) await one.close()
  })

  const read = (query: Sql) => store.read(compile(engine.dialect, query))
  const run = (query: Sql) => store.write((t) => t.all(compile(engine.dialect, query)))

  interface Version {
    readonly document: string
    readonly values?: Readonly<Record<string, SqlValue>>
    readonly locale?: string
    readonly published?: boolean
  }

  /** Inserts a version row as the documents layer does. */
  async function insert(
    layout: Layout,
    uid: string,
    { document, values = {}, locale = '', published = true }: Version,
  ) {
    const type = typeOf(layout.model, uid)
    const publishedAt = published ? WRITTEN : null
    const served = servedRow(
      type,
      document,
      servedScalars(type, (name) => values[name] ?? null),
      { createdAt: WRITTEN, updatedAt: WRITTEN, publishedAt },
      locale,
    )
    const columns = Object.keys(values).map((name) => sql`, ${sql.id(columnOf(name))}`)
    const stored = Object.values(values).map((value) => sql`, ${value}`)
    const [row] = await run(sql`INSERT INTO ${sql.table(type.table)}
      (document_id, locale, published, created_at, updated_at, published_at, served ${sql.join(columns, '')})
      VALUES (${document}, ${locale}, ${Number(published)}, ${WRITTEN}, ${WRITTEN}, ${publishedAt}, ${served}
        ${sql.join(stored, '')}) RETURNING id`)
    return Number(row?.id)
  }

  const connect = (relation: number, source: number, target: string, position: number, entry = 0) =>
    run(sql`INSERT INTO octavo_edges (relation, source, entry, target, position, inverse_position)
      VALUES (${relation}, ${source}, ${entry}, ${target}, ${position}, ${position})`)

  const rows = async (table: string) =>
    (
      await read(sql`SELECT document_id, locale, published, published_at, served FROM ${sql.table(table)}
        ORDER BY document_id, locale, published`)
    ).map((row) => [
      row.document_id,
      row.locale,
      row.published,
      JSON.parse(`{${String(row.served).slice(1)}}`),
    ])

  const servedWhole = async (table: string) =>
    await read(sql`SELECT document_id, served FROM ${sql.table(table)} ORDER BY id`)

  /** The served JSON of each row after its documentId. */
  const served = async (table: string) =>
    (await servedWhole(table)).map((row) => {
      const head = `,"documentId":"${row.document_id}"`
      assert.ok(String(row.served).startsWith(head), String(row.served))
      return String(row.served).slice(head.length)
    })

  const TIMES = `,"createdAt":"${WRITTEN}","updatedAt":"${WRITTEN}","publishedAt":"${WRITTEN}"`

  describe('a migration', () => {
    test('of an up-to-date database reads once and writes nothing', async () => {
      const model = modelOfTypes({ book: { attributes: { title: string } } })
      await migrate(store, model)
      const again = await open()
      const before = { reads: again.statements.reads, version: again.tableVersion('books') }
      await migrate(again, model)
      assert.equal(again.statements.reads - before.reads, 1)
      assert.equal(again.tableVersion('books'), before.version)
    })

    test('keeps the ids of existing relations', async () => {
      const author = { type: 'relation', relation: 'oneToOne', target: 'api::book.book' }
      const key = (attribute: string) => ({ type: 'api::book.book', component: null, attribute })
      const first = await migrate(store, modelOfTypes({ book: { attributes: { z: author } } }))
      const second = await migrate(store, modelOfTypes({ book: { attributes: { a: author, z: author } } }))
      assert.equal(second.relationId(key('z')), first.relationId(key('z')))
      assert.notEqual(second.relationId(key('a')), second.relationId(key('z')))
    })

    test('adds columns without a value in existing rows, even if the attribute has a default', async () => {
      const layout = await migrate(store, modelOfTypes({ book: { attributes: { title: string } } }))
      await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A' } })
      const version = store.tableVersion('books')
      const pages = { type: 'integer', default: 7 }
      await migrate(store, modelOfTypes({ book: { attributes: { pages, title: string } } }))
      const [row] = await read(sql`SELECT a_pages, revision FROM books`)
      assert.deepEqual({ ...row }, { a_pages: null, revision: 2 })
      assert.deepEqual(await served('books'), [`,"pages":null,"title":"A"${TIMES}`])
      assert.notEqual(store.tableVersion('books'), version)
    })

    test('appends new attributes to the served JSON exactly as a write would', async () => {
      const options = { localized: true, draftAndPublish: true }
      const title = { title: string }
      const layout = await migrate(store, modelOfTypes({ book: { attributes: title, ...options } }))
      const versions = ['en', 'fr'].flatMap((locale) =>
        [true, false].map((published) => ({
          document: '😀',
          locale,
          published,
          values: { title: '"ä😀\n,' },
        })),
      )
      for (const version of versions) await insert(layout, 'api::book.book', version)
      const after = await migrate(
        store,
        modelOfTypes({ book: { attributes: { ...title, a: string, b: { type: 'json' } }, ...options } }),
      )
      const expected = versions.map(({ document, locale, published, values }) =>
        servedRow(
          typeOf(after.model, 'api::book.book'),
          document,
          servedScalars(typeOf(after.model, 'api::book.book'), (name) =>
            name === 'title' ? values.title : null,
          ),
          { createdAt: WRITTEN, updatedAt: WRITTEN, publishedAt: published ? WRITTEN : null },
          locale,
        ),
      )
      assert.deepEqual(
        (await servedWhole('books')).map((row) => row.served),
        expected,
      )
    })

    test('stops serving a private attribute and keeps its content', async () => {
      const layout = await migrate(
        store,
        modelOfTypes({ book: { attributes: { title: string, code: string } } }),
      )
      for (let index = 0; index < 3; index++)
        await insert(layout, 'api::book.book', {
          document: `d${index}`,
          values: { title: 'A', code: `c${index}` },
        })
      const secret = { ...string, private: true }
      await migrate(store, modelOfTypes({ book: { attributes: { title: string, code: secret } } }))
      assert.deepEqual(await served('books'), Array(3).fill(`,"title":"A"${TIMES}`))
      await migrate(store, modelOfTypes({ book: { attributes: { title: string, code: string } } }))
      assert.equal((await served('books'))[2], `,"title":"A","code":"c2"${TIMES}`)
    })

    test('rebuilds more rows than fit in one batch', async () => {
      const layout = await migrate(store, modelOfTypes({ book: { attributes: { title: string } } }))
      const type = typeOf(layout.model, 'api::book.book')
      await run(sql`INSERT INTO ${sql.table(type.table)}
        (document_id, locale, published, created_at, updated_at, published_at, served, a_title)
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1234)
        SELECT CAST(n AS text), '', 1, 'x', 'x', 'x', 'x', 't' || n FROM n`)
      await migrate(store, modelOfTypes({ book: { attributes: { extra: string, title: string } } }))
      const [row] = await read(
        sql`SELECT count(*) AS count FROM books WHERE served LIKE
          ',"documentId":"' || document_id || '","extra":null,"title":"t' || document_id || '",%'`,
      )
      assert.equal(row?.count, 1234)
    })

    test('drops attributes and types with content only if accepted, and keeps a backup', async () => {
      const book = { attributes: { title: string, code: string } }
      const layout = await migrate(store, modelOfTypes({ book, shop: book }))
      await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A', code: 'c' } })
      await insert(layout, 'api::shop.shop', { document: 'two', values: { title: 'B', code: 'd' } })
      const smaller = modelOfTypes({ book: { attributes: { title: string } } })
      await assert.rejects(migrate(store, smaller), (error) => {
        assert.ok(error instanceof MigrationRefused)
        assert.match(
          error.message,
          /attribute code: deleted.*one.*api::shop\.shop: deleted.*1 row.*--confirm/s,
        )
        return true
      })
      assert.equal((await served('shops')).length, 1)
      await migrate(store, smaller, { accept: 'everything' })
      assert.deepEqual(await served('books'), [`,"title":"A"${TIMES}`])
      await assert.rejects(read(sql`SELECT 1 FROM shops`))
      const backups = await listBackups(store)
      assert.deepEqual(backups.map(({ kind, of }) => [kind, of]).sort(), [
        ['column', 'api::book.book, attribute code'],
        ['table', 'api::shop.shop'],
      ])
      for (const backup of backups) {
        if (backup.kind === 'table')
          assert.deepEqual(await served(backup.table), [`,"title":"B","code":"d"${TIMES}`])
        if (backup.kind === 'column') {
          const [row] = await read(sql`SELECT ${sql.id(backup.column)} AS was FROM books`)
          assert.equal(row?.was, 'c')
        }
      }
      await migrate(store, modelOfTypes({ book, shop: book }))
      assert.deepEqual(await served('books'), [`,"title":"A","code":null${TIMES}`])
      assert.deepEqual(await served('shops'), [])
    })

    test('drops what holds no content without a backup, if accepted', async () => {
      const book = { attributes: { title: { ...string, unique: true }, code: string } }
      await migrate(store, modelOfTypes({ book, shop: book }))
      const smaller = modelOfTypes({ book: { attributes: { code: string } } })
      await assert.rejects(migrate(store, smaller), MigrationRefused)
      await migrate(store, smaller, { accept: 'empty' })
      assert.deepEqual(await listBackups(store), [])
      await assert.rejects(read(sql`SELECT a_title FROM books`))
      await assert.rejects(read(sql`SELECT 1 FROM shops`))
    })

    test('converts an attribute if all values can be converted, and refuses otherwise', async () => {
      const layout = await migrate(
        store,
        modelOfTypes({ book: { attributes: { size: { ...string, unique: true } } } }),
      )
      const asNumber = modelOfTypes({ book: { attributes: { size: { type: 'integer', unique: true } } } })
      await insert(layout, 'api::book.book', { document: 'one', values: { size: 'big' } })
      await insert(layout, 'api::book.book', { document: 'two', values: { size: '12' } })
      await assert.rejects(migrate(store, asNumber), (error) => {
        assert.ok(error instanceof MigrationRefused)
        assert.match(error.message, /size: converted from string to integer; of 2 values.*1 document \(one\)/)
        return true
      })
      await run(sql`UPDATE books SET a_size = '7' WHERE document_id = 'one'`)
      const numbers = await migrate(store, asNumber)
      const rows = await read(sql`SELECT a_size FROM books ORDER BY id`)
      assert.deepEqual(
        rows.map(({ a_size }) => a_size),
        [7, 12],
      )
      assert.deepEqual(await listBackups(store), [])
      await assert.rejects(
        insert(numbers, 'api::book.book', { document: 'x', values: { size: 7 } }),
        UniqueViolation,
      )
    })

    test('keeps text unchanged when its type becomes another text type', async () => {
      const layout = await migrate(store, modelOfTypes({ book: { attributes: { title: string } } }))
      await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A' } })
      await migrate(store, modelOfTypes({ book: { attributes: { title: { type: 'richtext' } } } }))
      assert.deepEqual(await served('books'), [`,"title":"A"${TIMES}`])
    })

    test('renames the table of a type with a new collectionName', async () => {
      const attributes = { title: { ...string, unique: true } }
      const layout = await migrate(store, modelOfTypes({ book: { attributes } }))
      await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A' } })
      const renamed = await migrate(store, modelOfTypes({ book: { attributes, table: 'volumes' } }))
      assert.deepEqual(await served('volumes'), [`,"title":"A"${TIMES}`])
      const again = insert(renamed, 'api::book.book', { document: 'two', values: { title: 'A' } })
      await assert.rejects(again, UniqueViolation)
    })

    test('does not touch a table that Octavo did not create', async () => {
      await run(sql`CREATE TABLE books (id integer, title text)`)
      await assert.rejects(
        migrate(store, modelOfTypes({ book: { attributes: { title: string } } })),
        (error) => {
          assert.ok(error instanceof StartError)
          assert.match(error.message, /a table books that Octavo did not create/)
          return true
        },
      )
    })

    test('of a database with a newer storage format is refused', async () => {
      const model = modelOfTypes({ book: { attributes: { title: string } } })
      await migrate(store, model)
      await run(sql`UPDATE octavo_meta SET value = '99' WHERE key = 'format'`)
      await assert.rejects(migrate(store, model), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, /newer version of Octavo/)
        return true
      })
    })

    test('from storage format 1 keeps all content', async () => {
      const target = { type: 'relation', relation: 'oneToOne', target: 'api::book.book' }
      const model = modelOfTypes({
        book: { attributes: { title: string, next: target }, draftAndPublish: true },
      })
      const layout = await migrate(store, model)
      const relation = layout.relationId({ type: 'api::book.book', component: null, attribute: 'next' })
      for (const published of [false, true]) {
        const id = await insert(layout, 'api::book.book', {
          document: 'one',
          values: { title: 'A' },
          published,
        })
        await connect(relation, id, 'one', 1)
      }
      const before = await rows('books')
      await run(sql`DROP INDEX octavo_edges_inverse`)
      await run(sql`ALTER TABLE octavo_edges DROP COLUMN published`)
      await run(sql`CREATE INDEX octavo_edges_target ON octavo_edges (target, relation)`)
      await run(sql`UPDATE books SET served = substr(served, ${',"documentId":"one",'.length})`)
      await run(sql`UPDATE octavo_meta SET value = '1' WHERE key = 'format'`)
      await run(sql`UPDATE octavo_meta SET value = 'of format 1' WHERE key = 'signature'`)
      await assert.rejects(readCurrentModel(store, model.locales), /older version of Octavo/)
      await migrate(store, model)
      assert.deepEqual(await rows('books'), before)
      assert.deepEqual(
        (
          await read(sql`SELECT books.published, octavo_edges.published AS edge FROM octavo_edges
            JOIN books ON books.id = source ORDER BY books.id`)
        ).map((row) => [row.published, row.edge]),
        [
          [0, 0],
          [1, 1],
        ],
      )
      assert.deepEqual((await migrateStore(store, model)).plan, [])
    })

    test('from storage format 2 rebuilds the inverse index', async () => {
      const model = modelOfTypes({ book: { attributes: { title: string } } })
      const definition = async () => {
        const [row] = await read(
          engine.name === 'sqlite'
            ? sql`SELECT sql AS text FROM sqlite_master WHERE name = 'octavo_edges_inverse'`
            : sql`SELECT indexdef AS text FROM pg_indexes WHERE indexname = 'octavo_edges_inverse'`,
        )
        return row?.text
      }
      await migrate(store, model)
      const expected = await definition()
      await run(sql`DROP INDEX octavo_edges_inverse`)
      await run(sql`CREATE INDEX octavo_edges_inverse
        ON octavo_edges (target, relation, published, inverse_position, source, entry)`)
      await run(sql`UPDATE octavo_meta SET value = '2' WHERE key = 'format'`)
      await run(sql`UPDATE octavo_meta SET value = 'of format 2' WHERE key = 'signature'`)
      assert.equal((await definition()) === expected, engine.name === 'postgres')
      assert.deepEqual((await migrateStore(store, model)).plan, [])
      assert.equal(await definition(), expected)
      await readCurrentModel(store, model.locales)
    })

    test('can be run by several processes at the same time', async () => {
      const others = [await open(), await open(), await open()]
      const attributes = { title: string, code: { ...string, unique: true } }
      const model = modelOfTypes({ book: { attributes }, shop: { attributes } })
      const layouts = await Promise.all([store, ...others].map((one) => migrate(one, model)))
      for (const layout of layouts) assert.equal(layout.model, model)
      const larger = modelOfTypes({
        book: { attributes: { ...attributes, more: string } },
        shop: { attributes },
      })
      await Promise.all([store, ...others].map((one) => migrate(one, larger)))
      assert.equal((await read(sql`SELECT a_more FROM books`)).length, 0)
    })

    test('supports names of maximum length, and keeps long index names distinct', async () => {
      const name = (last: string) => `${'long_name_'.repeat(5)}four${last}`
      const attributes = {
        [name('a')]: { ...string, unique: true },
        [name('b')]: { ...string, unique: true },
      }
      const layout = await migrate(
        store,
        modelOfTypes({ book: { attributes, indexes: [[name('a'), name('b')]] } }),
      )
      const add = (document: string, a: string, b: string) =>
        insert(layout, 'api::book.book', { document, values: { [name('a')]: a, [name('b')]: b } })
      await add('one', 'a1', 'b1')
      await assert.rejects(add('two', 'a1', 'b2'), UniqueViolation)
      await assert.rejects(add('two', 'a2', 'b1'), UniqueViolation)
    })

    test('of 500 content-types succeeds and takes one statement the next time', async () => {
      const attributes = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`field${index}`, string]),
      )
      const relation = { type: 'relation', relation: 'manyToMany', target: 'api::type0.type0' }
      const types = Array.from({ length: 500 }, (_, index) => [
        `type${index}`,
        { attributes: { ...attributes, relation } },
      ])
      const model = modelOfTypes(Object.fromEntries(types))
      const layout = await migrate(store, model)
      const ids = [...model.types.keys()]
        .filter((uid) => uid.startsWith('api::'))
        .map((type) => layout.relationId({ type, component: null, attribute: 'relation' }))
      assert.equal(new Set(ids).size, 500)
      const before = store.statements.reads
      await migrate(store, model)
      assert.equal(store.statements.reads - before, 1)
    })
  })

  describe('unique attributes', () => {
    const unique = { ...string, unique: true }
    const withUnique = (attribute: unknown, options = {}) =>
      modelOfTypes({ book: { attributes: { slug: attribute }, ...options } })

    test('are unique among the published versions of a locale only', async () => {
      const layout = await migrate(store, withUnique(unique, { draftAndPublish: true, localized: true }))
      const add = (document: string, locale: string, published: boolean) =>
        insert(layout, 'api::book.book', { document, locale, published, values: { slug: 'same' } })
      await add('one', 'en', true)
      await add('one', 'en', false)
      await add('two', 'en', false)
      await add('two', 'fr', true)
      await assert.rejects(add('two', 'en', true), (error) => {
        assert.ok(error instanceof UniqueViolation)
        assert.deepEqual([error.table, error.columns], ['books', ['locale', 'a_slug']])
        return true
      })
    })

    test('that existing content violates stop the migration, which lists the documents and changes nothing', async () => {
      const layout = await migrate(store, withUnique(string))
      for (const document of ['one', 'two', 'three'])
        await insert(layout, 'api::book.book', {
          document,
          values: { slug: document === 'two' ? 'other' : 'same' },
        })
      const model = modelOfTypes({ book: { attributes: { slug: unique, more: string } } })
      await assert.rejects(migrate(store, model), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, /api::book\.book, attribute slug: becomes unique/)
        assert.match(error.message, /\(one, three\)/)
        assert.doesNotMatch(error.message, /two/)
        return true
      })
      await assert.rejects(read(sql`SELECT a_more FROM books`))
      await migrate(store, withUnique(string))
      assert.equal((await served('books')).length, 3)
    })

    test('may share an empty string, also in a database whose index refuses that', async () => {
      const layout = await migrate(store, withUnique(unique))
      const add = (document: string, slug: string) =>
        insert(layout, 'api::book.book', { document, values: { slug } })
      const [row] = await read(sql`SELECT value FROM octavo_meta WHERE key = 'type:api::book.book'`)
      const { indexes, ...table }: TypeTable = JSON.parse(String(row?.value))
      const former = indexes
        .filter(({ name }) => name !== 'books_a_slug_value')
        .map(({ filledOnly: _, ...index }) => index)
      await run(sql`DROP INDEX books_a_slug_value`)
      await run(sql`DROP INDEX books_a_slug_unique`)
      await run(sql`CREATE UNIQUE INDEX books_a_slug_unique ON books (locale, a_slug) WHERE published = 1`)
      const value = JSON.stringify({ ...table, indexes: former })
      await run(sql`UPDATE octavo_meta SET value = ${value} WHERE key = 'type:api::book.book'`)
      await run(sql`UPDATE octavo_meta SET value = 'former' WHERE key = 'signature'`)
      await add('one', '')
      await assert.rejects(add('two', ''), UniqueViolation)
      await migrate(store, withUnique(unique))
      await add('two', '')
      await add('three', 'same')
      await assert.rejects(add('four', 'same'), UniqueViolation)
      await migrate(store, withUnique(string))
      await migrate(store, withUnique(unique))
      await assert.rejects(add('four', 'same'), UniqueViolation)
    })

    test('can be made non-unique again', async () => {
      const layout = await migrate(store, withUnique(unique))
      await insert(layout, 'api::book.book', { document: 'one', values: { slug: 'same' } })
      await migrate(store, withUnique(string))
      await insert(layout, 'api::book.book', { document: 'two', values: { slug: 'same' } })
      assert.equal((await served('books')).length, 2)
    })

    test('are enforced for values of any length', async () => {
      const layout = await migrate(store, withUnique({ type: 'text', unique: true }))
      const long = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join(
        '',
      )
      const add = (document: string, slug: string) =>
        insert(layout, 'api::book.book', { document, values: { slug } })
      await add('one', long)
      await add('two', `${long}!`)
      await assert.rejects(add('three', long), UniqueViolation)
    })
  })

  describe('localization', () => {
    const book = (localized: boolean) => modelOfTypes({ book: { attributes: { title: string }, localized } })
    const shown = async () =>
      (await rows('books')).map(([document, locale, , json]) => [document, locale, json.title, json.locale])

    test('switched on makes existing content the default locale', async () => {
      const layout = await migrate(store, book(false))
      await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A' } })
      await migrate(store, book(true))
      assert.deepEqual(await shown(), [['one', 'en', 'A', 'en']])
    })

    test('switched off keeps the default locale, and other locales return when it is switched on again', async () => {
      const layout = await migrate(store, book(true))
      for (const locale of ['en', 'fr'])
        await insert(layout, 'api::book.book', { document: 'one', locale, values: { title: locale } })
      await assert.rejects(migrate(store, book(false)), /other locales of 1 document \(one\)/)
      await migrate(store, book(false), { accept: 'everything' })
      assert.deepEqual(await shown(), [
        ['one', '', 'en', undefined],
        ['one', 'fr', 'fr', undefined],
      ])
      await migrate(store, book(true))
      assert.deepEqual(await shown(), [
        ['one', 'en', 'en', 'en'],
        ['one', 'fr', 'fr', 'fr'],
      ])
    })
  })

  describe('draft & publish', () => {
    const friend = { type: 'relation', relation: 'manyToMany', target: 'api::book.book' }
    const book = (draftAndPublish: boolean, title: unknown = string) =>
      modelOfTypes(
        {
          book: {
            attributes: { title, friends: friend, parts: { type: 'component', component: 'shared.part' } },
            draftAndPublish,
          },
        },
        { 'shared.part': { friend: { type: 'relation', relation: 'oneToOne', target: 'api::book.book' } } },
      )
    const edges = () =>
      read(sql`SELECT book.document_id, book.published, edge.entry, edge.target, edge.position
        FROM octavo_edges AS edge JOIN books AS book ON book.id = edge.source
        ORDER BY book.document_id, book.published, edge.entry, edge.position`)

    test('switched on gives every published version a draft with the same content and relations', async () => {
      const layout = await migrate(store, book(false))
      const id = await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A' } })
      await insert(layout, 'api::book.book', { document: 'two', values: { title: 'B' } })
      const friends = layout.relationId({ type: 'api::book.book', component: null, attribute: 'friends' })
      const inPart = layout.relationId({
        type: 'api::book.book',
        component: 'shared.part',
        attribute: 'friend',
      })
      await connect(friends, id, 'two', 1)
      await connect(friends, id, 'one', 2)
      await connect(inPart, id, 'two', 1, 55)
      await migrate(store, book(true))
      assert.deepEqual(
        (await rows('books')).map(([document, , published, json]) => [
          document,
          published,
          json.title,
          json.publishedAt,
        ]),
        [
          ['one', 0, 'A', null],
          ['one', 1, 'A', WRITTEN],
          ['two', 0, 'B', null],
          ['two', 1, 'B', WRITTEN],
        ],
      )
      const expected = [0, 1].flatMap((published) => [
        { document_id: 'one', published, entry: 0, target: 'two', position: 1 },
        { document_id: 'one', published, entry: 0, target: 'one', position: 2 },
        { document_id: 'one', published, entry: 55, target: 'two', position: 1 },
      ])
      assert.deepEqual(
        (await edges()).map((row) => ({ ...row })),
        expected,
      )
      const [row] = await read(sql`SELECT id FROM books WHERE document_id = 'one' AND published = 1`)
      assert.equal(row?.id, id)
    })

    test('switched off publishes documents that are only drafts and keeps published versions', async () => {
      const layout = await migrate(store, book(true))
      const add = (document: string, published: boolean, title: string) =>
        insert(layout, 'api::book.book', { document, published, values: { title } })
      await add('one', true, 'shown')
      const edited = await add('one', false, 'edited')
      // A draft that is newer than the published version has unpublished changes.
      await run(sql`UPDATE books SET updated_at = ${WRITTEN.replace('20', '21')} WHERE id = ${edited}`)
      const id = await add('two', false, 'draft')
      await assert.rejects(migrate(store, book(false)), /never published become public.*\(two\)/)
      await migrate(store, book(false), { accept: 'everything' })
      const shown = (await rows('books')).filter(([, , published]) => published === 1)
      assert.deepEqual(
        shown.map(([document, , , json]) => [document, json.title, json.publishedAt]),
        [
          ['one', 'shown', WRITTEN],
          ['two', 'draft', WRITTEN],
        ],
      )
      const [row] = await read(sql`SELECT id FROM books WHERE document_id = 'two'`)
      assert.equal(row?.id, id)
      await migrate(store, book(true))
      assert.deepEqual(
        (await rows('books')).map(([document, , published, json]) => [document, published, json.title]),
        [
          ['one', 0, 'edited'],
          ['one', 1, 'shown'],
          ['two', 0, 'draft'],
          ['two', 1, 'draft'],
        ],
      )
    })

    test('switched off lists documents that would share a unique value', async () => {
      const unique = { ...string, unique: true }
      const layout = await migrate(store, book(true, unique))
      await insert(layout, 'api::book.book', { document: 'one', values: { title: 'A' } })
      await insert(layout, 'api::book.book', { document: 'two', published: false, values: { title: 'A' } })
      await assert.rejects(migrate(store, book(false, unique), { accept: 'everything' }), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, /draft & publish switched off.*\(one, two\) share a value/)
        return true
      })
    })
  })

  describe('entries of components', () => {
    const part = { type: 'component', component: 'shared.part', repeatable: true }
    const zone = { type: 'dynamiczone', components: ['shared.part', 'shared.outer'] }
    const outer = { inner: { type: 'component', component: 'shared.part' } }
    const model = (attributes: Record<string, unknown>) =>
      modelOfTypes(
        { book: { attributes: { parts: part, zone } } },
        { 'shared.part': attributes, 'shared.outer': outer },
      )
    const entry = (id: number, s: string, more: Partial<Entry> = {}): Entry => ({
      i: id,
      d: `entry${id}`,
      c: 'shared.part',
      s,
      ...more,
    })
    const column = async (name: string): Promise<Entry[]> => {
      const [row] = await read(sql`SELECT ${sql.id(name)} AS entries FROM books`)
      return JSON.parse(String(row?.entries))
    }

    test('stop serving a private attribute, serve it again, and have null for new ones', async () => {
      const data = { type: 'json' }
      const big = { type: 'biginteger' }
      const flag = { type: 'boolean' }
      const layout = await migrate(store, model({ title: string, data, big, flag }))
      const s = ',"title":"A","data":{"b":[1,"x"],"a":null},"big":"9007199254740993","flag":false'
      const nested = entry(3, '', { c: 'shared.outer', n: { inner: [entry(4, s)] } })
      await insert(layout, 'api::book.book', {
        document: 'one',
        values: {
          parts: JSON.stringify([entry(1, s), entry(2, s)]),
          zone: JSON.stringify([entry(5, s), nested]),
        },
      })
      const hidden = { private: true }
      await migrate(
        store,
        model({
          more: string,
          title: { ...string, ...hidden },
          data: { ...data, ...hidden },
          big: { ...big, ...hidden },
          flag: { ...flag, ...hidden },
        }),
      )
      const [, second] = await column('a_parts')
      assert.equal(second?.s, ',"more":null')
      assert.deepEqual(Object.keys(second?.p ?? {}).sort(), ['big', 'data', 'flag', 'title'])
      const [first, holder] = await column('a_zone')
      assert.equal(first?.s, ',"more":null')
      assert.equal(holder?.n?.inner?.[0]?.s, ',"more":null')
      await migrate(store, model({ title: string, data, big, flag }), { accept: 'empty' })
      const back = await column('a_zone')
      assert.equal(back[0]?.s, s)
      assert.equal(back[1]?.n?.inner?.[0]?.s, s)
      assert.equal((await column('a_parts'))[0]?.s, s)
    })

    test('stop the migration if a value cannot be converted', async () => {
      const layout = await migrate(store, model({ title: string }))
      await insert(layout, 'api::book.book', {
        document: 'one',
        values: { parts: JSON.stringify([entry(1, ',"title":"A"')]) },
      })
      await assert.rejects(migrate(store, model({ title: { type: 'integer' } })), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(
          error.message,
          /component shared\.part, attribute title: converted from string to integer.*\(one\)/,
        )
        return true
      })
    })
  })
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { onEachEngine } from '../../test/support/engines.ts'
import { modelOfTypes } from '../../test/support/models.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { compile } from './compile.ts'
import { UniqueViolation } from './errors.ts'
import { migrate } from './migration/migrate.ts'
import { openStore } from './open.ts'
import { sql } from './sql.ts'
import type { Store, Transaction } from './store.ts'

onEachEngine((engine) => {
  const opened: Store[] = []
  let url = ''
  let store: Store

  const open = async () => {
    const another = await openStore(url)
    opened.push(another)
    return another
  }
  const statement = (query: Parameters<typeof compile>[1]) => compile(engine.dialect, query)
  const insert = (name: string, value: string | number | bigint | null = null) =>
    statement(sql`INSERT INTO things (name, value) VALUES (${name}, ${value})`)
  const names = async (from: Pick<Store, 'read'> = store) =>
    (await from.read(statement(sql`SELECT name FROM things ORDER BY name`))).map((row) => row.name)
  const add = (name: string, to = store) =>
    to.write(async (transaction) => {
      transaction.run(insert(name))
      transaction.touch('things')
      return name
    })

  /** Creates a table of books, each with a title that is not in the order of the rows. */
  async function addBooks(rows: number) {
    const numbers =
      engine.name === 'sqlite'
        ? sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(rows)}) SELECT i FROM n`
        : sql`SELECT i FROM generate_series(1, ${sql.lit(rows)}) AS n (i)`
    await store.write(async (transaction) => {
      transaction.run(
        statement(sql`CREATE TABLE books (id integer PRIMARY KEY, published integer, locale text, title text, folded text)
          ${sql.raw(store.dialect.contentTableOptions)}`),
      )
      transaction.run(
        statement(
          sql`INSERT INTO books SELECT i, 1, '', 'title ' || (i * 7919 % 100003), NULL FROM (${numbers}) AS m`,
        ),
      )
    })
  }

  beforeEach(async () => {
    url = await engine.freshUrl()
    store = await open()
    await store.write(async (transaction) =>
      transaction.run(statement(sql`CREATE TABLE things (name text PRIMARY KEY, value bigint)`)),
    )
  })
  after(async () => {
    for (const one of opened) await one.close()
  })

  describe('a write', () => {
    test('is visible to every reader once it resolves, and after a restart', async () => {
      assert.equal(await add('a'), 'a')
      assert.deepEqual(await names(), ['a'])
      await store.close()
      assert.deepEqual(await names(await open()), ['a'])
    })

    test('leaves no trace when the work rejects, and rejects with the same error', async () => {
      const failure = new Error('on purpose')
      const write = store.write(async (transaction) => {
        transaction.run(insert('a'))
        await transaction.all(insert('b'))
        throw failure
      })
      await assert.rejects(write, (error) => error === failure)
      assert.deepEqual(await names(), [])
    })

    test('that violates a unique index rejects with the table and the columns', async () => {
      await add('a')
      const violation = (error: unknown) => {
        assert.ok(error instanceof UniqueViolation)
        assert.deepEqual([error.table, error.columns], ['things', ['name']])
        return true
      }
      await assert.rejects(add('a'), violation)
      const awaited = store.write((transaction) => transaction.all(insert('a')))
      await assert.rejects(awaited, violation)
    })

    test('that fails does not affect concurrent writes', async () => {
      const results = await Promise.allSettled(['a', 'b', 'a', 'c', 'b', 'd'].map((name) => add(name)))
      const acknowledged = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      assert.deepEqual(acknowledged.sort(), ['a', 'b', 'c', 'd'])
      assert.deepEqual(await names(), ['a', 'b', 'c', 'd'])
    })

    test('rejects when a failure inside it was swallowed', async () => {
      await add('a')
      const write = store.write(async (transaction) => {
        await transaction.all(insert('b'))
        await transaction.all(insert('a')).catch(() => [])
        return 'done'
      })
      await assert.rejects(write, UniqueViolation)
      assert.deepEqual(await names(), ['a'])
    })

    test('sees what it has written itself, in order', async () => {
      const rows = await store.write(async (transaction) => {
        transaction.run(insert('a', 1))
        transaction.run(statement(sql`UPDATE things SET value = value + 1`))
        return transaction.all(statement(sql`SELECT value FROM things`))
      })
      assert.deepEqual(
        rows.map((row) => row.value),
        [2],
      )
    })

    // PostgreSQL sends statements as a group once it has prepared them: at the third time.
    const times = [1, 2, 3, 4]

    test('gets the rows of the statement that it waits for, however many were sent with it', async () => {
      for (const time of times) {
        const rows = await store.write((transaction) => {
          transaction.run(statement(sql`SELECT 1 AS other`))
          transaction.run(insert(`a${time}`, time))
          return transaction.all(
            statement(sql`SELECT name, value, null AS missing FROM things WHERE value = ${time}`),
          )
        })
        assert.deepEqual(
          rows.map((row) => ({ ...row })),
          [{ name: `a${time}`, value: time, missing: null }],
        )
      }
      const many = Array.from({ length: 150 }, (_, index) => `b${index}`)
      await store.write(async (transaction) => {
        for (const name of many) transaction.run(insert(name))
      })
      assert.equal((await names()).length, times.length + many.length)
    })

    test('that is complete returns rows which were not awaited before, and is stored', async () => {
      for (const time of times) {
        const rows = await store.write((transaction) => {
          const inserting = transaction.all(
            statement(sql`INSERT INTO things (name, value) VALUES (${`a${time}`}, ${time}) RETURNING value`),
          )
          transaction.run(insert(`b${time}`))
          transaction.complete()
          return inserting
        })
        assert.deepEqual(
          rows.map((row) => row.value),
          [time],
        )
      }
      assert.equal((await names()).length, 2 * times.length)
    })

    test('that is complete leaves no trace when the database refuses a part of it', async () => {
      await add('a')
      for (const time of times)
        for (const refused of ['awaited', 'not awaited']) {
          const write = store.write(async (transaction) => {
            const inserting = transaction.all(insert(refused === 'awaited' ? 'a' : `b${time}`))
            transaction.run(insert(refused === 'awaited' ? `b${time}` : 'a'))
            transaction.complete()
            await inserting
          })
          await assert.rejects(write, UniqueViolation)
        }
      assert.deepEqual(await names(), ['a'])
      await add('b')
      assert.deepEqual(await names(), ['a', 'b'])
    })

    test('cannot be added to after it has ended', async () => {
      let kept: Transaction | null = null
      await store.write(async (transaction) => {
        kept = transaction
        transaction.run(insert('a'))
      })
      const late: Transaction = kept ?? assert.fail('no transaction')
      await assert.rejects(late.all(insert('b')), /has ended/)
      assert.deepEqual(await names(), ['a'])
    })

    test('after close is refused as unavailable', async () => {
      const closed = await open()
      await closed.close()
      await assert.rejects(add('a', closed), { status: 503 })
    })
  })

  describe('values', () => {
    test('are returned as they were stored, integers as numbers when they are safe', async () => {
      const values = [0, -1, 2 ** 53 - 1, 2n ** 53n, 9223372036854775807n, -9223372036854775808n, null]
      const read = await store.write(async (transaction) => {
        for (const [index, value] of values.entries()) transaction.run(insert(String(index), value))
        return transaction.all(statement(sql`SELECT value FROM things ORDER BY name`))
      })
      assert.deepEqual(
        read.map((row) => row.value),
        values,
      )
      const again = await store.read(statement(sql`SELECT value FROM things ORDER BY name`))
      assert.deepEqual(
        again.map((row) => row.value),
        values,
      )
    })

    test('of doubles and of text beyond ASCII are exact', async () => {
      const row = await store.write(async (transaction) => {
        transaction.run(statement(sql`CREATE TABLE mixed (number double precision, words text)`))
        transaction.run(statement(sql`INSERT INTO mixed VALUES (${0.1 + 0.2}, ${'a\n"ß"😀\\'})`))
        return (await transaction.all(statement(sql`SELECT number, words FROM mixed`)))[0]
      })
      assert.deepEqual({ ...row }, { number: 0.1 + 0.2, words: 'a\n"ß"😀\\' })
    })
  })

  describe('reads', () => {
    test('are counted one by one', async () => {
      const before = store.statements.reads
      await names()
      await names()
      store.tableVersion('things')
      await add('a')
      assert.equal(store.statements.reads - before, 2)
    })

    // PostgreSQL has no connection for readers alone.
    if (engine.name === 'sqlite') {
      test('cannot change anything', async () => {
        await assert.rejects(store.read(insert('a')))
        assert.deepEqual(await names(), [])
      })
    }

    test('of an invalid statement reject and leave the store usable', async () => {
      await assert.rejects(store.read(statement(sql`SELECT nothing FROM nowhere`)))
      assert.deepEqual(await names(), [])
    })
  })

  describe('the version of a table', () => {
    test('changes before the write that touched it resolves, and not without writes', async () => {
      const before = store.tableVersion('things')
      const other = store.tableVersion('others')
      const seen = await add('a').then(() => store.tableVersion('things'))
      assert.notEqual(seen, before)
      await names()
      assert.equal(store.tableVersion('things'), seen)
      assert.equal(store.tableVersion('others'), other)
    })

    test('does not change when the write fails', async () => {
      await add('a')
      const before = store.tableVersion('things')
      await assert.rejects(add('a'))
      assert.equal(store.tableVersion('things'), before)
    })

    test('changes in every process that has the database open', async () => {
      const other = await open()
      const before = other.tableVersion('things')
      const untouched = other.tableVersion('others')
      await add('a')
      await waitUntil(() => other.tableVersion('things') !== before)
      assert.deepEqual(await names(other), ['a'])
      assert.equal(other.tableVersion('others'), untouched)
    })
  })

  describe('locks', () => {
    test('allow one writer of a document at a time', async () => {
      await add('counter')
      await store.write(async (t) => t.run(statement(sql`UPDATE things SET value = 0`)))
      const increment = () =>
        store.write(async (transaction) => {
          transaction.lock(['document', 'other'])
          const [row] = await transaction.all(statement(sql`SELECT value FROM things WHERE name = 'counter'`))
          transaction.run(statement(sql`UPDATE things SET value = ${Number(row?.value) + 1}`))
        })
      await Promise.all(Array.from({ length: 40 }, increment))
      const [row] = await store.read(statement(sql`SELECT value FROM things`))
      assert.equal(row?.value, 40)
    })

    test('requested in opposite orders do not deadlock', async () => {
      const take = (keys: string[]) =>
        store.write(async (transaction) => {
          transaction.lock(keys)
          await transaction.all(statement(sql`SELECT 1 AS one`))
        })
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => take(index % 2 ? ['a', 'b', 'c'] : ['c', 'b', 'a'])),
      )
    })

    test('of rows in opposite orders lead to a retry, not to an error', async () => {
      await add('a')
      await add('b')
      const touchBoth = (first: string, second: string) =>
        store.write(async (transaction) => {
          for (const name of [first, second]) {
            await transaction.all(
              statement(
                sql`UPDATE things SET value = coalesce(value, 0) + 1 WHERE name = ${name} RETURNING value`,
              ),
            )
          }
        })
      for (let round = 0; round < 3; round++) await Promise.all([touchBoth('a', 'b'), touchBoth('b', 'a')])
      const rows = await store.read(statement(sql`SELECT value FROM things ORDER BY name`))
      assert.deepEqual(
        rows.map((row) => row.value),
        [6, 6],
      )
    })
  })

  describe('ids of component entries', () => {
    beforeEach(() => migrate(store, modelOfTypes({})))
    const reserve = (count: number, from = store) => from.write((t) => t.reserveEntryIds(count))

    test('are never given twice, in any process and whatever fails', async () => {
      const other = await open()
      const given: number[] = []
      const note = (first: number, count: number) => {
        for (let id = first; id < first + count; id++) given.push(id)
      }
      for (const count of [1, 3, 2500, 999, 1]) {
        for (const one of [store, other]) note(await reserve(count, one), count)
        await assert.rejects(
          store.write(async (transaction) => {
            await transaction.reserveEntryIds(700)
            throw new Error('on purpose')
          }),
        )
      }
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) =>
          note(await reserve(index, index % 2 ? store : other), index),
        ),
      )
      assert.equal(new Set(given).size, given.length)
      assert.ok(given.every((id) => Number.isSafeInteger(id) && id > 0))
    })
  })

  test('writes and reads that come while an index is created succeed', async () => {
    const rows = 100_000
    await addBooks(rows)
    let isCreated = false
    const created = store
      .createIndex({ name: 'books_title', table: 'books', columns: ['title'] })
      .finally(() => {
        isCreated = true
      })
    let added = 0
    let addedMeanwhile = 0
    const countRows = async () => {
      const [row] = await store.read(statement(sql`SELECT count(*) AS count FROM books`))
      return Number(row?.count)
    }
    while (!isCreated || added < 5) {
      assert.ok((await countRows()) >= rows)
      await store.write(async (transaction) =>
        transaction.run(statement(sql`INSERT INTO books VALUES (${rows + ++added}, 1, '', 'new', NULL)`)),
      )
      if (!isCreated) addedMeanwhile++
    }
    await created
    // If writes waited for the index, only those before and after it would be counted.
    assert.ok(addedMeanwhile > 2, String(addedMeanwhile))
    assert.equal(await countRows(), rows + added)
    const [found] = await store.read(
      statement(
        sql`SELECT count(*) AS count FROM books WHERE published = 1 AND locale = '' AND title = 'new'`,
      ),
    )
    assert.equal(Number(found?.count), added)
  })

  test('several processes can create indexes on a table at the same time, and the same one', async () => {
    await addBooks(50_000)
    const stores = [store, await open(), await open()]
    const title = { name: 'books_title', table: 'books', columns: ['title'] }
    const folded = { name: 'books_folded', table: 'books', columns: ['folded', 'title'] }
    await Promise.all([...stores.map((one) => one.createIndex(title)), store.createIndex(folded)])
    const { listColumnsAndIndexes } = store.dialect
    const created = (await store.read(statement(listColumnsAndIndexes)))
      .filter(({ kind, owner }) => kind === 'index' && owner === 'books')
      .map(({ name }) => String(name))
      .filter((name) => !name.endsWith('_pkey'))
    assert.deepEqual(created.sort(), ['books_folded', 'books_title'])
  })

  test('an open store with nothing in progress does not keep the process alive', async () => {
    const source = `
      import { openStore } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)}
      const store = await openStore(${JSON.stringify(url)})
      await store.write(async () => 1)
      ${engine.name === 'sqlite' ? '' : 'await store.close()'}`
    const folder = mkdtempSync(join(tmpdir(), 'octavo-script-'))
    const script = join(folder, 'script.mjs')
    writeFileSync(script, source)
    const child = spawn(process.execPath, [script], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 120_000,
    })
    const [code] = await once(child, 'exit')
    rmSync(folder, { recursive: true })
    assert.equal(code, 0)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../../test/support/engines.ts'
import { compile } from './compile.ts'
import { openStore } from './open.ts'
import { sql } from './sql.ts'
import type { Store } from './store.ts'

const ROWS = 3_000

/** Slow enough that a store that knows its statements would run it elsewhere, after it has seen it twice. */
const SLOW_COUNT = sql`WITH RECURSIVE steps(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps WHERE n < 200000)
  SELECT (SELECT count(*) FROM things) AS things, count(*) AS steps FROM steps`

onEachEngine((engine) => {
  let store: Store
  let writer: Store
  before(async () => {
    const url = await engine.freshUrl()
    store = await openStore(url)
    writer = await openStore(url)
    await writer.write(async (transaction) => {
      transaction.run(compile(engine.dialect, sql`CREATE TABLE things (name text PRIMARY KEY)`))
    })
    await add(Array.from({ length: ROWS }, (_, index) => `row ${index}`))
  })
  after(async () => {
    await store?.close()
    await writer?.close()
  })

  const add = (names: readonly string[]) =>
    writer.write(async (transaction) => {
      const values = sql.join(names.map((name) => sql`(${name})`))
      transaction.run(compile(engine.dialect, sql`INSERT INTO things VALUES ${values}`))
      transaction.touch('things')
    })
  const countNow = async () =>
    (await store.read(compile(engine.dialect, sql`SELECT count(*) AS things FROM things`)))[0]?.things

  test('a snapshot sees the rows of its start, also in reads that have become slow, while others write', async () => {
    const seen = await store.snapshot(async (read) => {
      await add(['before the first read'])
      const counts: unknown[] = []
      for (let round = 0; round < 6; round++) {
        counts.push((await read(SLOW_COUNT))[0]?.things)
        await add([`during round ${round}`])
      }
      return counts
    })
    assert.deepEqual(seen, Array(6).fill(ROWS))
    assert.equal(await countNow(), ROWS + 7)
  })

  test('a snapshot that fails leaves nothing behind', async () => {
    const failure = new Error('on purpose')
    await assert.rejects(
      store.snapshot(async (read) => {
        await read(sql`SELECT count(*) FROM things`)
        throw failure
      }),
      failure,
    )
    const before = Number(await countNow())
    await add(['after the failure'])
    assert.equal(await countNow(), before + 1)
  })

  test('a read cannot start or end a transaction', async () => {
    for (const control of ['BEGIN', ' rollback', 'COMMIT', 'SAVEPOINT here'])
      await assert.rejects(store.read({ sql: control, parameters: [] }), /cannot control transactions/)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../test/support/engines.ts'
import { compile, compileText } from './compile.ts'
import { openStore } from './open.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { type Sql, sql } from './sql.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Store } from './store.ts'

/** Texts that are most likely to break out of a literal or a name. */
const text = fc
  .string({ unit: fc.constantFrom(...`'"\\;-?$1:{}%_. aö🌳`, '--', '/*', '\n') })
  .filter((one) => one !== '')

describe('fragments', () => {
  test('become one text with the values in their order', () => {
    const inner = sql`b = ${2} or ${sql.join(['x', sql`y`, 'z'], ' and ')}`
    const query = sql`select ${sql.ref('t.a')} from ${sql.table('t')} where a = ${1} and (${inner}) limit ${sql.lit(5)}`
    const parameters = [1, 2, 'x', 'z']
    assert.deepEqual(compileText(sqliteDialect, query), {
      sql: 'select "t"."a" from "t" where a = ? and (b = ? or ? and y and ?) limit 5',
      parameters,
    })
    assert.deepEqual(compileText(postgresDialect, query), {
      sql: 'select "t"."a" from "t" where a = $1 and (b = $2 or $3 and y and $4) limit 5',
      parameters,
    })
  })

  test('are never created from an object that looks like one', () => {
    const posing = { texts: ['1; drop table t'], gaps: [] }
    assert.deepEqual(compileText(sqliteDialect, sql`select ${posing}`), {
      sql: 'select ?',
      parameters: [posing],
    })
    assert.throws(() => compile(sqliteDialect, sql`select ${posing}`), /cannot be a parameter/)
  })

  test('have no literal for a number that is not finite', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => sql.lit(value), /literal/)
  })
})

onEachEngine((engine) => {
  let store: Store
  before(async () => {
    store = await openStore(await engine.freshUrl())
  })
  after(() => store?.close())

  const answer = async (query: Sql) => (await store.read(compile(engine.dialect, query)))[0] ?? {}

  it('a value is a parameter and is returned unchanged, whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const query = sql`select cast(${value} as text) as it`
        assert.equal(
          compile(engine.dialect, query).sql,
          compile(engine.dialect, sql`select cast(${''} as text) as it`).sql,
        )
        assert.equal((await answer(query)).it, value)
      }),
    )
  })

  it('a literal is returned unchanged, whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        assert.equal((await answer(sql`select ${sql.lit(value)} as it`)).it, value)
      }),
    )
    for (const value of [0, -3, 2.5, Number.MAX_SAFE_INTEGER])
      assert.equal(Number((await answer(sql`select ${sql.lit(value)} as it`)).it), value)
  })

  it('a quoted name is that name, whatever it contains', async () => {
    // PostgreSQL cuts longer names off.
    const name = text.filter((one) => Buffer.byteLength(one) < 63)
    await fc.assert(
      fc.asyncProperty(name, async (one) => {
        const row = await answer(
          sql`select ${sql.id('t', one)} as found from (select 7 as ${sql.id(one)}) as t`,
        )
        assert.equal(Number(row.found), 7)
      }),
    )
  })
})

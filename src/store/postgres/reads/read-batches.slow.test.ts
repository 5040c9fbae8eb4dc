/** Reads that are sent together, with a real server: what one of them does must not show in the others. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type pg from 'pg'
import { onEachEngineVersion } from '../../../../test/support/engines.ts'
import type { SqlValue } from '../../statement.ts'
import { createPool, createSockets } from '../connection/connection.ts'
import { directSession } from '../connection/session.ts'
import { connectionLost, isStale, isStatementTimeout, isTooLarge } from '../failures.ts'

const LIMIT = 2_000
const session = directSession({ statementTimeout: 30_000, waitTimeout: 5_000, schema: null })

const VALUE = 'SELECT $1::int AS value'
const DIVIDE = 'SELECT 1 / $1::int AS value'
const SLEEP = 'SELECT pg_sleep($1::float8)::text AS value'
const MANY = 'SELECT value FROM generate_series(1, $1::int) AS value'
const BEGUN = 'SELECT $1::int AS value, now()::text AS begun'

onEachEngineVersion((engine) => {
  if (engine.name !== 'postgres') return

  describe('reads that are sent together', () => {
    const sockets = createSockets()
    let pool: pg.Pool
    let client: pg.PoolClient
    let other: pg.PoolClient

    const read = (sql: string, parameter: SqlValue, limit = LIMIT) =>
      session.readTogether(client, { sql, parameters: [parameter] }, limit)
    const firstOf = async (rows: ReturnType<typeof read>) => (await rows)[0]?.value
    const value = (of: number) => firstOf(read(VALUE, of))
    /** Statements are sent together once they are prepared. */
    const prepare = async (sql: string, parameter: SqlValue) => {
      for (let time = 0; time < 2; time++) await read(sql, parameter)
    }

    before(async () => {
      const url = await engine.freshUrl()
      pool = createPool({ ...session.config(url), stream: sockets.create, max: 2 })
      other = await pool.connect()
      await other.query('SET default_transaction_read_only = off')
      await other.query('CREATE TABLE things (name text)')
    })
    after(async () => {
      other.release()
      await pool.end()
    })

    const withConnection = (test: () => Promise<void>) => async () => {
      client = await pool.connect()
      try {
        await prepare(VALUE, 1)
        await prepare(DIVIDE, 1)
        await prepare(SLEEP, 0)
        await prepare(MANY, 1)
        await prepare(BEGUN, 1)
        await test()
      } finally {
        client.release(true)
      }
    }

    it(
      'are one transaction for up to four of them, and each gets its own rows',
      withConnection(async () => {
        const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((index) => read(BEGUN, index)))
        assert.deepEqual(
          rows.map(([row]) => row?.value),
          [1, 2, 3, 4, 5, 6],
        )
        const [first, , , fourth, fifth, sixth] = rows.map(([row]) => row?.begun)
        assert.equal(fourth, first)
        assert.notEqual(fifth, first)
        assert.equal(sixth, fifth)
      }),
    )

    it(
      'fail alone, whether a value, the statement or the table is the cause',
      withConnection(async () => {
        await prepare('SELECT *, $1::int AS number FROM things', 1)
        await other.query('ALTER TABLE things ADD COLUMN size int')
        const results = await Promise.allSettled([
          value(1),
          read(DIVIDE, 0),
          value(2),
          read(VALUE, 'no number'),
          read('SELECT *, $1::int AS number FROM things', 1),
          value(3),
          read(DIVIDE, 0),
        ])
        await other.query('ALTER TABLE things DROP COLUMN size')
        assert.deepEqual(
          results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
          [1, 'failed', 2, 'failed', 'failed', 3, 'failed'],
        )
        const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
        assert.deepEqual(errors.map(isTooLarge), [true, false, false, true])
        assert.deepEqual(errors.map(isStale), [false, true, true, false])
        assert.equal(await value(4), 4)
      }),
    )

    it(
      'have a time limit each, and one that exceeds it is cancelled alone',
      withConnection(async () => {
        const limit = 300
        const within = (sql: string, parameter: SqlValue) => firstOf(read(sql, parameter, limit))
        assert.deepEqual(
          await Promise.all(Array.from({ length: 5 }, () => within(SLEEP, 0.08))),
          Array(5).fill(''),
        )
        const results = await Promise.allSettled([within(VALUE, 1), within(SLEEP, 10), within(VALUE, 2)])
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        )
        assert.ok(results[1]?.status === 'rejected' && isStatementTimeout(results[1].reason))
      }),
    )

    it(
      'keep their limits when they are sent again after others with another limit',
      withConnection(async () => {
        const first = [read(DIVIDE, 0, 5_000), read(SLEEP, 0.3, 5_000)]
        await new Promise((resolve) => setImmediate(resolve))
        const results = await Promise.allSettled([...first, read(SLEEP, 5, 100)])
        assert.deepEqual(
          results.map(({ status }) => status),
          ['rejected', 'fulfilled', 'rejected'],
        )
      }),
    )

    it(
      'are prepared again if they were closed before they are sent again',
      withConnection(async () => {
        const first = [read(DIVIDE, 0), read(VALUE, 2)]
        await new Promise((resolve) => setImmediate(resolve))
        session.names.forgetAll()
        for (let index = 0; index < 60; index++)
          for (let time = 0; time < 2; time++) session.names.nameOf(`SELECT $1::int + ${index} AS value`)
        session.names.forgetAll()
        const results = await Promise.allSettled([...first, read(MANY, 1)])
        assert.deepEqual(
          results.map(({ status }) => status),
          ['rejected', 'fulfilled', 'fulfilled'],
        )
      }),
    )

    it(
      'are cancelled one at a time by an administrator',
      withConnection(async () => {
        const [row] = await session.read(
          client,
          { sql: 'SELECT pg_backend_pid() AS pid', parameters: [] },
          LIMIT,
        )
        const results = Promise.allSettled([value(1), read(SLEEP, 10, 20_000), value(2)])
        await sleep(100)
        await other.query(`SELECT pg_cancel_backend(${row?.pid})`)
        assert.deepEqual(
          (await results).map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        )
      }),
    )

    it(
      'see what was committed before the server started with each of them',
      withConnection(async () => {
        const count = { sql: 'SELECT count(*) AS value, $1::int FROM things', parameters: [1] }
        await prepare(count.sql, 1)
        const both = Promise.all([read(SLEEP, 0.3), session.readTogether(client, count, LIMIT)])
        await sleep(50)
        await other.query(`INSERT INTO things VALUES ('new')`)
        assert.equal((await both)[1][0]?.value, 1)
      }),
    )

    it(
      'do not wait for those after them once their response has filled a packet',
      withConnection(async () => {
        const ended: string[] = []
        const note = (name: string) => () => ended.push(name)
        await Promise.all([
          value(1).then(note('short')),
          read(MANY, 3_000),
          read(SLEEP, 1).then(note('slow')),
          sleep(500).then(note('after 500 ms')),
        ])
        assert.deepEqual(ended, ['short', 'after 500 ms', 'slow'])
      }),
    )

    it(
      'can have different limits, and statements that are not prepared',
      withConnection(async () => {
        const results = await Promise.all([
          value(1),
          firstOf(read(VALUE, 2, 1_000)),
          firstOf(read('SELECT $1::int + 2 AS value', 1)),
          value(4),
          firstOf(read(VALUE, 5, 1_000)),
        ])
        assert.deepEqual(results, [1, 2, 3, 4, 5])
      }),
    )

    it(
      'all settle when the server ends their connection',
      withConnection(async () => {
        const end = `SELECT CASE WHEN $1::int > 0
          THEN concat(pg_terminate_backend(pg_backend_pid()), pg_sleep(5)) END AS value`
        await prepare(end, 0)
        const results = await Promise.allSettled([value(1), read(end, 1), value(2), value(3)])
        for (const result of results.slice(1))
          assert.ok(result.status === 'rejected' && connectionLost(result.reason))
        await assert.rejects(value(4), connectionLost)
      }),
    )

    it(
      'all settle when their connection breaks before they are sent, or while they are',
      withConnection(async () => {
        const sent = [value(1), value(2)]
        client.on('error', () => {})
        Reflect.get(client, 'connection').stream.destroy()
        const late = new Promise<unknown>((resolve, reject) =>
          process.nextTick(() => process.nextTick(() => value(3).then(resolve, reject))),
        )
        for (const result of await Promise.allSettled([...sent, late]))
          assert.ok(result.status === 'rejected' && connectionLost(result.reason))
      }),
    )

    it(
      'return the same text at first, and in the binary format once their columns are known',
      withConnection(async () => {
        const text = fc
          .oneof(fc.constant(null), fc.string({ unit: 'grapheme' }))
          .map((of) => of?.replaceAll('\0', '') ?? null)
        let name = 0
        await fc.assert(
          fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 5 }), async (values) => {
            const sql = `SELECT $1::text AS value, '${++name}' AS name`
            for (const value of values)
              assert.deepEqual(await read(sql, value), [{ value, name: String(name) }])
          }),
        )
      }),
    )

    /** What a read does, and what it resolves with, or the failure. */
    const anyRead = fc.oneof(
      fc.nat(1_000).map((of) => ({ sql: VALUE, parameter: of, limit: LIMIT, expected: String(of) })),
      fc.nat(300).map((of) => ({ sql: MANY, parameter: of, limit: LIMIT, expected: `${of} rows` })),
      fc.constant({ sql: VALUE, parameter: 7, limit: LIMIT + 1, expected: '7' }),
      fc.constant({ sql: DIVIDE, parameter: 0, limit: LIMIT, expected: '22012' }),
      fc.constant({ sql: VALUE, parameter: 'x', limit: LIMIT, expected: '22P02' }),
      fc.constant({ sql: SLEEP, parameter: 5, limit: 5, expected: '57014' }),
      fc.nat(20).map((of) => ({
        sql: `SELECT $1::int AS v${of}, 0 AS value`,
        parameter: 1,
        limit: LIMIT,
        expected: '0',
      })),
    )

    it(
      'respond as if each were sent alone, in any mix and on any number of turns',
      withConnection(async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.array(anyRead, { maxLength: 12 }), { maxLength: 5 }),
            async (turns) => {
              const responses: Promise<string>[] = []
              for (const turn of turns) {
                for (const { sql, parameter, limit } of turn)
                  responses.push(
                    read(sql, parameter, limit).then(
                      (rows) => (sql === MANY ? `${rows.length} rows` : String(rows[0]?.value)),
                      (error: unknown) => String(error instanceof Error && Reflect.get(error, 'code')),
                    ),
                  )
                await new Promise((resolve) => setImmediate(resolve))
              }
              assert.deepEqual(
                await Promise.all(responses),
                turns.flat().map(({ expected }) => expected),
              )
            },
          ),
          { numRuns: 40 },
        )
      }),
    )
  })
})

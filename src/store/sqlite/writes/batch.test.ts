/** Jobs that share a transaction of a real SQLite file, some of which fail in the midst of it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Transaction } from '../../store.ts'
import { createExecutor, openForWriting } from '../connection.ts'
import { translate } from '../failures.ts'
import { createGroupCommit } from './group-commit.ts'
import { type Operation, OperationFailure } from './operation.ts'

const BOUNDS = { queue: 1_000, jobs: 1_000, milliseconds: 10_000, patience: 10_000 }

describe('jobs of a batch on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-batch-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let path: string
  let database: ReturnType<typeof openForWriting>
  let group: ReturnType<typeof createGroupCommit>
  let number = 0

  beforeEach(() => {
    path = join(folder, `batch-${number++}.db`)
    database = openForWriting({ path, timeout: 0 })
    database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)')
    const execute = createExecutor(database)
    group = createGroupCommit((operations: readonly Operation[], opens) => {
      const executed = execute(operations, opens)
      if ('rows' in executed) return executed.rows
      throw new OperationFailure(executed.failed, executed.open, translate(executed.failure))
    }, BOUNDS)
  })
  afterEach(() => database.close())

  const insert = (transaction: Transaction, name: string) =>
    transaction.run({
      sql: 'INSERT OR FAIL INTO things (name) VALUES (?), (?)',
      parameters: [name, `${name}+`],
    })
  const look = (transaction: Transaction) =>
    transaction.all({ sql: 'SELECT count(*) AS n FROM things', parameters: [] })
  const add = (...names: readonly string[]) =>
    group.write(async (transaction) => {
      for (const name of names) insert(transaction, name)
      return Number((await look(transaction))[0]?.n)
    })
  const fail = (...names: readonly string[]) =>
    group.write(async (transaction) => {
      for (const name of names) insert(transaction, name)
      await look(transaction)
      throw new Error('no')
    })
  const stored = () => database.prepare('SELECT id, name FROM things ORDER BY id').all().map(Object.values)

  it('are undone alone, and the others keep the rows that they were given', async () => {
    const outcomes = await Promise.allSettled([
      add('a'),
      fail('b'),
      add('c'),
      add('d', 'a'),
      fail(),
      add('e'),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
      [2, 'no', 4, 'Another row of things has the same name', 'no', 6],
    )
    const expected = ['a', 'a+', 'c', 'c+', 'e', 'e+'].map((name, at) => [at + 1, name])
    assert.deepEqual(stored(), expected)
    assert.equal(group.commits, 1)
  })

  it('store exactly what was acknowledged, whichever of them fail', async () => {
    const job = fc.record({
      names: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 3 }),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 12 }), async (jobs) => {
        database.exec('DELETE FROM things')
        const outcomes = await Promise.allSettled(
          jobs.map(({ names, fails }) => (fails ? fail(...names) : add(...names))),
        )
        const model = new Set<string>()
        jobs.forEach(({ names, fails }, at) => {
          const isFine =
            !fails && new Set(names).size === names.length && !names.some((name) => model.has(name))
          assert.equal(outcomes[at]?.status, isFine ? 'fulfilled' : 'rejected')
          if (isFine) for (const name of names) model.add(name)
        })
        const expected = [...model].flatMap((name) => [name, `${name}+`])
        assert.deepEqual(
          stored().map(([, name]) => name),
          expected,
        )
      }),
      { numRuns: 200 },
    )
  })
})

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
  let log: string[]
  let group: ReturnType<typeof createGroupCommit>
  let number = 0

  beforeEach(() => {
    path = join(folder, `batch-${number++}.db`)
    database = openForWriting({ path, timeout: 0 })
    database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)')
    log = []
    const execute = createExecutor(database)
    group = createGroupCommit((operations: readonly Operation[], opens) => {
      log.push(...operations.map(({ sql }) => sql))
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

  const times = (sql: string) => log.filter((one) => one === sql).length

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
    assert.deepEqual([group.commits, times('RESTART')], [1, 1])
  })

  it('have no savepoints as long as none has failed', async () => {
    await Promise.all([add('a'), add('b')])
    assert.deepEqual([group.commits, times('SAVEPOINT job'), times('RESTART')], [1, 0, 0])
  })

  it('are not executed again if there were many, and later jobs have savepoints', async () => {
    const many = Array.from({ length: 1_200 }, (_, at) => `m${at}`)
    const outcomes = await Promise.allSettled([add(...many), fail('x'), add('y')])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(stored().length, 2_402)
    assert.deepEqual([times('RESTART'), times('ROLLBACK TO job')], [0, 1])
  })

  it('are refused together if another program has written while the transaction began again', async () => {
    const other = openForWriting({ path, timeout: 0 })
    const exec = database.exec.bind(database)
    database.exec = (sql) => {
      exec(sql)
      if (sql === 'ROLLBACK') other.exec(`INSERT INTO things (name) VALUES ('theirs')`)
    }
    const outcomes = await Promise.allSettled([add('a'), fail('b'), add('c')])
    database.exec = exec
    other.close()
    for (const outcome of outcomes) assert.equal(outcome.status, 'rejected')
    const { reason } = Object(outcomes[0])
    assert.deepEqual([reason.status, reason.headers], [503, { 'retry-after': '1' }])
    assert.deepEqual(stored(), [[1, 'theirs']])
    assert.equal(await add('d'), 3)
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

  describe('that append rows', () => {
    const append = (transaction: Transaction, note: string) =>
      transaction.append({
        table: 'notes',
        text: (rows) =>
          `INSERT INTO notes (note) VALUES ${Array.from({ length: rows }, () => '(?)').join(', ')}`,
        rows: [[note]],
      })
    const readNotes = async (transaction: Transaction) =>
      (await transaction.all({ sql: 'SELECT note FROM notes ORDER BY id', parameters: [] })).map(
        ({ note }) => note,
      )
    const notes = () =>
      database
        .prepare('SELECT note FROM notes ORDER BY id')
        .all()
        .map(({ note }) => note)

    /** What a job does, in order. */
    const STEPS = {
      append: (transaction: Transaction, note: string) => append(transaction, note),
      run: (transaction: Transaction, note: string) => insert(transaction, note),
      look: (transaction: Transaction) => look(transaction),
      read: (transaction: Transaction) => readNotes(transaction),
      fail: () => Promise.reject(new Error('no')),
    }

    beforeEach(() => database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT)'))

    it('have them stored in the order of the jobs, in their commit', async () => {
      const jobs = Array.from({ length: 100 }, (_, index) =>
        group.write(async (transaction) => {
          insert(transaction, `thing ${index}`)
          append(transaction, `note ${index}`)
          if (index % 10 === 3) throw new Error('no')
        }),
      )
      await Promise.allSettled(jobs)
      const kept = Array.from({ length: 100 }, (_, index) => index).filter((index) => index % 10 !== 3)
      assert.deepEqual(
        notes(),
        kept.map((index) => `note ${index}`),
      )
      assert.equal(group.commits, 1)
    })

    it('are committed if they do nothing else', async () => {
      await group.write(async (transaction) => append(transaction, 'alone'))
      assert.deepEqual(notes(), ['alone'])
    })

    it('read their own rows and those of jobs before them, and lose only their own', async () => {
      const step = fc.constantFrom('append', 'append', 'run', 'look', 'read', 'fail')
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 8 }), async (jobs) => {
          database.exec('DELETE FROM notes; DELETE FROM things')
          const model: string[] = []
          const expected: (readonly string[])[] = []
          for (const [job, steps] of jobs.entries()) {
            const own: string[] = []
            for (const [at, name] of steps.entries()) {
              if (name === 'append') own.push(`${job}.${at}`)
              if (name === 'read') expected.push([...model, ...own])
              if (name === 'fail') break
            }
            if (!steps.includes('fail')) model.push(...own)
          }
          const seen: unknown[] = []
          await Promise.allSettled(
            jobs.map((steps, job) =>
              group.write(async (transaction) => {
                for (const [at, name] of steps.entries()) {
                  const result = await STEPS[name](transaction, `${job}.${at}`)
                  if (name === 'read') seen.push(result)
                }
              }),
            ),
          )
          assert.deepEqual(seen, expected)
          assert.deepEqual(notes(), model)
        }),
        { numRuns: 300 },
      )
    })
  })
})

/** Which failures make a write run again, how often, and what the next attempt knows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOfSchemas } from '../../test/support/schemas.ts'
import { plainScalar } from '../model/model.ts'
import type { Dialect } from '../store/dialect.ts'
import { UniqueViolation } from '../store/errors.ts'
import { postgresDialect } from '../store/postgres/dialect.ts'
import { sqliteDialect } from '../store/sqlite/dialect.ts'
import type { Transaction } from '../store/store.ts'
import { type Attempt, attemptWithin, runWrite } from './run-write.ts'

const MAX_ATTEMPTS = 8

/** A store that runs no SQL; `locked` has the keys of every call of `lock`, transaction by transaction. */
function fakeStore(dialect: Dialect = postgresDialect) {
  const locked: (readonly string[])[][] = []
  const begin = (): Transaction => {
    const calls: (readonly string[])[] = []
    locked.push(calls)
    return {
      dialect,
      all: async () => [],
      run: () => {},
      append: () => {},
      reserveEntryIds: async () => 1,
      lock: (keys) => void calls.push(keys),
      touch: () => {},
      complete: () => {},
    }
  }
  const write = <Result>(work: (transaction: Transaction) => Promise<Result>) => work(begin())
  return { store: { write }, begin, locked }
}

const model = modelOfSchemas({
  'api::note.note': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { slug: { type: 'uid' }, code: { type: 'string', unique: true } },
  },
})
const note = model.types.get('api::note.note') ?? assert.fail()
const slug = plainScalar('slug', 'uid')
const taken = (column: string, table = note.table) => new UniqueViolation(table, ['locale', column], null)

/** Runs a write; `work` gets the number of the attempt, counted from 1. */
async function countAttempts(work: (attempt: Attempt, count: number) => Promise<unknown>) {
  const { store, locked } = fakeStore()
  let count = 0
  const run = runWrite(store, (attempt) => work(attempt, ++count))
  const error: unknown = await run.then(
    () => null,
    (reason: unknown) => reason,
  )
  return { count, error, locked }
}

test('a write that succeeds runs once, and its result is returned', async () => {
  const { store, locked } = fakeStore()
  assert.equal(await runWrite(store, async ({ wasRefused }) => wasRefused), false)
  assert.equal(locked.length, 1)
})

test('a write that needs more locks runs again and takes all of them first', async () => {
  const { count, error, locked } = await countAttempts(async ({ locks }) => {
    locks.acquire(['a'])
    locks.acquireMore(['b'])
    locks.acquireMore(['a', 'c'])
  })
  assert.deepEqual([count, error], [3, null])
  assert.deepEqual(
    locked.map((calls) => calls.map((keys) => [...keys].sort())),
    [[['a']], [['a', 'b']], [['a', 'b', 'c']]],
  )
})

test('the last attempt takes further locks without running again', async () => {
  const { count, error, locked } = await countAttempts(async ({ locks }, attempt) => {
    locks.acquire(['start'])
    locks.acquireMore([`found ${attempt}`])
  })
  assert.deepEqual([count, error], [MAX_ATTEMPTS, null])
  assert.deepEqual(locked.at(-1)?.at(-1), [`found ${MAX_ATTEMPTS}`])
})

test('an engine with a single writer takes further locks in the first attempt', async () => {
  const { store, locked } = fakeStore(sqliteDialect)
  await runWrite(store, async ({ locks }) => {
    locks.acquire(['a'])
    locks.acquireMore(['b'])
  })
  assert.deepEqual(locked, [[['a'], ['b']]])
})

test('a write runs again while its generated values are taken, up to the bound', async () => {
  const once = await countAttempts(async ({ generated, wasRefused }, attempt) => {
    assert.equal(wasRefused, false)
    generated.add(note, slug)
    if (attempt === 1) throw taken('a_slug')
  })
  assert.deepEqual([once.count, once.error], [2, null])
  const always = await countAttempts(async ({ generated }) => {
    generated.add(note, slug)
    throw taken('a_slug')
  })
  assert.equal(always.count, MAX_ATTEMPTS)
  assert.ok(always.error instanceof UniqueViolation)
})

test('values that an earlier attempt generated do not count for the next one', async () => {
  const { count, error } = await countAttempts(async ({ generated }, attempt) => {
    if (attempt === 1) generated.add(note, slug)
    throw taken('a_slug')
  })
  assert.equal(count, 3)
  assert.ok(error instanceof UniqueViolation)
})

test('a write whose sent values are taken runs once more, to name all of them', async () => {
  for (const failure of [taken('a_code'), taken('a_slug', 'others')]) {
    const refused: boolean[] = []
    const { count, error } = await countAttempts(async ({ generated, wasRefused }) => {
      refused.push(wasRefused)
      generated.add(note, slug)
      throw failure
    })
    assert.deepEqual([count, error, refused], [2, failure, [false, true]])
  }
})

test('any other error is thrown without another attempt', async () => {
  const failure = new Error('out of disk space')
  const { count, error } = await countAttempts(async ({ generated }) => {
    generated.add(note, slug)
    throw failure
  })
  assert.deepEqual([count, error], [1, failure])
})

test('an attempt in the transaction of a caller takes further locks, because it cannot run again', () => {
  const { begin, locked } = fakeStore()
  const { locks } = attemptWithin(begin())
  locks.acquire(['a'])
  locks.acquireMore(['b'])
  assert.deepEqual(locked, [[['a'], ['b']]])
})

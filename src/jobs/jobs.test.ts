import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { onEachEngine } from '../../test/support/engines.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { compile } from '../store/compile.ts'
import { openStore } from '../store/open.ts'
import { sql } from '../store/sql.ts'
import type { Store } from '../store/store.ts'
import { createOwnTables } from '../store/tables/own-tables.ts'
import { cancel, enqueue } from './enqueue.ts'
import { defaultRetry, type JobKind, type NewJob, type TakenJob } from './job.ts'
import { countJobs, deleteJob, listJobs, retryNow } from './list.ts'
import { startJobs } from './runner.ts'
import { jobs, jobTables } from './tables.ts'
import { nextDue, takeDue } from './take.ts'

const quiet = { warn: () => {}, error: () => {} }
const MINUTE = 60_000

onEachEngine((engine) => {
  let store: Store
  /** Another process on the same database. */
  let other: Store
  before(async () => {
    const url = await engine.freshUrl()
    store = await openStore(url)
    await createOwnTables(store, jobTables)
    other = await openStore(url)
  })
  beforeEach(() =>
    store.write(async (transaction) => transaction.run(compile(store.dialect, sql`delete from ${jobs}`))),
  )
  after(async () => {
    await other.close()
    await store.close()
  })

  const add = (...all: NewJob[]) =>
    store.write(async (transaction) => {
      for (const job of all) enqueue(transaction, job)
    })
  const kind = (run: JobKind['run'] = async () => {}, more: Partial<JobKind> = {}): JobKind => ({
    kind: 'test',
    run,
    ...more,
  })
  const take = (from: Store, limit = 1, leaseMs = MINUTE) => takeDue(from, 'me', [kind()], leaseMs, limit)
  const states = async () => (await listJobs(store, 100)).map(({ state }) => state)

  describe('a job', () => {
    it('is taken by one process only, in the order in which jobs are due', async () => {
      const runAt = (minutes: number) => new Date(Date.now() - minutes * MINUTE)
      await add(
        { kind: 'test', payload: 'second', runAt: runAt(1) },
        { kind: 'test', payload: 'first', runAt: runAt(2) },
        { kind: 'test', payload: 'later', runAt: runAt(-1) },
        { kind: 'unknown', payload: 'never' },
      )
      const taken = (await Promise.all([take(store), take(other), take(store), take(other)])).flat()
      assert.deepEqual(taken.map(({ payload }) => payload).sort(), ['first', 'second'])
      assert.deepEqual(await take(other, 9), [])
      assert.ok(((await nextDue(store, ['test'])) ?? 0) > Date.now())
    })

    it('exists only if the transaction that stores it commits', async () => {
      const failing = store.write(async (transaction) => {
        enqueue(transaction, { kind: 'test' })
        throw new Error('rolled back')
      })
      await assert.rejects(failing, /rolled back/)
      assert.deepEqual(await states(), [])
    })

    it('is taken by another process when its lease ends, and then ends only there', async () => {
      await add({ kind: 'test' })
      const [lost] = await take(store, 1, 0)
      const [again] = await take(other)
      assert.equal(again?.attempt, 2)
      const complete = (job: TakenJob | undefined) =>
        store.write(async (transaction) => job?.completeIn(transaction))
      await assert.rejects(complete(lost), { name: 'LeaseLost' })
      await complete(again)
      assert.deepEqual(await states(), [])
    })

    it('with a key replaces the one before, also while that runs, and can be cancelled', async () => {
      await add({ kind: 'test', key: 'a', payload: 1 })
      const [running] = await take(store)
      await add({ kind: 'test', key: 'a', payload: 2 })
      await assert.rejects(
        store.write(async (transaction) => running?.completeIn(transaction)),
        { name: 'LeaseLost' },
      )
      const [next] = await take(store)
      assert.deepEqual([next?.payload, next?.attempt], [2, 1])
      await store.write(async (transaction) => cancel(transaction, 'test', 'a'))
      assert.deepEqual(await states(), [])
    })
  })

  describe('the runners of several processes', () => {
    it('run every job once, also those stored while they sleep and those due while none ran', async () => {
      const ran: unknown[] = []
      const kinds = [kind(async ({ payload }) => void ran.push(payload))]
      await add({ kind: 'test', payload: 'due before', runAt: new Date(Date.now() - MINUTE) })
      const runners = [
        await startJobs({ store, kinds, log: quiet }),
        await startJobs({ store: other, kinds, log: quiet }),
      ]
      try {
        await add(...Array.from({ length: 30 }, (_, payload) => ({ kind: 'test', payload })))
        await waitUntil(async () => (await states()).length === 0)
      } finally {
        await Promise.all(runners.map((runner) => runner.close()))
      }
      assert.equal(ran.length, 31)
      assert.equal(new Set(ran).size, 31)
      const succeeded = runners.map(({ stats }) => stats.get('test')?.succeeded ?? 0)
      assert.equal(
        succeeded.reduce((sum, one) => sum + one),
        31,
      )
    })

    it('try a failed job again, and give up when there are no more retries', async () => {
      const attempts: number[] = []
      const failing = kind(
        async ({ attempt }) => {
          attempts.push(attempt)
          throw new Error(`failure ${attempt}`)
        },
        { retryAfter: (count) => (count < 3 ? 0 : null) },
      )
      await add({ kind: 'test' })
      const runner = await startJobs({ store, kinds: [failing], log: quiet })
      try {
        await waitUntil(async () => (await states())[0] === 'failed')
      } finally {
        await runner.close()
      }
      assert.deepEqual(attempts, [1, 2, 3])
      const [job] = await listJobs(store, 10, 'failed')
      assert.deepEqual([job?.attempts, job?.error], [3, 'failure 3'])
      assert.deepEqual(await countJobs(store), [{ kind: 'test', state: 'failed', count: 1 }])
      assert.equal(await retryNow(store, job?.id ?? 0), true)
      assert.deepEqual(await states(), ['waiting'])
      assert.equal(await deleteJob(store, job?.id ?? 0), true)
      assert.equal(await deleteJob(store, job?.id ?? 0), false)
    })

    it('store a job that repeats once, run it when it is due, and run it again after a failure', async () => {
      let runs = 0
      const repeating = kind(
        async () => {
          if (++runs === 1) throw new Error('the first run fails')
        },
        { every: MINUTE, retryAfter: () => 0 },
      )
      const start = (on: Store) => startJobs({ store: on, kinds: [repeating], log: quiet })
      const runners = [await start(store), await start(other)]
      try {
        const [first] = await listJobs(store, 10)
        assert.ok(Date.parse(first?.dueAt ?? '') > Date.now(), 'due after one interval')
        assert.equal(await retryNow(store, first?.id ?? 0), true)
        await waitUntil(async () => {
          const [job] = await listJobs(store, 10)
          return runs === 2 && job?.state === 'waiting'
        })
      } finally {
        await Promise.all(runners.map((runner) => runner.close()))
      }
      const [job, ...more] = await listJobs(store, 10)
      assert.deepEqual(more, [])
      assert.ok(Date.parse(job?.dueAt ?? '') > Date.now())
    })
  })

  it('retries pause longer each time, and end', () => {
    const pauses = Array.from({ length: 11 }, (_, index) => defaultRetry(index + 1))
    assert.equal(pauses.at(-1), null)
    for (const [index, pause] of pauses.slice(0, 10).entries()) {
      const expected = Math.min(1_000 * 2 ** index, 3_600_000)
      assert.ok(pause !== null && pause >= expected * 0.8 && pause <= expected * 1.2)
    }
  })
})

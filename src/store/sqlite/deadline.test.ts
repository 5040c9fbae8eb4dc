import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { countedTime, createDeadline, runningTime } from './deadline.ts'
import { failureOf, INTERRUPT } from './failures.ts'
import { defineFunctions } from './functions.ts'
import { rowReader } from './rows.ts'

/** Runs for at least so many milliseconds, however long that takes. */
function run(milliseconds: number) {
  const end = runningTime() + milliseconds * 1000
  while (runningTime() < end);
}

/** Waits without running, as a thread does that has no processor. */
const wait = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

describe('a deadline', () => {
  it('without a limit is never over', () => {
    const deadline = createDeadline()
    assert.equal(deadline.isOver(), false)
    deadline.set(performance.now() - 1000, 1, false)
    deadline.clear()
    assert.equal(deadline.isOver(), false)
  })

  it('of passed time is over when the time has passed', () => {
    const deadline = createDeadline()
    deadline.set(performance.now(), 5, false)
    wait(10)
    assert.equal(deadline.isOver(), true)
  })

  it('of running time is over when the thread has run for so long, not when it has waited', () => {
    const deadline = createDeadline()
    deadline.set(performance.now(), 1_000, true)
    wait(1_100)
    assert.equal(deadline.isOver(), false)
    run(300)
    assert.equal(deadline.isOver(), false)
    run(300)
    assert.equal(deadline.isOver(), true)
  })

  it('of running time is over when the thread has waited for several times as long', () => {
    const deadline = createDeadline()
    deadline.set(performance.now() - 101, 20, true)
    assert.equal(deadline.isOver(), true)
  })

  it('is set anew for each statement', () => {
    const deadline = createDeadline()
    deadline.set(performance.now() - 60_000, 1_000, true)
    assert.equal(deadline.isOver(), true)
    deadline.set(performance.now(), 60_000, true)
    assert.equal(deadline.isOver(), false)
  })
})

it('waiting counts as a part of the duration of a read', () => {
  assert.equal(countedTime(900, 1_000), 900)
  assert.equal(countedTime(100, 10_000), 2_000)
  assert.equal(countedTime(1_001, 1_000), 1_000)
})

it('a statement that runs for too long is ended in the same way, however its rows are read, and can be run again', () => {
  const database = new DatabaseSync(':memory:')
  const deadline = defineFunctions(database)
  const rows = rowReader(
    database.prepare(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 100)
      select i from n where octavo_deadline()`),
  )
  for (const maxBytes of [undefined, 1_000_000]) {
    assert.equal(rows([], maxBytes).length, 100)
    deadline.set(performance.now() - 1000, 1, false)
    assert.throws(
      () => rows([], maxBytes),
      (error) => failureOf(error).code === INTERRUPT,
    )
    deadline.clear()
    assert.equal(rows([], maxBytes).length, 100, 'and can be run again')
  }
  database.close()
})

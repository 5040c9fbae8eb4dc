import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from './concurrency-limit.ts'

test('runs every task, and at most the given number at a time', async () => {
  const limit = limitConcurrency(2)
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      limit(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        if (index % 5 === 0) throw new Error('failed')
        return index
      }),
    ),
  )
  assert.equal(most, 2)
  assert.equal(results.filter((result) => result.status === 'rejected').length, 4)
  assert.equal(await limit(async () => 'next'), 'next')
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createPace } from './pace.ts'

it('deliveries begin in turn, at most so many in a second', async () => {
  const pace = createPace(100)
  const start = performance.now()
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 11 }, async (_, index) => {
      await pace.next()
      order.push(index)
    }),
  )
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
  )
  assert.ok(performance.now() - start >= 95)
})

it('a delivery that waits for its turn goes on when the pace is stopped', async () => {
  const pace = createPace(1)
  const start = performance.now()
  const waiting = Promise.all(Array.from({ length: 100 }, () => pace.next()))
  pace.stop()
  await waiting
  await pace.next()
  assert.ok(performance.now() - start < 20_000)
})

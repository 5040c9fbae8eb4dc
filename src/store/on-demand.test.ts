import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onDemand } from './on-demand.ts'

test('a value is created once for all callers', async () => {
  let made = 0
  const get = onDemand(async () => ++made)
  assert.equal(made, 0)
  assert.deepEqual(await Promise.all([get(), get()]), [1, 1])
  assert.equal(await get(), 1)
})

test('a failure rejects all callers that waited for it, and the next call tries again', async () => {
  let tries = 0
  const get = onDemand(async () => {
    tries++
    if (tries === 1) throw new Error('too many open files')
    return tries
  })
  const outcomes = await Promise.allSettled([get(), get()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await get(), 2)
})

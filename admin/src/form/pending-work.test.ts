import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPendingWork } from './pending-work.ts'

test('a form without pending work is saved at once', async () => {
  await createPendingWork().finished()
})

test('saving waits for all pending work, also for what is added meanwhile', async () => {
  const pending = createPendingWork()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFinished = false
  pending.add(first.promise)
  const finished = pending.finished().then(() => {
    isFinished = true
  })
  pending.add(second.promise)
  first.resolve()
  await new Promise(setImmediate)
  assert.equal(isFinished, false)
  second.resolve()
  await finished
})

test('saving fails with the error of what it waits for, and the next save is not affected', async () => {
  const pending = createPendingWork()
  const upload = Promise.withResolvers<void>()
  pending.add(upload.promise)
  const finished = pending.finished()
  upload.reject(new Error('The disk is full'))
  await assert.rejects(finished, /The disk is full/)
  await pending.finished()
})

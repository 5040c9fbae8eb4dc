import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { createLimit } from './limits.ts'

function clock() {
  let now = 1_000_000
  return { now: () => now, pass: (seconds: number) => (now += seconds * 1000) }
}

const refused = (seconds: string) => (failure: unknown) =>
  failure instanceof ApiError && failure.status === 429 && failure.headers['retry-after'] === seconds

test('attempts past the limit are refused until the window ends, and told when', () => {
  const { now, pass } = clock()
  const limit = createLimit(2, 60, now)
  limit.take('a')
  limit.take('a')
  pass(20)
  assert.throws(() => limit.take('a'), refused('40'))
  limit.take('b')
  pass(40)
  limit.take('a')
})

test('an attempt that was right is taken back', () => {
  const { now } = clock()
  const limit = createLimit(1, 60, now)
  for (let round = 0; round < 5; round += 1) {
    limit.take('a')
    limit.giveBack('a')
  }
  limit.take('a')
  assert.throws(() => limit.take('a'), refused('60'))
})

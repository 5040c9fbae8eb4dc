import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseRetryAfter, pauseAfter } from './retry-schedule.ts'

const HOUR = 3_600_000

it('retries follow the schedule, with up to a fifth more, and end', () => {
  const plain = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, null, () => 0))
  const minutes = [5, 30].map((count) => count * 60_000)
  assert.deepEqual(plain, [5_000, ...minutes, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR), null])
  assert.equal(
    pauseAfter(1, null, () => 1),
    6_000,
  )
})

it('Retry-After makes a pause longer, never shorter, and at most a day', () => {
  const pause = (retryAfter: number) => pauseAfter(2, retryAfter, () => 0)
  assert.equal(pause(1_000), 300_000)
  assert.equal(pause(HOUR), HOUR)
  assert.equal(pause(1_000 * HOUR), 24 * HOUR)
  assert.equal(pauseAfter(10, HOUR), null)
})

it('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  assert.equal(parseRetryAfter('120', now), 120_000)
  assert.equal(parseRetryAfter('Mon, 16 Nov 2026 12:01:00 GMT', now), 60_000)
  assert.equal(parseRetryAfter('Mon, 16 Nov 2026 11:00:00 GMT', now), 0)
  for (const header of [undefined, '', 'soon', '-5', '99999999999']) {
    const parsed = parseRetryAfter(header, now)
    assert.ok(parsed === null || parsed >= 0, header)
  }
})

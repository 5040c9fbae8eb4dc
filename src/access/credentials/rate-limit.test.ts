import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { createRateLimit, rateLimitKeyOf, type SharedCounts } from './rate-limit.ts'

function clock() {
  let now = 1_000_000
  return { now: () => now, pass: (seconds: number) => (now += seconds * 1000) }
}

const refused = (seconds: string) => (failure: unknown) =>
  failure instanceof ApiError && failure.status === 429 && failure.headers['retry-after'] === seconds

test('attempts beyond the limit get a 429 with Retry-After until the window ends', () => {
  const { now, pass } = clock()
  const limit = createRateLimit(2, 60, now)
  limit.count('a')
  limit.count('a')
  pass(20)
  assert.throws(() => limit.count('a'), refused('40'))
  limit.count('b')
  pass(40)
  limit.count('a')
})

test('a refunded attempt does not count', () => {
  const { now } = clock()
  const limit = createRateLimit(1, 60, now)
  for (let round = 0; round < 5; round += 1) {
    limit.count('a')
    limit.refund('a')
  }
  limit.count('a')
  assert.throws(() => limit.count('a'), refused('60'))
})

test('all addresses of an IPv6 /64 network share one limit', () => {
  const keys = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:0:0:9', '2001:db8:0001:0002::'].map(rateLimitKeyOf)
  assert.equal(new Set(keys).size, 1)
  assert.notEqual(rateLimitKeyOf('2001:db8:1:3::1'), keys[0])
  assert.equal(rateLimitKeyOf('::ffff:192.0.2.1'), rateLimitKeyOf('192.0.2.1'))
  assert.notEqual(rateLimitKeyOf('192.0.2.1'), rateLimitKeyOf('192.0.2.2'))
  assert.equal(rateLimitKeyOf('::1'), 'address:0:0:0:0::/64')
})

test('processes of one server share their counts', () => {
  const { now } = clock()
  const limits = new Map<string, ((key: string, by: number) => void)[]>()
  const counts: SharedCounts = {
    connect(limit, hear) {
      const all = limits.get(limit) ?? []
      limits.set(limit, all)
      all.push(hear)
      return (key, by) => {
        for (const other of all) if (other !== hear) other(key, by)
      }
    },
  }
  const [one, other] = [1, 2].map(() => createRateLimit(2, 60, now, { name: 'sign-in', counts }))
  const unlike = createRateLimit(2, 60, now, { name: 'another', counts })
  one?.count('a')
  other?.count('a')
  for (const limit of [one, other]) assert.throws(() => limit?.count('a'), refused('60'))
  other?.refund('a')
  one?.count('a')
  assert.throws(() => other?.count('a'), refused('60'))
  unlike.count('a')
})

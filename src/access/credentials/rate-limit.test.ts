import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { addressKey, createLimit, type SharedCounts } from './rate-limit.ts'

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

test('an IPv6 caller cannot escape by changing the part of the address that is theirs to change', () => {
  const keys = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:0:0:9', '2001:db8:0001:0002::'].map(addressKey)
  assert.equal(new Set(keys).size, 1)
  assert.notEqual(addressKey('2001:db8:1:3::1'), keys[0])
  assert.equal(addressKey('::ffff:192.0.2.1'), addressKey('192.0.2.1'))
  assert.notEqual(addressKey('192.0.2.1'), addressKey('192.0.2.2'))
  assert.equal(addressKey('::1'), 'address:0:0:0:0::/64')
})

test('attempts at other processes of the same server count here too, and those here count there', () => {
  const { now } = clock()
  const limits = new Map<string, ((key: string, by: number) => void)[]>()
  const counts: SharedCounts = {
    join(limit, hear) {
      const all = limits.get(limit) ?? []
      limits.set(limit, all)
      all.push(hear)
      return (key, by) => {
        for (const other of all) if (other !== hear) other(key, by)
      }
    },
  }
  const [one, other] = [1, 2].map(() => createLimit(2, 60, now, { name: 'sign-in', counts }))
  const unlike = createLimit(2, 60, now, { name: 'another', counts })
  one?.take('a')
  other?.take('a')
  for (const limit of [one, other]) assert.throws(() => limit?.take('a'), refused('60'))
  other?.giveBack('a')
  one?.take('a')
  assert.throws(() => other?.take('a'), refused('60'))
  unlike.take('a')
})

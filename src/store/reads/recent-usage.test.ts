import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRecentUsage } from './recent-usage.ts'

describe('recent usage', () => {
  it('adds up, and halves with each half-life', () => {
    let now = 0
    const usage = createRecentUsage(1_000, () => now)
    usage.add('a', 300)
    usage.add('a', 100)
    assert.deepEqual([usage.of('a'), usage.of('b')], [400, 0])
    now = 1_000
    assert.equal(usage.of('a'), 200)
    usage.add('a', 50)
    now = 2_000
    assert.equal(usage.of('a'), 125)
  })

  it('remembers the callers that use the most, and a limited number of them', () => {
    const usage = createRecentUsage(1_000, () => 0)
    usage.add('attacker', 2_000)
    for (let caller = 0; caller < 5_000; caller++) usage.add(`caller ${caller}`, 1)
    assert.equal(usage.of('attacker'), 2_000)
    assert.equal(usage.of('caller 0'), 0)
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createSizedCache } from './sized-cache.ts'

it('long keys and large values evict more entries than short ones', () => {
  const removed: string[] = []
  const cache = createSizedCache<{ readonly bytes: number }>({
    maxBytes: 10_000,
    bytesOf: ({ bytes }) => bytes,
    onRemove: (_, key) => removed.push(key),
  })
  for (const key of ['a', 'b', 'c']) cache.set(key, { bytes: 800 })
  for (let number = 0; number < 7; number++) cache.set(`${number}${'x'.repeat(499)}`, { bytes: 0 })
  // 3 × 1,002 and 7 × 1,200 bytes.
  assert.deepEqual(removed, ['a', 'b'])
})

it('an entry that would take much of the cache is not stored, and evicts nothing', () => {
  const cache = createSizedCache<{ readonly bytes: number }>({
    maxBytes: 10_000,
    bytesOf: ({ bytes }) => bytes,
  })
  cache.set('small', { bytes: 10 })
  cache.set('large', { bytes: 5_000 })
  assert.deepEqual([cache.has('small'), cache.has('large')], [true, false])
})

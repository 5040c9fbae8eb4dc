import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createOpenRequests } from './open-requests.ts'

test('contains what was added and not removed, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat())), (steps) => {
      const underWay = createOpenRequests<number>()
      const expected = new Map<number, () => void>()
      let next = 0
      for (const which of steps) {
        const present = [...expected]
        const [item, takeOut] = (which !== null && present[which % present.length]) || []
        if (item === undefined || !takeOut) expected.set(next, underWay.add(next++))
        else {
          takeOut()
          takeOut()
          expected.delete(item)
        }
        assert.equal(underWay.size, expected.size)
        assert.deepEqual([...underWay].sort(), [...expected.keys()].sort())
      }
    }),
  )
})

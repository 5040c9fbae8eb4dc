import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { areaOf, type Crop, focalPointAfter } from './crop.ts'

const crops: fc.Arbitrary<Crop> = fc
  .tuple(
    fc.double({ min: 0, max: 99, noNaN: true }),
    fc.double({ min: 0, max: 99, noNaN: true }),
    fc.double({ min: 0.01, max: 1, noNaN: true }),
    fc.double({ min: 0.01, max: 1, noNaN: true }),
  )
  .map(([x, y, w, h]) => ({ x, y, width: (100 - x) * w, height: (100 - y) * h }))

test('the pixels of a crop lie in the image, and are at least one', () => {
  const pixels = fc.integer({ min: 1, max: 10_000 })
  fc.assert(
    fc.property(crops, pixels, pixels, (crop, width, height) => {
      const area = areaOf(crop, { width, height })
      assert.ok(area.width >= 1 && area.height >= 1)
      assert.ok(area.left >= 0 && area.left + area.width <= width)
      assert.ok(area.top >= 0 && area.top + area.height <= height)
    }),
  )
})

test('the whole image is cropped to all of its pixels', () => {
  const whole = { x: 0, y: 0, width: 100, height: 100 }
  assert.deepEqual(areaOf(whole, { width: 7, height: 3 }), { left: 0, top: 0, width: 7, height: 3 })
})

test('a focal point inside a crop is the same place again when the crop is undone', () => {
  const percent = fc.integer({ min: 0, max: 100 })
  fc.assert(
    fc.property(percent, percent, (x, y) => {
      const crop = { x: 20, y: 10, width: 50, height: 80 }
      const back = focalPointAfter({ x, y }, crop, null)
      assert.deepEqual(focalPointAfter(back, null, crop), { x, y })
    }),
  )
})

test('a focal point outside a crop is lost', () => {
  const crop = { x: 50, y: 0, width: 50, height: 100 }
  assert.equal(focalPointAfter({ x: 49, y: 0 }, null, crop), null)
  assert.equal(focalPointAfter(null, null, crop), null)
})

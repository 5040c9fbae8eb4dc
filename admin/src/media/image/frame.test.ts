import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Crop } from '../../api/types.ts'
import { frameOfRatio, type Handle, moveFrame, resizeFrame, toCropped, toOriginal, WHOLE } from './frame.ts'

const percent = fc.double({ min: -150, max: 150, noNaN: true })
const frames: fc.Arbitrary<Crop> = fc
  .tuple(
    fc.double({ min: 0, max: 90, noNaN: true }),
    fc.double({ min: 0, max: 90, noNaN: true }),
    fc.double({ min: 0.3, max: 1, noNaN: true }),
    fc.double({ min: 0.3, max: 1, noNaN: true }),
  )
  .map(([x, y, w, h]) => ({ x, y, width: (100 - x) * w, height: (100 - y) * h }))
const side = fc.constantFrom<-1 | 0 | 1>(-1, 0, 1)
const handles: fc.Arbitrary<Handle> = fc.record({ h: side, v: side }).filter(({ h, v }) => h !== 0 || v !== 0)

function assertInside({ x, y, width, height }: Crop) {
  const tolerance = 1e-6
  assert.ok(width > 0 && height > 0)
  assert.ok(x >= -tolerance && y >= -tolerance, `${x} ${y}`)
  assert.ok(x + width <= 100 + tolerance && y + height <= 100 + tolerance)
}

test('a frame stays inside the image, however it is moved or resized', () => {
  const ratios = fc.option(fc.double({ min: 0.2, max: 5, noNaN: true }))
  fc.assert(
    fc.property(frames, handles, percent, percent, ratios, (frame, handle, dx, dy, ratio) => {
      assertInside(moveFrame(frame, dx, dy))
      const resized = resizeFrame(frame, handle, dx, dy, ratio)
      assertInside(resized)
      if (ratio !== null) assert.ok(Math.abs(resized.width / resized.height - ratio) < 1e-6 * ratio + 1e-6)
    }),
  )
})

test('the side opposite to the handle stays where it is', () => {
  const frame = { x: 20, y: 20, width: 40, height: 40 }
  const resized = resizeFrame(frame, { h: -1, v: 0 }, 10, 7, null)
  assert.deepEqual(resized, { x: 30, y: 20, width: 30, height: 40 })
})

test('a shape is the largest frame around the centre of the one before', () => {
  assert.deepEqual(frameOfRatio(WHOLE, 0.5), { x: 25, y: 0, width: 50, height: 100 })
  const right = { x: 80, y: 0, width: 20, height: 100 }
  assert.deepEqual(frameOfRatio(right, 0.5), { x: 50, y: 0, width: 50, height: 100 })
})

test('a focal point is the same place in the original and in the cropped image', () => {
  const frame = { x: 50, y: 0, width: 50, height: 100 }
  assert.deepEqual(toOriginal({ x: 50, y: 20 }, frame), { x: 75, y: 20 })
  assert.deepEqual(toCropped({ x: 75, y: 20 }, frame), { x: 50, y: 20 })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { svgSize } from './svg.ts'

test('the size of an SVG is read from its opening tag', () => {
  assert.deepEqual(svgSize('<svg width="40" height="30px">'), { width: 40, height: 30 })
  assert.deepEqual(svgSize("<?xml?><svg height='1in' width='2.54cm'>"), { width: 96, height: 96 })
  assert.deepEqual(svgSize('<svg viewBox="0 0 24 12">'), { width: 24, height: 12 })
  assert.deepEqual(svgSize('<svg width="48" viewBox="0,0,24,12">'), { width: 48, height: 24 })
})

test('an SVG without a size in pixels has none', () => {
  assert.equal(svgSize('<svg>'), null)
  assert.equal(svgSize('<svg width="100%" height="100%">'), null)
  assert.equal(svgSize('<svg width="-4" height="1e999" viewBox="0 0 -1 0">'), null)
  assert.equal(svgSize('no drawing'), null)
})

test('an SVG of unclosed tags takes linear time', () => {
  const start = performance.now()
  assert.equal(svgSize('<svg'.repeat(250_000)), null)
  assert.equal(svgSize(`<svg${' width="'.repeat(250_000)}>`), null)
  assert.ok(performance.now() - start < 2_000)
})

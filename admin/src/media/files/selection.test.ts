import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extendTo, movedIndex, NOTHING, selectAll, toggle } from './selection.ts'

const shown = ['a', 'b', 'c', 'd', 'e']

test('a file is added to the selection and removed from it', () => {
  const one = toggle(NOTHING, 'b')
  assert.deepEqual([...one.ids], ['b'])
  assert.deepEqual([...toggle(one, 'b').ids], [])
})

test('a range goes from the last file that was selected to another one, in either direction', () => {
  assert.deepEqual([...extendTo(toggle(NOTHING, 'b'), 'd', shown).ids], ['b', 'c', 'd'])
  assert.deepEqual([...extendTo(toggle(NOTHING, 'd'), 'b', shown).ids].sort(), ['b', 'c', 'd'])
  const kept = extendTo(toggle(toggle(NOTHING, 'a'), 'c'), 'd', shown)
  assert.deepEqual([...kept.ids], ['a', 'c', 'd'])
})

test('without a start, or with one that is no longer shown, the range is the file itself', () => {
  assert.deepEqual([...extendTo(NOTHING, 'c', shown).ids], ['c'])
  assert.deepEqual([...extendTo({ ids: new Set(), anchor: 'gone' }, 'c', shown).ids], ['c'])
})

test('all that is shown can be selected', () => {
  assert.deepEqual([...selectAll(shown).ids], shown)
})

test('arrow keys move in rows and columns and stop at the edges', () => {
  assert.equal(movedIndex('ArrowRight', 0, 3, 5), 1)
  assert.equal(movedIndex('ArrowDown', 0, 3, 5), 3)
  assert.equal(movedIndex('ArrowDown', 3, 3, 5), 3)
  assert.equal(movedIndex('ArrowUp', 4, 3, 5), 1)
  assert.equal(movedIndex('ArrowLeft', 0, 3, 5), 0)
  assert.equal(movedIndex('End', 1, 3, 5), 4)
  assert.equal(movedIndex('Home', 3, 3, 5), 0)
  assert.equal(movedIndex('x', 3, 3, 5), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turn-queue.ts'

function turns() {
  const granted: string[] = []
  return { granted, ...createTurns<string>((who) => void granted.push(who)) }
}

test('one has the turn at a time, in the order of asking', () => {
  const { granted, ask, give } = turns()
  for (const who of ['a', 'b', 'c']) ask(who)
  assert.deepEqual(granted, ['a'])
  give('a')
  ask('a')
  give('b')
  assert.deepEqual(granted, ['a', 'b', 'c'])
  give('c')
  assert.deepEqual(granted, ['a', 'b', 'c', 'a'])
})

test('only the one who has the turn can give it back', () => {
  const { granted, ask, give } = turns()
  ask('a')
  ask('b')
  give('b')
  give('c')
  assert.deepEqual(granted, ['a'])
})

test('who leaves gives back the turn, and waits for it no longer', () => {
  const { granted, ask, leave } = turns()
  for (const who of ['a', 'b', 'c']) ask(who)
  leave('b')
  leave('a')
  assert.deepEqual(granted, ['a', 'c'])
  leave('c')
  ask('d')
  assert.deepEqual(granted, ['a', 'c', 'd'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLockQueue } from './write-lock-queue.ts'

function createQueue() {
  const granted: string[] = []
  return { granted, ...createLockQueue<string>((holder) => void granted.push(holder)) }
}

test('the lock has one holder at a time and is granted in the order of requests', () => {
  const { granted, request, release } = createQueue()
  for (const holder of ['a', 'b', 'c']) request(holder)
  assert.deepEqual(granted, ['a'])
  release('a')
  request('a')
  release('b')
  assert.deepEqual(granted, ['a', 'b', 'c'])
  release('c')
  assert.deepEqual(granted, ['a', 'b', 'c', 'a'])
})

test('only the holder can release the lock', () => {
  const { granted, request, release } = createQueue()
  request('a')
  request('b')
  release('b')
  release('c')
  assert.deepEqual(granted, ['a'])
})

test('a removed holder releases the lock and leaves the queue', () => {
  const { granted, request, remove } = createQueue()
  for (const holder of ['a', 'b', 'c']) request(holder)
  remove('b')
  remove('a')
  assert.deepEqual(granted, ['a', 'c'])
  remove('c')
  request('d')
  assert.deepEqual(granted, ['a', 'c', 'd'])
})

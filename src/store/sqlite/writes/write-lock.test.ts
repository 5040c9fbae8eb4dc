import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWriteLock } from './write-lock.ts'

test('the lock is acquired in the order of the calls, each time with the shared lock', async () => {
  const events: string[] = []
  const shared = {
    acquire: async () => void events.push('acquire'),
    release: () => void events.push('release'),
  }
  const lock = createWriteLock(shared, 1_000)
  await lock.acquire()
  const later = ['a', 'b'].map((name) => lock.acquire().then(() => void events.push(name)))
  lock.release()
  await later[0]
  lock.release()
  await later[1]
  lock.release()
  assert.deepEqual(events, ['acquire', 'release', 'acquire', 'a', 'release', 'acquire', 'b', 'release'])
})

test('a lock that is not free in time is refused, and not given to a caller that has left', async () => {
  const lock = createWriteLock(null, 20)
  await lock.acquire()
  await assert.rejects(lock.acquire(), { status: 503, headers: { 'retry-after': '1' } })
  lock.release()
  await lock.acquire()
})

test('a lock is free again in this process when the shared one cannot be acquired', async () => {
  let refuses = true
  const shared = {
    async acquire() {
      if (refuses) throw new Error('not yours')
    },
    release: () => {},
  }
  const lock = createWriteLock(shared, 1_000)
  await assert.rejects(lock.acquire(), /not yours/)
  refuses = false
  await lock.acquire()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWriteLock } from './write-lock.ts'

test('turns come in the order of asking, each within one among processes', async () => {
  const events: string[] = []
  const among = { acquire: async () => void events.push('take'), release: () => void events.push('give') }
  const turn = createWriteLock(among, 1_000)
  await turn.acquire()
  const later = ['a', 'b'].map((name) => turn.acquire().then(() => void events.push(name)))
  turn.release()
  await later[0]
  turn.release()
  await later[1]
  turn.release()
  assert.deepEqual(events, ['take', 'give', 'take', 'a', 'give', 'take', 'b', 'give'])
})

test('a turn that does not come in time is refused, and not given to who has left', async () => {
  const turn = createWriteLock(null, 20)
  await turn.acquire()
  await assert.rejects(turn.acquire(), { status: 503, headers: { 'retry-after': '1' } })
  turn.release()
  await turn.acquire()
})

test('a turn that others do not give is free again in this process', async () => {
  let refuses = true
  const among = {
    async acquire() {
      if (refuses) throw new Error('not yours')
    },
    release: () => {},
  }
  const turn = createWriteLock(among, 1_000)
  await assert.rejects(turn.acquire(), /not yours/)
  refuses = false
  await turn.acquire()
})

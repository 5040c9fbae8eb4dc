import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('turns come in the order of asking, each within one among processes', async () => {
  const events: string[] = []
  const among = { take: async () => void events.push('take'), give: () => void events.push('give') }
  const turn = createTurns(among, 1_000)
  await turn.take()
  const later = ['a', 'b'].map((name) => turn.take().then(() => void events.push(name)))
  turn.give()
  await later[0]
  turn.give()
  await later[1]
  turn.give()
  assert.deepEqual(events, ['take', 'give', 'take', 'a', 'give', 'take', 'b', 'give'])
})

test('a turn that does not come in time is refused, and not given to who has left', async () => {
  const turn = createTurns(null, 20)
  await turn.take()
  await assert.rejects(turn.take(), { status: 503, headers: { 'retry-after': '1' } })
  turn.give()
  await turn.take()
})

test('a turn that others do not give is free again in this process', async () => {
  let refuses = true
  const among = {
    async take() {
      if (refuses) throw new Error('not yours')
    },
    give: () => {},
  }
  const turn = createTurns(among, 1_000)
  await assert.rejects(turn.take(), /not yours/)
  refuses = false
  await turn.take()
})

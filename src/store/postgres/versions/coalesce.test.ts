import assert from 'node:assert/strict'
import { it } from 'node:test'
import { coalesce } from './coalesce.ts'

it('the names of calls that are made while one is in progress are sent together', async () => {
  const sent: string[][] = []
  const call = coalesce(async (names) => {
    sent.push([...names])
    await null
    return sent.length
  })
  const first = call(['a'])
  await null
  assert.deepEqual(await Promise.all([first, call(['b']), call(['b', 'c'])]), [1, 2, 2])
  assert.deepEqual(sent, [['a'], ['b', 'c']])
})

it('a call that fails does not fail those after it', async () => {
  let calls = 0
  const call = coalesce(async () => {
    if (++calls === 1) throw new Error('the disk is full')
    return calls
  })
  await assert.rejects(call(['a']), /the disk is full/)
  assert.equal(await call(['a']), 2)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import { createFairShare, type FairShareOptions } from './fair-share.ts'

const callerNamed = (name: string) => ({ caller: () => name, isDisconnected: () => false })

/** Tasks that run until they are ended by name, and the order in which they started. */
function open(options: Partial<FairShareOptions> = {}) {
  const share = createFairShare({
    size: 2,
    maxWaiting: 100,
    waitTimeout: 60_000,
    ...options,
  })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const add = (caller: string, name: string) =>
    share.run(callerNamed(caller), () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { share, started, add, end }
}

const isRefused = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError &&
  error.status === 503 &&
  error.headers['retry-after'] === '1' &&
  message.test(error.message)

describe('a fair share', () => {
  it('leaves a slot for others, however many tasks one caller has', async () => {
    const { started, add, end } = open()
    const tasks = [add('a', 'a1'), add('a', 'a2'), add('b', 'b1')]
    assert.deepEqual(started, ['a1', 'b1'])
    await end('b1')
    assert.deepEqual(started, ['a1', 'b1'])
    await end('a1')
    assert.deepEqual(started, ['a1', 'b1', 'a2'])
    await end('a2')
    assert.deepEqual(await Promise.all(tasks), ['a1', 'a2', 'b1'])
  })

  it('gives free slots to the waiting callers in turn', async () => {
    const { started, add, end } = open({ size: 1 })
    const tasks = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => add(name.charAt(0), name))
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) {
      assert.equal(started.at(-1), name)
      await end(name)
    }
    await Promise.all(tasks)
  })

  it('gives the next slot to the caller that has used the least', async () => {
    const { started, add, end } = open({ size: 1 })
    const tasks = [add('a', 'a1')]
    await sleep(20)
    tasks.push(add('a', 'a2'), add('b', 'b1'))
    await end('a1')
    assert.equal(started.at(-1), 'b1')
    tasks.push(add('b', 'b2'), add('c', 'c1'))
    for (const name of ['b1', 'c1', 'b2']) {
      assert.equal(started.at(-1), name)
      await end(name)
    }
    assert.equal(started.at(-1), 'a2')
    await end('a2')
    await Promise.all(tasks)
  })

  it('refuses a task that has waited for too long, and only that', async () => {
    const { share, started, add, end } = open({ waitTimeout: 5 })
    const first = add('a', 'a1')
    await assert.rejects(add('a', 'a2'), isRefused(/slow reads of this caller/))
    const other = add('b', 'b1')
    assert.deepEqual(started, ['a1', 'b1'])
    assert.deepEqual([share.open, share.rejected], [2, 1])
    await end('a1')
    await end('b1')
    await Promise.all([first, other])
    assert.equal(share.open, 0)
  })

  it('refuses tasks immediately when too many are waiting', async () => {
    const { add, end, started } = open({ size: 1, maxWaiting: 4 })
    const tasks = ['a1', 'a2', 'a3'].map((name) => add('a', name))
    // One caller can fill only half of the places.
    await assert.rejects(add('a', 'a4'), isRefused(/slow reads of this caller/))
    tasks.push(add('b', 'b1'))
    await assert.rejects(add('c', 'c1'), isRefused(/Too many slow reads are waiting/))
    for (const name of ['a1', 'b1', 'a2', 'a3']) await end(name)
    await Promise.all(tasks)
    assert.deepEqual(started, ['a1', 'b1', 'a2', 'a3'])
  })

  it('does not run a task whose client has disconnected while it waited', async () => {
    const { share, started, add, end } = open({ size: 1 })
    const first = add('a', 'a1')
    let isDisconnected = false
    const second = share.run({ caller: () => 'b', isDisconnected: () => isDisconnected }, async () =>
      assert.fail('it runs'),
    )
    const refused = assert.rejects(second, isRefused(/disconnected/))
    isDisconnected = true
    const third = add('c', 'c1')
    await end('a1')
    await refused
    await nextTurn()
    assert.deepEqual(started, ['a1', 'c1'])
    await end('c1')
    await Promise.all([first, third])
    assert.equal(share.open, 0)
  })

  it('frees the slot of a task that fails', async () => {
    const { share, add, started } = open({ size: 1 })
    await assert.rejects(
      share.run(callerNamed('a'), async () => {
        throw new Error('failed')
      }),
      /failed/,
    )
    void add('a', 'a1')
    assert.deepEqual(started, ['a1'])
  })
})

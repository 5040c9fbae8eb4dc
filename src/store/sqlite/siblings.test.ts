import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { makeSiblings, openSiblings, type Siblings } from './siblings.ts'

describe('processes of one server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-siblings-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  let path = ''
  let one: Siblings
  let other: Siblings
  beforeEach(() => {
    path = join(folder, `${++files}`)
    makeSiblings(path, 4)
    one = openSiblings(path, 0)
    other = openSiblings(path, 3)
  })
  const stateOf = async (siblings: Siblings) => {
    await turn()
    return siblings.state()
  }

  test('know that another has announced something before it arrives', async () => {
    const mark = one.begin()
    assert.equal(await stateOf(other), 'heard')
    one.end(true)
    assert.deepEqual([await stateOf(other), await stateOf(one)], ['behind', 'heard'])
    other.heard(mark)
    assert.equal(await stateOf(other), 'heard')
  })

  test('take an announcement that arrives first for what it is', async () => {
    other.heard(one.begin())
    one.end(true)
    assert.equal(await stateOf(other), 'heard')
  })

  test('trust nothing while one could not announce what it wrote', async () => {
    one.begin()
    one.end(false)
    assert.equal(await stateOf(other), 'unknown')
    const mark = one.begin()
    one.end(true)
    assert.equal(await stateOf(other), 'behind')
    other.heard(mark)
    assert.equal(await stateOf(other), 'heard')
  })

  test('count on from where the one before in the same place has stopped', async () => {
    const marks = [one.begin()]
    one.end(true)
    one.begin()
    one.end(false)
    other.heard(marks[0] ?? '')
    one = openSiblings(path, 0)
    assert.deepEqual([one.owes, other.owes], [true, false])
    assert.equal(await stateOf(other), 'unknown')
    const mark = one.begin()
    one.end(true)
    assert.equal(await stateOf(other), 'behind')
    other.heard(mark)
    assert.equal(await stateOf(other), 'heard')
    assert.equal(openSiblings(path, 0).owes, false)
  })

  test('count everything as arrived when they begin to listen', async () => {
    one.begin()
    one.end(true)
    assert.equal(await stateOf(other), 'behind')
    other.heardAll()
    assert.equal(await stateOf(other), 'heard')
  })

  test('do not mind what other servers announce', async () => {
    const strange = join(folder, 'strange')
    makeSiblings(strange, 4)
    const stranger = openSiblings(strange, 0)
    const mark = stranger.begin()
    one.begin()
    one.end(true)
    other.heard(mark)
    other.heard('')
    assert.equal(await stateOf(other), 'behind')
  })
})

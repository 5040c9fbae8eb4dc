import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createSiblingsFile, openSiblingsFile, type SiblingProcesses } from './sibling-processes.ts'

describe('processes of one server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-siblings-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  let path = ''
  let one: SiblingProcesses
  let other: SiblingProcesses
  beforeEach(() => {
    path = join(folder, `${++files}`)
    createSiblingsFile(path, 4)
    one = openSiblingsFile(path, 0)
    other = openSiblingsFile(path, 3)
  })
  const stateOf = async (siblings: SiblingProcesses) => {
    await turn()
    return siblings.state()
  }

  test('know that another has announced something before it arrives', async () => {
    const mark = one.beginAnnouncement()
    assert.equal(await stateOf(other), 'heard')
    one.endAnnouncement(true)
    assert.deepEqual([await stateOf(other), await stateOf(one)], ['behind', 'heard'])
    other.noteReceived(mark)
    assert.equal(await stateOf(other), 'heard')
  })

  test('take an announcement that arrives first for what it is', async () => {
    other.noteReceived(one.beginAnnouncement())
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'heard')
  })

  test('trust nothing while one could not announce what it wrote', async () => {
    one.beginAnnouncement()
    one.endAnnouncement(false)
    assert.equal(await stateOf(other), 'unknown')
    const mark = one.beginAnnouncement()
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'behind')
    other.noteReceived(mark)
    assert.equal(await stateOf(other), 'heard')
  })

  test('count on from where the one before in the same place has stopped', async () => {
    const marks = [one.beginAnnouncement()]
    one.endAnnouncement(true)
    one.beginAnnouncement()
    one.endAnnouncement(false)
    other.noteReceived(marks[0] ?? '')
    one = openSiblingsFile(path, 0)
    assert.deepEqual([one.hasUnannounced, other.hasUnannounced], [true, false])
    assert.equal(await stateOf(other), 'unknown')
    const mark = one.beginAnnouncement()
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'behind')
    other.noteReceived(mark)
    assert.equal(await stateOf(other), 'heard')
    assert.equal(openSiblingsFile(path, 0).hasUnannounced, false)
  })

  test('count everything as arrived when they begin to listen', async () => {
    one.beginAnnouncement()
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'behind')
    other.noteAllReceived()
    assert.equal(await stateOf(other), 'heard')
  })

  test('do not mind what other servers announce', async () => {
    const strange = join(folder, 'strange')
    createSiblingsFile(strange, 4)
    const stranger = openSiblingsFile(strange, 0)
    const mark = stranger.beginAnnouncement()
    one.beginAnnouncement()
    one.endAnnouncement(true)
    other.noteReceived(mark)
    other.noteReceived('')
    assert.equal(await stateOf(other), 'behind')
  })
})

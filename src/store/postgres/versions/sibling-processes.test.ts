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

  test('know of an announcement by another one before they receive it', async () => {
    const mark = one.beginAnnouncement()
    assert.equal(await stateOf(other), 'current')
    one.endAnnouncement(true)
    assert.deepEqual([await stateOf(other), await stateOf(one)], ['behind', 'current'])
    other.noteReceived(mark)
    assert.equal(await stateOf(other), 'current')
  })

  test('accept an announcement that they receive before it is counted', async () => {
    other.noteReceived(one.beginAnnouncement())
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'current')
  })

  test('are in an unknown state while one could not announce a write', async () => {
    one.beginAnnouncement()
    one.endAnnouncement(false)
    assert.equal(await stateOf(other), 'unknown')
    const mark = one.beginAnnouncement()
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'behind')
    other.noteReceived(mark)
    assert.equal(await stateOf(other), 'current')
  })

  test('continue with the count of the previous process in the same slot', async () => {
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
    assert.equal(await stateOf(other), 'current')
    assert.equal(openSiblingsFile(path, 0).hasUnannounced, false)
  })

  test('count everything as received when they start to listen', async () => {
    one.beginAnnouncement()
    one.endAnnouncement(true)
    assert.equal(await stateOf(other), 'behind')
    other.noteAllReceived()
    assert.equal(await stateOf(other), 'current')
  })

  test('ignore the announcements of other servers', async () => {
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

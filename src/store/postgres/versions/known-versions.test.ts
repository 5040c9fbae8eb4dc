import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKnownVersions, EVERYTHING } from './known-versions.ts'
import { parsePosition, positionText, UNKNOWN_POSITION } from './position.ts'

describe('the known version of a table', () => {
  const changes = (known: ReturnType<typeof createKnownVersions>, table: string, work: () => void) => {
    const before = known.tableVersion(table)
    work()
    return known.tableVersion(table) !== before
  }

  test('changes with a write to it and not with others', () => {
    const known = createKnownVersions()
    assert.ok(changes(known, 'a', () => known.noteOwnWrite(['a'])))
    assert.ok(changes(known, 'a', () => known.noteOtherWrite(['a', 'b'], 7)))
    assert.ok(!changes(known, 'a', () => known.noteOtherWrite(['b'], 8)))
    assert.ok(changes(known, 'c', () => known.noteOtherWrite([EVERYTHING], 9)))
  })

  test('requires an unknown position after an own write that is not confirmed yet', () => {
    const known = createKnownVersions()
    known.noteOwnWrite(['a'])
    assert.equal(known.requiredPosition(['a', 'b']), UNKNOWN_POSITION)
    assert.equal(known.requiredPosition(['b']), 0)
  })

  test('requires the position of the last write by any process', () => {
    const known = createKnownVersions()
    known.noteOtherWrite(['a'], 10)
    known.noteOwnWrite(['a'])
    const version = known.globalVersion()
    known.noteOtherWrite(['a'], 20)
    known.confirmPosition(['a'], version, 15)
    assert.equal(known.requiredPosition(['a']), 20)
    assert.equal(known.requiredPosition(['a', 'b']), 20)
  })

  test('requires an unknown position when there was another write after the confirmed one', () => {
    const known = createKnownVersions()
    known.noteOwnWrite(['a'])
    const version = known.globalVersion()
    known.noteOwnWrite(['a'])
    known.confirmPosition(['a'], version, 10)
    assert.equal(known.requiredPosition(['a']), UNKNOWN_POSITION)
    known.confirmPosition(['a'], known.globalVersion(), 12)
    assert.equal(known.requiredPosition(['a']), 12)
  })

  test('also requires the position of the last change of the model', () => {
    const known = createKnownVersions()
    known.noteOtherWrite(['octavo_meta'], 30)
    assert.equal(known.requiredPosition(['a']), 30)
  })

  test('keeps later positions when everything may have changed', () => {
    const known = createKnownVersions()
    known.noteOtherWrite(['a'], 10)
    known.noteOtherWrite(['b'], 50)
    known.noteOwnWrite(['c'])
    for (const table of ['a', 'b', 'c', 'd'])
      assert.ok(
        changes(known, table, () => known.reset(20)),
        table,
      )
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((table) => known.requiredPosition([table])),
      [20, 50, UNKNOWN_POSITION, 20],
    )
  })

  test('requires an unknown position after an own write to everything, until that is confirmed', () => {
    const known = createKnownVersions()
    known.noteOtherWrite(['a'], 10)
    const early = known.globalVersion()
    known.noteOwnWrite([EVERYTHING])
    known.confirmPosition([EVERYTHING], early, 11)
    known.noteOtherWrite([EVERYTHING], 12)
    assert.equal(known.requiredPosition(['a']), UNKNOWN_POSITION)
    known.confirmPosition([EVERYTHING], known.globalVersion(), 13)
    assert.equal(known.requiredPosition(['a']), 13)
  })
})

test('a position is parsed as it is written, and other text is not a position', () => {
  for (const text of ['0/0', '0/16B3748', 'A/FF', '1FFFFF/FFFFFFFF'])
    assert.equal(positionText(parsePosition(text) ?? -1), text)
  assert.ok((parsePosition('1/0') ?? 0) > (parsePosition('0/FFFFFFFF') ?? 0))
  for (const text of [
    '',
    '1',
    '1/',
    '/1',
    'x/1',
    '1/1/1',
    ' 1/1',
    '123456789/0',
    'FFFFFFFF/FFFFFFFF',
    7,
    null,
  ])
    assert.equal(parsePosition(text), null, String(text))
})

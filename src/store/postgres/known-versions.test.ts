import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKnown, EVERYTHING } from './known-versions.ts'
import { parsePosition, positionText, UNKNOWN_POSITION } from './position.ts'

describe('what is known of a table', () => {
  const changes = (known: ReturnType<typeof createKnown>, table: string, work: () => void) => {
    const before = known.versionOf(table)
    work()
    return known.versionOf(table) !== before
  }

  test('changes with a write to it and not with others', () => {
    const known = createKnown()
    assert.ok(changes(known, 'a', () => known.wrote(['a'])))
    assert.ok(changes(known, 'a', () => known.heard(['a', 'b'], 7)))
    assert.ok(!changes(known, 'a', () => known.heard(['b'], 8)))
    assert.ok(changes(known, 'c', () => known.heard([EVERYTHING], 9)))
  })

  test('needs no position that nobody has told', () => {
    const known = createKnown()
    known.wrote(['a'])
    assert.equal(known.neededFor(['a', 'b']), UNKNOWN_POSITION)
    assert.equal(known.neededFor(['b']), 0)
  })

  test('needs the position of the last write, whoever made it', () => {
    const known = createKnown()
    known.heard(['a'], 10)
    known.wrote(['a'])
    const moment = known.moment()
    known.heard(['a'], 20)
    known.settle(['a'], moment, 15)
    assert.equal(known.neededFor(['a']), 20)
    assert.equal(known.neededFor(['a', 'b']), 20)
  })

  test('stays unknown when it was written to after the position was asked for', () => {
    const known = createKnown()
    known.wrote(['a'])
    const moment = known.moment()
    known.wrote(['a'])
    known.settle(['a'], moment, 10)
    assert.equal(known.neededFor(['a']), UNKNOWN_POSITION)
    known.settle(['a'], known.moment(), 12)
    assert.equal(known.neededFor(['a']), 12)
  })

  test('needs the model that the tables belong to', () => {
    const known = createKnown()
    known.heard(['octavo_meta'], 30)
    assert.equal(known.neededFor(['a']), 30)
  })

  test('forgets nothing newer when everything may have changed', () => {
    const known = createKnown()
    known.heard(['a'], 10)
    known.heard(['b'], 50)
    known.wrote(['c'])
    for (const table of ['a', 'b', 'c', 'd'])
      assert.ok(
        changes(known, table, () => known.startAnew(20)),
        table,
      )
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((table) => known.neededFor([table])),
      [20, 50, UNKNOWN_POSITION, 20],
    )
  })

  test('is doubted as a whole until a position behind the doubt is known', () => {
    const known = createKnown()
    known.heard(['a'], 10)
    const early = known.moment()
    known.wrote([EVERYTHING])
    known.settle([EVERYTHING], early, 11)
    known.heard([EVERYTHING], 12)
    assert.equal(known.neededFor(['a']), UNKNOWN_POSITION)
    known.settle([EVERYTHING], known.moment(), 13)
    assert.equal(known.neededFor(['a']), 13)
  })
})

test('positions read as they are written, and anything else is none', () => {
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

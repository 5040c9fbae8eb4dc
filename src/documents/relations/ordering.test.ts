import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ListPosition } from './operation.ts'
import { connect, disconnect, type PositionedItem, replace } from './ordering.ts'

const keysOf = (list: readonly PositionedItem[] | null) => list?.map(({ key }) => key) ?? null
const list = (...keys: string[]) => keys.map((key, index) => ({ key, position: index + 1 }))
const isOrdered = (placed: readonly PositionedItem[]) =>
  placed.every((one, index) => index === 0 || one.position > (placed[index - 1]?.position ?? 0))

/** The same operations on a plain list of keys. */
function naive(names: readonly string[], name: string, place: ListPosition<string>): string[] | null {
  const others = names.filter((one) => one !== name)
  if (place.kind === 'start') return [name, ...others]
  if (place.kind === 'before' || place.kind === 'after') {
    const anchor = others.indexOf(place.anchor)
    return anchor === -1 ? null : others.toSpliced(place.kind === 'before' ? anchor : anchor + 1, 0, name)
  }
  return [...others, name]
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const place: fc.Arbitrary<ListPosition<string>> = fc.oneof(
  fc.record({ kind: fc.constantFrom('start' as const, 'end' as const) }),
  fc.record({ kind: fc.constantFrom('before' as const, 'after' as const), anchor: name }),
)

describe('a list with positions', () => {
  it('has the same order as a plain list after any operations', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, place), { maxLength: 60 }), (steps) => {
        let placed: readonly PositionedItem[] = []
        let names: string[] = []
        for (const [key, where] of steps) {
          const next = connect(placed, key, where)
          const expected = naive(names, key, where)
          assert.deepEqual(keysOf(next), expected)
          if (!next || !expected) continue
          assert.ok(isOrdered(next))
          placed = next
          names = expected
        }
      }),
    )
  })

  it('always has room between two neighbours', () => {
    let placed: readonly PositionedItem[] = list('first', 'last')
    for (let count = 0; count < 500; count++) {
      placed = connect(placed, `n${count}`, { kind: 'after', anchor: 'first' }) ?? []
      assert.ok(isOrdered(placed))
    }
    assert.equal(placed.length, 502)
    assert.equal(placed[1]?.key, 'n499')
  })

  it('keeps all other positions when an item is added', () => {
    const before = list('a', 'b', 'c')
    const after = connect(before, 'x', { kind: 'after', anchor: 'a' })
    assert.deepEqual(
      after?.filter(({ key }) => key !== 'x'),
      before,
    )
  })

  it('refuses an anchor that is not in the list, and the moved item itself', () => {
    assert.equal(connect(list('a'), 'x', { kind: 'before', anchor: 'z' }), null)
    assert.equal(connect(list('a', 'b'), 'a', { kind: 'before', anchor: 'a' }), null)
  })

  it('is unchanged when it is replaced with the same keys', () => {
    const before = list('a', 'b')
    assert.equal(replace(before, ['a', 'b']), before)
    assert.deepEqual(keysOf(replace(before, ['b', 'a', 'c'])), ['b', 'a', 'c'])
    assert.deepEqual(keysOf(replace(before, [])), [])
  })

  it('is renumbered when two items share a position', () => {
    const tied = [
      { key: 'a', position: 3 },
      { key: 'b', position: 3 },
    ]
    assert.ok(isOrdered(replace(tied, ['a', 'b'])))
    assert.ok(isOrdered(connect(tied, 'x', { kind: 'after', anchor: 'a' }) ?? []))
  })

  it('no longer has disconnected items', () => {
    assert.deepEqual(keysOf(disconnect(list('a', 'b', 'c'), ['b', 'z'])), ['a', 'c'])
  })
})

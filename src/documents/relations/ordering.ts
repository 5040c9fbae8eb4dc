/** Ordered lists with positions between which there is always room. Pure: what a list becomes, never where it is kept. */
import type { Place } from './operation.ts'

export interface Placed {
  readonly key: string
  readonly position: number
}

/** Below this distance there is no good number between two positions any more, and the list is numbered anew. */
const CLOSEST = 1e-6

const indexOf = (list: readonly Placed[], key: string) => list.findIndex((one) => one.key === key)

const without = <Item extends Placed>(list: readonly Item[], keys: ReadonlySet<string>) =>
  list.filter((one) => !keys.has(one.key))

/** The list without the given keys. */
export const disconnect = <Item extends Placed>(
  list: readonly Item[],
  keys: Iterable<string>,
): readonly Item[] => without(list, new Set(keys))

/** The list with `key` at its place, moved there when it was in the list; null when the anchor is not in the list. */
export function connect(list: readonly Placed[], key: string, place: Place<string>): Placed[] | null {
  const others = without(list, new Set([key]))
  const index = indexFor(others, place)
  return index === null ? null : insert(others, key, index)
}

function indexFor(list: readonly Placed[], place: Place<string>): number | null {
  switch (place.kind) {
    case 'start':
      return 0
    case 'end':
      return list.length
    case 'before':
    case 'after': {
      const anchor = indexOf(list, place.anchor)
      if (anchor === -1) return null
      return place.kind === 'before' ? anchor : anchor + 1
    }
  }
}

/** The list with `key` as the item number `index`. */
function insert(list: readonly Placed[], key: string, index: number): Placed[] {
  const before = list[index - 1]?.position
  const after = list[index]?.position
  const position =
    before === undefined
      ? after === undefined
        ? 1
        : after - 1
      : after === undefined
        ? before + 1
        : (before + after) / 2
  const placed = [...list.slice(0, index), { key, position }, ...list.slice(index)]
  const crowded = before !== undefined && after !== undefined && after - before < 2 * CLOSEST
  return crowded
    ? numbered(
        placed.map((one) => one.key),
        1,
      )
    : placed
}

/** Exactly these keys in this order; untouched when the list is already so. */
export function replace(list: readonly Placed[], keys: readonly string[], first = 1): readonly Placed[] {
  const same = list.length === keys.length && keys.every((key, index) => list[index]?.key === key)
  return same && isStrict(list) ? list : numbered(keys, first)
}

/** Whether no two items share a position, which concurrent writers of the other side can bring about. */
const isStrict = (list: readonly Placed[]) =>
  list.every((one, index) => index === 0 || one.position > (list[index - 1]?.position ?? 0))

const numbered = (keys: readonly string[], first: number): Placed[] =>
  keys.map((key, index) => ({ key, position: first + index }))

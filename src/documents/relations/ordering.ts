/** Ordered lists with numeric positions, so that an item can be inserted without moving the others. */
import type { ListPosition } from './operation.ts'

export interface PositionedItem {
  readonly key: string
  readonly position: number
}

/** Positions closer than this leave no room between them: the list is renumbered. */
const MIN_DISTANCE = 1e-6

const indexOf = (list: readonly PositionedItem[], key: string) => list.findIndex((one) => one.key === key)

const without = <Item extends PositionedItem>(list: readonly Item[], keys: ReadonlySet<string>) =>
  list.filter((one) => !keys.has(one.key))

/** The list without the given keys. */
export const disconnect = <Item extends PositionedItem>(
  list: readonly Item[],
  keys: Iterable<string>,
): readonly Item[] => without(list, new Set(keys))

/** The list with `key` at a position, added or moved; null if a required anchor is not in the list. */
export function connect(
  list: readonly PositionedItem[],
  key: string,
  position: ListPosition<string>,
): PositionedItem[] | null {
  const others = without(list, new Set([key]))
  const index = indexFor(others, position)
  return index === null ? null : insert(others, key, index)
}

function indexFor(list: readonly PositionedItem[], position: ListPosition<string>): number | null {
  switch (position.kind) {
    case 'start':
      return 0
    case 'end':
      return list.length
    case 'before':
    case 'after': {
      const anchor = indexOf(list, position.anchor)
      if (anchor === -1) return position.orEnd ? list.length : null
      return position.kind === 'before' ? anchor : anchor + 1
    }
  }
}

/** The list with `key` inserted at `index`. */
function insert(list: readonly PositionedItem[], key: string, index: number): PositionedItem[] {
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
  const extended = [...list.slice(0, index), { key, position }, ...list.slice(index)]
  const isTooClose = before !== undefined && after !== undefined && after - before < 2 * MIN_DISTANCE
  return isTooClose
    ? numbered(
        extended.map((one) => one.key),
        1,
      )
    : extended
}

/** Exactly these keys in this order; the list itself if it has them already. */
export function replace(
  list: readonly PositionedItem[],
  keys: readonly string[],
  first = 1,
): readonly PositionedItem[] {
  const isSame = list.length === keys.length && keys.every((key, index) => list[index]?.key === key)
  return isSame && hasDistinctPositions(list) ? list : numbered(keys, first)
}

/**
 * The keys with the hidden ones of the list among them: each stays behind the one that it followed, or at the start if
 * none of those before it is left.
 */
export function withHidden(
  list: readonly PositionedItem[],
  keys: readonly string[],
  isHidden: (key: string) => boolean,
): readonly string[] {
  const named = new Set(keys)
  const followers = new Map<string | null, string[]>()
  let predecessor: string | null = null
  for (const { key } of list) {
    if (named.has(key)) predecessor = key
    else if (isHidden(key)) followers.set(predecessor, [...(followers.get(predecessor) ?? []), key])
  }
  if (followers.size === 0) return keys
  return [null, ...keys].flatMap((key) => [...(key === null ? [] : [key]), ...(followers.get(key) ?? [])])
}

/** Concurrent writes from the other side can give two items the same position. */
const hasDistinctPositions = (list: readonly PositionedItem[]) =>
  list.every((one, index) => index === 0 || one.position > (list[index - 1]?.position ?? 0))

const numbered = (keys: readonly string[], first: number): PositionedItem[] =>
  keys.map((key, index) => ({ key, position: first + index }))

/** Requests without a response yet, to be counted and iterated over. */

interface Slot<Item> {
  readonly item: Item
  index: number
}

const REMOVED = -1

export interface OpenRequests<Item> extends Iterable<Item> {
  readonly size: number
  /** Adds an item and returns the function that removes it. */
  add(item: Item): () => void
}

/**
 * An array instead of a Set: a Set with many removals is rehashed again and again, and once such a table has moved to
 * the old generation it keeps the following ones alive, with the responses in them, until the next full collection.
 */
export function createOpenRequests<Item>(): OpenRequests<Item> {
  const slots: Slot<Item>[] = []
  return {
    get size() {
      return slots.length
    },
    add(item) {
      const slot = { item, index: slots.length }
      slots.push(slot)
      return () => {
        const { index } = slot
        const last = index === REMOVED ? undefined : slots.pop()
        slot.index = REMOVED
        if (!last || last === slot) return
        last.index = index
        slots[index] = last
      }
    },
    *[Symbol.iterator]() {
      for (const { item } of slots) yield item
    },
  }
}

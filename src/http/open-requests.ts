/** What is under way, to be counted and gone through. */

interface Place<Item> {
  readonly item: Item
  index: number
}

const GONE = -1

export interface OpenRequests<Item> extends Iterable<Item> {
  readonly size: number
  /** Adds an item and gives the function that takes it out again. */
  add(item: Item): () => void
}

/**
 * Makes what a Set would be enough for, if it were not for garbage: a Set from which much is taken out copies itself now
 * and then, and each copy that has grown old keeps the next one alive with all that was in it, answers and their text,
 * until the next collection of everything.
 */
export function createOpenRequests<Item>(): OpenRequests<Item> {
  const places: Place<Item>[] = []
  return {
    get size() {
      return places.length
    },
    add(item) {
      const place = { item, index: places.length }
      places.push(place)
      return () => {
        const { index } = place
        const last = index === GONE ? undefined : places.pop()
        place.index = GONE
        if (!last || last === place) return
        last.index = index
        places[index] = last
      }
    },
    *[Symbol.iterator]() {
      for (const { item } of places) yield item
    },
  }
}

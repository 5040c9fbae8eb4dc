/**
 * Work that waits in a thread, and that the main thread does itself when it has nothing else to do. Who claims it first
 * does it: both look at memory that they share, and nothing travels between them for it.
 */

/** Where an offer stands, one number for each. */
export type Places = Int32Array<SharedArrayBuffer>

export interface Offer {
  readonly place: number
  /** Does the work here. */
  readonly take: () => void
  /** Whether its place may be that of another by now. */
  isOver: boolean
}

export interface Offers {
  /** Offers work that the thread is asked for; null when there are too many, and it is the thread's alone. */
  offer(take: () => void): Offer | null
  /** To be called when the thread has answered, or never will. */
  end(offer: Offer): void
}

const PLACES = 256
const NONE = 0
const OFFERED = 1
const CLAIMED = 2

/** So many are left to the thread, or it would have nothing to do while the main thread is busy again. */
const LEFT = 6

export const createPlaces = (): Places =>
  new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT))

/** Whether work is the caller's, who must do it then. */
export const claim = (places: Places, place: number) =>
  Atomics.compareExchange(places, place, OFFERED, CLAIMED) === OFFERED

/** The main thread's side. */
export function createOffers(places: Places): Offers {
  const free = [...places.keys()]
  /** As they were offered, which is the order of the thread. */
  const open: Offer[] = []
  let isAboutToLook = false

  const isOpen = ({ isOver, place }: Offer) => !isOver && Atomics.load(places, place) === OFFERED

  function lookSoon() {
    if (isAboutToLook) return
    isAboutToLook = true
    // Comes behind everything that could be read from the network, one offer at a time.
    setImmediate(look)
  }

  function look() {
    isAboutToLook = false
    while (open[0] && !isOpen(open[0])) open.shift()
    if (open.length <= LEFT) return
    // The last one: it would wait longest.
    const last = open.pop()
    if (last && isOpen(last) && claim(places, last.place)) last.take()
    lookSoon()
  }

  return {
    offer(take) {
      const place = free.pop()
      if (place === undefined) return null
      const offer: Offer = { place, take, isOver: false }
      Atomics.store(places, place, OFFERED)
      open.push(offer)
      lookSoon()
      return offer
    },
    end(offer) {
      offer.isOver = true
      Atomics.store(places, offer.place, NONE)
      free.push(offer.place)
    },
  }
}

/** Pseudo-random integers below a bound, the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return below <= 1 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % Math.floor(below)
  }
}

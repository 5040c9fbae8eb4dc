/** Whether memory stays flat: samples, a line through them, and a verdict. */

export interface Sample {
  /** Seconds since the start. */
  readonly at: number
  readonly requests: number
  /** In megabytes: resident, and what the JavaScript engine holds after a collection (heap and buffers). */
  readonly resident: number
  readonly held: number
}

export interface Growth {
  /** Megabytes that the line through the second half rises from its beginning to its end. */
  readonly held: number
  readonly resident: number
  /** Requests in the second half. */
  readonly requests: number
}

/**
 * What the line may rise in the second half. Held memory rises by a megabyte or two with what V8 learns of the code, by
 * more where a slow machine has not come far in the first half; ten minutes answer some hundred thousand requests, so
 * that eight megabytes are some tens of bytes for each: no object that is forgotten once a request is that small. Resident
 * memory follows the allocators of V8, sharp and the engines, which give back late: only what goes past a quarter is
 * taken for a leak.
 */
const MOST_HELD = 8
const MOST_RESIDENT_SHARE = 0.25

/** Slope of the line of least squares, by the first member. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [middle, height] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [x, y]) => sum + (x - middle) * (y - height), 0)
  const below = points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0)
  return below === 0 ? 0 : above / below
}

const secondHalf = (samples: readonly Sample[]) => samples.slice(Math.floor(samples.length / 2))

/** How memory grew in the second half. */
export function growthOf(samples: readonly Sample[]): Growth {
  const half = secondHalf(samples)
  const [first, last] = [half[0], half.at(-1)]
  if (!first || !last) return { held: 0, resident: 0, requests: 0 }
  const rise = (value: (sample: Sample) => number) =>
    slope(half.map((sample) => [sample.at, value(sample)])) * (last.at - first.at)
  return {
    held: rise(({ held }) => held),
    resident: rise(({ resident }) => resident),
    requests: last.requests - first.requests,
  }
}

/** What is wrong with the memory; empty when it is flat. */
export function memoryFaults(samples: readonly Sample[]): string[] {
  const { held, resident } = growthOf(samples)
  const usual = secondHalf(samples)[0]?.resident ?? 0
  return [
    ...(held > MOST_HELD ? [`held memory rose by ${held.toFixed(1)} MB in the second half`] : []),
    ...(resident > usual * MOST_RESIDENT_SHARE
      ? [`resident memory rose by ${resident.toFixed(1)} MB in the second half`]
      : []),
  ]
}

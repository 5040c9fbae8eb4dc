/** Whether memory stays flat: samples, a regression line and a verdict. */

export interface Sample {
  /** Seconds since the start. */
  readonly at: number
  readonly requests: number
  /** In megabytes: resident memory, and heap plus buffers after a garbage collection. */
  readonly resident: number
  readonly held: number
}

export interface Growth {
  /** Megabytes that the regression line of the second half rises. */
  readonly held: number
  readonly resident: number
  /** Requests in the second half. */
  readonly requests: number
}

/**
 * How much the line may rise in the second half. Held memory rises by a megabyte or two as V8 optimises code, and by
 * more on a slow machine. Ten minutes serve some hundred thousand requests, so eight megabytes are some tens of bytes
 * per request: smaller than any object leaked per request. Resident memory depends on the allocators of V8, sharp and
 * the engines, which release memory late: only a rise of more than a quarter counts as a leak.
 */
const MOST_HELD = 8
const MOST_RESIDENT_SHARE = 0.25

/** Slope of the least-squares line through the points. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [middle, height] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [x, y]) => sum + (x - middle) * (y - height), 0)
  const below = points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0)
  return below === 0 ? 0 : above / below
}

const secondHalf = (samples: readonly Sample[]) => samples.slice(Math.floor(samples.length / 2))

/** Memory growth in the second half. */
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

/** What is wrong with memory use; empty if it is flat. */
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

/** How durations spread: counts of those up to each of some bounds. */
import type { Labels, MetricFamily, Sample } from './prometheus.ts'

/** Upper bounds in milliseconds; what is longer than the last falls into one more bucket. */
const BOUNDS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

export interface Histogram {
  /** Durations in each bucket alone, not summed up. */
  readonly buckets: Float64Array
  milliseconds: number
}

export const createHistogram = (): Histogram => ({
  buckets: new Float64Array(BOUNDS.length + 1),
  milliseconds: 0,
})

/** Counts a duration. */
export function observe(histogram: Histogram, milliseconds: number): void {
  const { buckets } = histogram
  let place = 0
  while (place < BOUNDS.length && milliseconds > Number(BOUNDS[place])) place++
  buckets[place] = Number(buckets[place]) + 1
  histogram.milliseconds += milliseconds
}

/** A family of histograms, in seconds as Prometheus wants them. */
export function histograms(
  name: string,
  help: string,
  of: Iterable<readonly [Labels, Histogram]>,
): MetricFamily {
  return { name, help, type: 'histogram', samples: [...of].flatMap(([labels, one]) => samples(labels, one)) }
}

function samples(labels: Labels, { buckets, milliseconds }: Histogram): Sample[] {
  let count = 0
  const summed = [...buckets].map((own, place): Sample => {
    count += own
    const bound = BOUNDS[place]
    const le = bound === undefined ? '+Inf' : String(bound / 1000)
    return { suffix: '_bucket', labels: { ...labels, le }, value: count }
  })
  return [
    ...summed,
    { suffix: '_sum', labels, value: milliseconds / 1000 },
    { suffix: '_count', labels, value: count },
  ]
}

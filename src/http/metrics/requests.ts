/** Figures of the requests that were answered. */

import { createHistogram, type Histogram, histograms, observe } from './histogram.ts'
import type { ResponseObserver } from './observed-response.ts'
import { counter, type MetricFamily, type Sample } from './prometheus.ts'

export interface RequestMetrics {
  readonly countResponse: ResponseObserver
  families(): readonly MetricFamily[]
}

interface Series {
  readonly durations: Histogram
  /** By content-type, then by status; an empty text where there is no content-type. */
  readonly counts: Map<string, Map<number, number>>
}

/**
 * Counts answers by route, method, content-type and status, and how long they took by route and method. Labels are words
 * of the server, so that nobody can fill the memory with them: `typeOf` gives the content-type that a name stands for.
 */
export function createRequestMetrics(typeOf: (name: string) => string | undefined): RequestMetrics {
  const routes = new Map<string, Map<string, Series>>()

  const all = () =>
    [...routes].flatMap(([route, methods]) =>
      [...methods].map(([method, series]) => ({ labels: { route, method }, series })),
    )

  return {
    countResponse({ route, method, name, status, milliseconds }) {
      const { durations, counts } = getOrCreate(
        getOrCreate(routes, route, newMap<string, Series>),
        method,
        newSeries,
      )
      observe(durations, milliseconds)
      const statuses = getOrCreate(counts, name === null ? '' : (typeOf(name) ?? ''), newMap<number, number>)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },
    families: () => [
      counter(
        'octavo_http_requests_total',
        'Requests answered, by route, method, content-type and status.',
        all().flatMap(({ labels, series }) =>
          [...series.counts].flatMap(([type, statuses]) =>
            [...statuses].map(
              ([status, value]): Sample => ({
                labels: { ...labels, content_type: type, status: String(status) },
                value,
              }),
            ),
          ),
        ),
      ),
      histograms(
        'octavo_http_request_duration_seconds',
        'Time from the head of a request to the end of its answer, by route and method.',
        all().map(({ labels, series }) => [labels, series.durations]),
      ),
    ],
  }
}

const newMap = <Key, Value>() => new Map<Key, Value>()
const newSeries = (): Series => ({ durations: createHistogram(), counts: new Map() })

/** What a map holds under a key, made when it is not there yet. */
function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Counts and durations of completed requests. */
import { createHistogram, type Histogram, histograms, observe } from './histogram.ts'
import type { ResponseObserver } from './observed-response.ts'
import { counter, type MetricFamily, type Sample } from './prometheus.ts'

export interface RequestMetrics {
  readonly countResponse: ResponseObserver
  families(): readonly MetricFamily[]
}

interface Series {
  readonly durations: Histogram
  /** By content-type, then by status; the content-type is empty where there is none. */
  readonly counts: Map<string, Map<number, number>>
}

/**
 * Counts responses by route, method, content-type and status, and their durations by route and method. Labels never hold
 * what a client sends, which would let it fill the memory: `typeOf` maps a name to one of the content-types.
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
        'Completed requests, by route, method, content-type and status.',
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
        'Time from the headers of a request to the end of its response, by route and method.',
        all().map(({ labels, series }) => [labels, series.durations]),
      ),
    ],
  }
}

const newMap = <Key, Value>() => new Map<Key, Value>()
const newSeries = (): Series => ({ durations: createHistogram(), counts: new Map() })

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = create()
  map.set(key, created)
  return created
}

/**
 * Refuses reads whose response would be too large before they run. A read is estimated when it is first made, and again
 * every few seconds while it is repeated, never for each request.
 */
import { errors } from '../../errors.ts'
import { type ContentCounts, estimateRead, type ReadEstimate } from '../../plan/estimate.ts'
import type { CheckedQuery } from '../../query/parse-query.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import type { Store } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { type CountedContent, createCountReader } from './content-counts.ts'

export interface Estimates {
  /** Throws if the response would be too large. A promise only when the content has not been counted yet. */
  refuseTooLarge(checked: CheckedQuery): MaybePromise<void>
  estimate(checked: CheckedQuery): MaybePromise<ReadEstimate>
}

/** Estimates are rough: only what exceeds the limit by this factor is refused. */
const MARGIN = 10
/** Milliseconds for which an estimate is used again. */
const LIFETIME = 5_000

/** The estimates of one model, with the configured number of rows that a response may have. */
export function createEstimates(store: Store, layout: Layout, maxRows: number): Estimates {
  const reader = createCountReader(store, layout)
  const made = new WeakMap<CheckedQuery, { readonly estimate: ReadEstimate; readonly until: number }>()

  const estimateWith = ({ query, values }: CheckedQuery, counts: ContentCounts) =>
    estimateRead(query, values, layout.model, counts)

  /** Finds what is needed by an estimate that gets no counts. */
  function contentOf(checked: CheckedQuery): CountedContent {
    const types = new Set<string>()
    const relations = new Set<number>()
    estimateWith(checked, {
      rows(type) {
        types.add(type)
        return 0
      },
      edges(relation) {
        relations.add(layout.relationId(relation))
        return 0
      },
    })
    return { types, relations }
  }

  function estimate(checked: CheckedQuery): MaybePromise<ReadEstimate> {
    const cached = made.get(checked)
    if (cached && performance.now() < cached.until) return cached.estimate
    return andThen(reader.provide(contentOf(checked)), () => {
      const estimate = estimateWith(checked, reader.counts)
      made.set(checked, { estimate, until: performance.now() + LIFETIME })
      return estimate
    })
  }

  return {
    estimate,
    refuseTooLarge(checked) {
      return andThen(estimate(checked), ({ rows, multiplier }) => {
        if (rows >= maxRows * MARGIN) throw errors.tooManyRows(rows, maxRows, multiplier)
      })
    },
  }
}

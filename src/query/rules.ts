/** The start of a parse: a reading that knows the row rules of its caller. */
import type { Model } from '../model/model.ts'
import { parseFilters } from './filters.ts'
import { type Bounds, paramsOf } from './params.ts'
import type { Reading } from './reading.ts'
import { type Scope, systemScope } from './scope.ts'
import type { Status } from './view.ts'

/** A reading in which nothing was read yet. */
export function createReading(
  model: Model,
  scope: Scope,
  bounds: Bounds,
  status: Status = 'published',
): Reading {
  const reading: Reading = {
    model,
    scope,
    param: '',
    values: [],
    omitted: [],
    budget: { left: bounds.planSize },
    deepest: bounds.depth,
    trusted: false,
    status,
    visible(type, action = 'find') {
      const filters = scope.rule(type.uid, action)?.filters
      // A rule is the server's own word: it may look at anything, and rules do not apply inside rules.
      const trusted: Reading = {
        ...reading,
        scope: systemScope,
        param: 'filters',
        trusted: true,
        visible: () => null,
      }
      return filters
        ? parseFilters(trusted, { kind: 'document', type, action: 'find' }, paramsOf(filters), [])
        : null
    },
  }
  return reading
}

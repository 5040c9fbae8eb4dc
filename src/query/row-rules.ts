/** The start of a parse: a reading that knows the row rules of its caller. */
import { ApiError } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import type { Condition } from '../plan/tree.ts'
import { parseFilters } from './filters/filters.ts'
import { type Bounds, paramsOf } from './params.ts'
import { and, type Reading, UNFIT } from './parse-context.ts'
import { type Action, type Scope, systemScope } from './scope.ts'
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
    reached: new Set(),
    budget: { left: bounds.planSize },
    deepest: bounds.depth,
    trusted: false,
    status,
    visible(type, action = 'find') {
      const asksDrafts = status === 'draft' && type.draftAndPublish
      const actions: readonly Action[] = asksDrafts ? [action, 'readDrafts'] : [action]
      const rules = actions
        .map((one) => scope.rule(type.uid, one)?.filters)
        .filter((one) => one !== undefined)
      const before = reading.values.length
      try {
        return and(...rules.map((filters) => parseRule(reading, type, filters)))
      } catch (error) {
        // What the caller asks for may be too much together with the rule; that is no fault of the rule.
        if (!(error instanceof ApiError) || reading.budget.left < 0) throw error
        reading.values.length = before
        return UNFIT
      }
    },
  }
  return reading
}

/** What is wrong with the filters of a rule for documents of a type, in words; null when they can be followed. */
export function mistakeInFilters(
  model: Model,
  type: ContentType,
  filters: Readonly<Record<string, unknown>>,
  bounds: Bounds,
): string | null {
  try {
    parseRule(createReading(model, systemScope, bounds), type, filters)
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** A rule is the server's own word: it may look at anything, and rules do not apply inside rules. */
function parseRule(
  reading: Reading,
  type: ContentType,
  filters: Readonly<Record<string, unknown>>,
): Condition | null {
  const trusted: Reading = {
    ...reading,
    scope: systemScope,
    param: 'filters',
    reached: new Set(),
    trusted: true,
    visible: () => null,
  }
  return parseFilters(trusted, { kind: 'document', type, action: 'find' }, paramsOf(filters), [])
}

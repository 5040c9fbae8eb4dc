/** Creates a parse context, with the row rules of the caller's permissions. */
import { ApiError } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import type { Condition, PublicationFilter } from '../plan/query-tree.ts'
import { parseFilters } from './filters/filters.ts'
import { type Bounds, paramsOf } from './params.ts'
import { and, INVALID_RULE, type ParseContext } from './parse-context.ts'
import { type Action, type Scope, systemScope } from './scope.ts'
import type { Status } from './version-params.ts'

export function createParseContext(
  model: Model,
  scope: Scope,
  bounds: Bounds,
  status: Status = 'published',
  publication: readonly PublicationFilter[] = [],
): ParseContext {
  const context: ParseContext = {
    model,
    scope,
    param: '',
    values: [],
    omitted: [],
    accessedTypes: new Set(),
    budget: { left: bounds.planSize },
    maxPathLength: bounds.depth,
    isTrusted: false,
    status,
    publication,
    rowCondition(type, action = 'find') {
      const includesDrafts = status === 'draft' && type.draftAndPublish
      const actions: readonly Action[] = includesDrafts ? [action, 'readDrafts'] : [action]
      const rules = actions
        .map((one) => scope.rule(type.uid, one)?.filters)
        .filter((one) => one !== undefined)
      const before = context.values.length
      try {
        return and(...rules.map((filters) => parseRule(context, type, filters)))
      } catch (error) {
        // The query may be too large together with the rule, which does not make the rule invalid.
        if (!(error instanceof ApiError) || context.budget.left < 0) throw error
        context.values.length = before
        return INVALID_RULE
      }
    },
  }
  return context
}

/** What is wrong with the filters of a rule; null when they are valid. */
export function filtersProblem(
  model: Model,
  type: ContentType,
  filters: Readonly<Record<string, unknown>>,
  bounds: Bounds,
): string | null {
  try {
    parseRule(createParseContext(model, systemScope, bounds), type, filters)
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** Rules may use private attributes, and rules do not apply inside rules. */
function parseRule(
  context: ParseContext,
  type: ContentType,
  filters: Readonly<Record<string, unknown>>,
): Condition | null {
  const trusted: ParseContext = {
    ...context,
    scope: systemScope,
    param: 'filters',
    accessedTypes: new Set(),
    isTrusted: true,
    rowCondition: () => null,
  }
  return parseFilters(trusted, { kind: 'document', type, action: 'find' }, paramsOf(filters), [])
}

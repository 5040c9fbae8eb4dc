/** Parses the `sort` parameter: `name`, `name:desc`, `chef.name`, and lists and objects of them; `_score` with a search. */
import { SCORE, type ScoredSearch, type Sort, type Step } from '../plan/query-tree.ts'
import { isObject } from '../project/values.ts'
import { errorPath, findName, type Subject, usableNames } from './find-name.ts'
import { listOf, type Param } from './params.ts'
import { countNode, type ParseContext, refuseKey, refuseValue, splitPath } from './parse-context.ts'

interface Term {
  readonly path: readonly string[]
  /** Null for an empty order: the name is checked, but has no effect. */
  readonly order: string | null
}

/**
 * Sort terms in the given order, without duplicates. The same field in the opposite direction is not a duplicate: of a
 * list of values, ascending compares the smallest and descending the largest.
 */
export function parseSort(
  context: ParseContext,
  subject: Subject,
  input: Param | undefined,
  /** Whether the documents can be sorted by how well they match a search; `withSearch` then has to follow. */
  canRank = false,
): Sort[] {
  if (input === undefined) return []
  const named = new Map<string, Sort>()
  for (const term of terms(context, input)) {
    const sort =
      canRank && isScorePath(term.path)
        ? { steps: [], field: SCORE, descending: isDescending(context, term) }
        : resolve(context, subject, term)
    const name = `${term.path.join('.')}:${sort.descending}`
    if (term.order !== null && !named.has(name)) named.set(name, sort)
  }
  return [...named.values()]
}

/** Adds the search to the terms that sort by it; without a search they are refused. */
export function withSearch(
  context: ParseContext,
  sort: readonly Sort[],
  search: () => ScoredSearch | null,
): readonly Sort[] {
  if (!sort.some(isScore)) return sort
  const score = search()
  if (!score) return refuseValue(context, [SCORE.name], 'documents have a score only in a search; add _q')
  return sort.map((term) => (isScore(term) ? { ...term, score } : term))
}

const isScore = ({ field }: Sort) => field === SCORE

/** Counts the conditions of a cursor, which compares each term once for every term that follows it. */
export function countCursorNodes(context: ParseContext, sort: readonly Sort[]): void {
  for (const [index, { steps }] of sort.entries())
    for (let times = 0; times < (sort.length - index) * (steps.length + 1); times++) countNode(context)
}

function terms(context: ParseContext, input: Param): Term[] {
  if (typeof input === 'string') return input.split(',').flatMap((text) => dotted(context, text))
  const list = listOf(input)
  if (list) return list.flatMap((item) => terms(context, item))
  if (isObject(input)) return nested(context, input, [])
  return refuseValue(context, [], 'expected a field name, such as name:desc')
}

function dotted(context: ParseContext, text: string): Term[] {
  if (text.trim() === '') return []
  // Of several orders the first counts (as recorded).
  const [path = '', order] = text.split(':').map((part) => part.trim())
  const names = splitPath(context, path)
  // The best matches come first.
  return [{ path: names, order: order ?? (isScorePath(names) ? 'desc' : 'asc') }]
}

const isScorePath = ([name, ...rest]: readonly string[]) => name === SCORE.name && rest.length === 0

/** `sort[chef][name]=desc`: every leaf is a direction. */
function nested(context: ParseContext, input: Param, path: readonly string[]): Term[] {
  if (typeof input === 'string') return [{ path, order: input.trim() || null }]
  if (!isObject(input)) return refuseValue(context, path, 'expected asc or desc')
  return Object.entries(input).flatMap(([key, value]) => nested(context, value, [...path, key]))
}

const DEEPER = ['related', 'component'] as const

function isDescending(context: ParseContext, { path, order }: Term): boolean {
  const lowered = order?.toLowerCase() ?? 'asc'
  if (lowered !== 'asc' && lowered !== 'desc')
    return refuseValue(context, path, `the order must be asc or desc, not "${order}"`)
  return lowered === 'desc'
}

function resolve(context: ParseContext, subject: Subject, term: Term): Sort {
  const { path } = term
  const descending = isDescending(context, term)
  const steps: Step[] = []
  let at = subject
  for (const [index, name] of path.entries()) {
    countNode(context)
    const found = findName(context, at, name)
    const last = index === path.length - 1
    if (last && found?.kind === 'field') return { steps, field: found.field, descending }
    const after = path[index + 1]
    // A field ends a path, so the error is in the name after it.
    if (found?.kind === 'field' && after !== undefined)
      return refuseKey(context, after, path.slice(0, index + 1))
    if (last || (found?.kind !== 'related' && found?.kind !== 'component'))
      return refuseKey(
        context,
        name,
        errorPath(found, name, path.slice(0, index)),
        usableNames(context, at, last ? ['field'] : DEEPER),
      )
    steps.push(found.step)
    at = found.subject
  }
  return refuseValue(context, path, 'expected a field name')
}

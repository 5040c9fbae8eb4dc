/** What one parse of a query carries along: the model, the caller, the values met so far, and what was left out. */
import { errors } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import type { Condition, Slot } from '../plan/query-tree.ts'
import { nearest } from '../project/suggest.ts'
import type { SqlValue } from '../store/statement.ts'
import type { Scope } from './scope.ts'
import type { Status } from './version-params.ts'

export interface ParseContext {
  readonly model: Model
  readonly scope: Scope
  /** The parameter being parsed, for messages. */
  readonly param: string
  /** Where in the parameter this part of it stands, for messages; at its top when absent. */
  readonly basePath?: readonly string[]
  readonly values: SqlValue[]
  /** Dotted paths of relations that were asked for but may not be seen. */
  readonly omitted: string[]
  /** uids of the content-types that the caller was asked to be allowed to find, because relations lead there. */
  readonly accessedTypes: Set<string>
  readonly budget: { left: number }
  /** How many names a path may have. */
  readonly maxPathLength: number
  /** Whether private attributes may be used: only in what the server itself asks. */
  readonly isTrusted: boolean
  /** The status asked for; it holds for related documents too. */
  readonly status: Status
  /** The condition that a row rule of the caller puts on documents of a type. */
  rowCondition(type: ContentType, action?: ReadAction): Condition | typeof INVALID_RULE | null
}

/**
 * In place of the condition of a rule that the model cannot follow, such as one about an attribute that is gone. It
 * covers no document: nobody can say any more which ones were meant.
 */
export const INVALID_RULE = 'unfit'

/** Related documents need `find`; a single document asked for by its id needs `findOne`. */
export type ReadAction = 'find' | 'findOne'

export const forParam = (context: ParseContext, param: string): ParseContext => ({ ...context, param })

/** Reads a part of the parameter whose own paths begin there. */
export const atPath = (context: ParseContext, under: readonly string[]): ParseContext => ({
  ...context,
  basePath: under,
})

/** Puts a value aside and gives the slot that stands for it in the tree. */
export function addValue(context: ParseContext, value: SqlValue): Slot {
  context.values.push(value)
  return { slot: context.values.length - 1 }
}

/** Counts one more node of the tree; past the configured size the query is refused. */
export function countNode(context: ParseContext): void {
  context.budget.left -= 1
  if (context.budget.left < 0) {
    throw errors.invalid('The query asks for too much at once; ask for less in populate, filters or sort')
  }
}

/** The names of a dotted path; one with more names than brackets could be nested is refused. */
export function splitPath(context: ParseContext, path: string): string[] {
  const names = path.split('.', context.maxPathLength + 1).map((name) => name.trim())
  if (names.length > context.maxPathLength)
    return refuseValue(context, [], `a path can have at most ${context.maxPathLength} names`)
  return names
}

const LOGICAL = new Set(['$and', '$or', '$not'])

/**
 * Refuses a key that is unknown, private or not for the caller, all with the same answer. `path` leads to where it was
 * looked for; to the key itself where the caller may know that it is there, and it does not fit. `known` are keys that
 * would do.
 */
export function refuseKey(
  context: ParseContext,
  key: string,
  path: readonly string[],
  known: readonly string[] = [],
): never {
  const at = [...(context.basePath ?? []), ...path].filter((part) => part !== '' && !LOGICAL.has(part))
  throw errors.invalidKey({
    key,
    path: at.length === 0 ? null : at.join('.'),
    source: 'query',
    param: context.param,
    meant: nearest(key, known),
  })
}

/** Refuses a value that does not fit. */
export function refuseValue(context: ParseContext, path: readonly string[], message: string): never {
  const whole = [...(context.basePath ?? []), ...path]
  throw errors.invalidParameter(
    context.param,
    whole.length === 0 ? null : whole.join('.'),
    message,
    whole.at(-1),
  )
}

export const and = (...parts: readonly (Condition | null)[]): Condition | null => {
  const all = parts.filter((part) => part !== null)
  return all.length === 0 ? null : all.length === 1 ? (all[0] ?? null) : { kind: 'and', all }
}

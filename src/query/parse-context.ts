/** The context of parsing one query: the model, the caller, and the values and omissions collected so far. */
import { errors } from '../errors.ts'
import type { ContentType, Model } from '../model/model.ts'
import type { Condition, PublicationFilter, Slot } from '../plan/query-tree.ts'
import { nearest } from '../project/suggest.ts'
import type { SqlValue } from '../store/statement.ts'
import type { Scope } from './scope.ts'
import type { Status } from './version-params.ts'

export interface ParseContext {
  readonly model: Model
  readonly scope: Scope
  /** The parameter being parsed, for messages. */
  readonly param: string
  /** The path inside the parameter, for messages; the top level when absent. */
  readonly basePath?: readonly string[]
  readonly values: SqlValue[]
  /** Dotted paths of requested relations that the caller may not see. */
  readonly omitted: string[]
  /** uids of the content-types that relations in the query lead to. */
  readonly accessedTypes: Set<string>
  readonly budget: { left: number }
  /** The maximum number of names in a dotted path. */
  readonly maxPathLength: number
  /** Whether private attributes may be used, which is so only in the server's own queries. */
  readonly isTrusted: boolean
  /** The requested status, which also applies to related documents. */
  readonly status: Status
  /** The requested filters on other versions, which also apply to populated documents. */
  readonly publication: readonly PublicationFilter[]
  /** The condition of the caller's permission on documents of a type; null when there is none. */
  rowCondition(type: ContentType, action?: ReadAction): Condition | typeof INVALID_RULE | null
}

/** Instead of the condition of a rule that is invalid, for example because it uses a removed attribute. It covers no document. */
export const INVALID_RULE = 'unfit'

/** Related documents need `find`; a document that is requested by its id needs `findOne`. */
export type ReadAction = 'find' | 'findOne'

export const forParam = (context: ParseContext, param: string): ParseContext => ({ ...context, param })

/** The context of a nested part of the parameter. */
export const atPath = (context: ParseContext, under: readonly string[]): ParseContext => ({
  ...context,
  basePath: under,
})

/** Adds a value and returns the slot that refers to it in the tree. */
export function addValue(context: ParseContext, value: SqlValue): Slot {
  context.values.push(value)
  return { slot: context.values.length - 1 }
}

/** Counts one node of the tree; a query with more nodes than configured is refused. */
export function countNode(context: ParseContext): void {
  context.budget.left -= 1
  if (context.budget.left < 0) {
    throw errors.invalid('The query is too large; request less in populate, filters or sort')
  }
}

/** The names of a dotted path, which can be as long as brackets can be nested. */
export function splitPath(context: ParseContext, path: string): string[] {
  const names = path.split('.', context.maxPathLength + 1).map((name) => name.trim())
  if (names.length > context.maxPathLength)
    return refuseValue(context, [], `a path can have at most ${context.maxPathLength} names`)
  return names
}

const LOGICAL = new Set(['$and', '$or', '$not'])

/**
 * Refuses a key that is unknown, private or forbidden, with the same error for all three. `path` is where it was looked up,
 * or the key itself when the caller may know that it exists. `known` are valid keys, for a suggestion.
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

/** Refuses an invalid value. */
export function refuseValue(context: ParseContext, path: readonly string[], message: string): never {
  const fullPath = [...(context.basePath ?? []), ...path]
  throw errors.invalidParameter(
    context.param,
    fullPath.length === 0 ? null : fullPath.join('.'),
    message,
    fullPath.at(-1),
  )
}

export const and = (...parts: readonly (Condition | null)[]): Condition | null => {
  const all = parts.filter((part) => part !== null)
  return all.length === 0 ? null : all.length === 1 ? (all[0] ?? null) : { kind: 'and', all }
}

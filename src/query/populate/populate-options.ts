/** Reads every form of the `populate` parameter into one: the options of each populated name. */
import type { Condition } from '../../plan/query-tree.ts'
import { isObject } from '../../project/values.ts'
import { parseFilters } from '../filters/filters.ts'
import type { Subject } from '../find-name.ts'
import { listOf, type Param, type ParamObject } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import { type ParseContext, refuseKey, refuseValue, splitPath } from '../parse-context.ts'

/** The options of each name, or `*` for every name. `false` populates nothing, but the name must exist. */
export type PopulateMap = '*' | ReadonlyMap<string, PopulateOptions | false>

/** `true`, the names below a dotted name, or an object with fields, filters, sort, populate, on, count, start, limit. */
export type PopulateOptions =
  | true
  | { readonly names: ReadonlyMap<string, PopulateOptions> }
  | { readonly options: ParamObject }

export const NO_POPULATE: ReadonlyMap<string, PopulateOptions> = new Map()

/** Parses any form of `populate`. Only at the top level are strings split at commas. */
export function parsePopulate(
  context: ParseContext,
  input: Param | undefined,
  isTopLevel: boolean,
): PopulateMap {
  if (input === undefined || input === '') return NO_POPULATE
  const trimmed = typeof input === 'string' ? input.trim() : input
  if (trimmed === '*' || trimmed === 'true' || trimmed === true) return '*'
  const list = typeof input === 'string' ? [input] : listOf(input)
  if (list) {
    const paths = list.flatMap((text) => {
      if (typeof text !== 'string') return refuseValue(context, [], 'expected a list of names')
      return (isTopLevel ? text.split(',') : [text]).map((path) => splitPath(context, path))
    })
    return nestNames(paths)
  }
  if (!isObject(input)) return refuseValue(context, [], 'expected names, a list or an object')
  const populate = new Map<string, PopulateOptions | false>()
  for (const [name, value] of Object.entries(input)) {
    const isPopulated = value === '*' ? true : parseBoolean(value)
    if (isObject(value)) populate.set(name, { options: value })
    else if (isPopulated !== null) populate.set(name, isPopulated)
    else if (typeof value !== 'string') return refuseValue(context, [name], 'expected true or an object')
    else return refuseKey(context, value, [name])
  }
  return populate
}

/** Dotted names form a tree: `menu`, `menu.items` and `menu.items.dish` are three levels of one branch. */
function nestNames(paths: readonly (readonly string[])[]): ReadonlyMap<string, PopulateOptions> {
  const rests = new Map<string, (readonly string[])[]>()
  for (const [first = '', ...rest] of paths) {
    const known = rests.get(first) ?? []
    rests.set(first, rest.length === 0 ? known : [...known, rest])
  }
  return new Map(
    [...rests].map(([first, deeper]) => [first, deeper.length === 0 ? true : { names: nestNames(deeper) }]),
  )
}

/** The options of one name; a key that is not allowed is refused. */
export function optionsOf(
  context: ParseContext,
  options: PopulateOptions,
  allowed: readonly string[],
  path: readonly string[],
): ParamObject {
  if (options === true || 'names' in options) return {}
  for (const key of Object.keys(options.options))
    if (!allowed.includes(key)) return refuseKey(context, key, path, allowed)
  return options.options
}

/** The condition that populated documents or entries must meet. */
export const whereOf = (
  context: ParseContext,
  subject: Subject,
  { filters }: ParamObject,
  path: readonly string[],
): Condition | null => (filters === undefined ? null : parseFilters(context, subject, filters, path))

/** Parses `on[<uid>]=true` and `on[<uid>][...]`; an empty value selects no type. */
export function parseOn(
  context: ParseContext,
  on: Param,
  path: readonly string[],
): (readonly [uid: string, PopulateOptions | false])[] {
  if (on === '') return []
  if (!isObject(on)) return refuseValue(context, path, 'expected an object with a key for each type')
  return Object.entries(on).map(([uid, value]): readonly [string, PopulateOptions | false] => {
    if (isObject(value)) return [uid, { options: value }]
    const isPopulated = value === '*' ? true : parseBoolean(value)
    return [uid, isPopulated ?? refuseValue(context, [...path, uid], 'expected true or an object')]
  })
}

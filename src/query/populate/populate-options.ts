/** The forms of the `populate` parameter, read into one: what is asked of each name. */
import { isObject } from '../../project/values.ts'
import { listOf, type Param, type ParamObject } from '../params.ts'
import { parseBoolean } from '../parse-boolean.ts'
import { type ParseContext, refuseKey, refuseValue, splitPath } from '../parse-context.ts'

/**
 * What was asked of each name: `true`, or an object with fields, filters, sort, populate, on, count, start, limit. With
 * `false` nothing is, but the name must be one that could be asked for.
 */
export type PopulateMap = '*' | ReadonlyMap<string, PopulateOptions | false>
export type PopulateOptions =
  | true
  | { readonly names: ReadonlyMap<string, PopulateOptions> }
  | { readonly options: ParamObject }

export const NO_POPULATE: ReadonlyMap<string, PopulateOptions> = new Map()

/** Reads every form of `populate` into one. What has commas is split at the top only. */
export function parsePopulate(context: ParseContext, input: Param | undefined, top: boolean): PopulateMap {
  if (input === undefined) return NO_POPULATE
  const word = typeof input === 'string' ? input.trim() : input
  if (word === '*' || word === 'true' || word === true) return '*'
  const texts = typeof input === 'string' ? [input] : listOf(input)
  if (texts) {
    const paths = texts.flatMap((text) => {
      if (typeof text !== 'string') return refuseValue(context, [], 'expected a list of names')
      return (top ? text.split(',') : [text]).map((path) => splitPath(context, path))
    })
    return names(paths)
  }
  if (!isObject(input)) return refuseValue(context, [], 'expected names, a list or an object')
  const wishes = new Map<string, PopulateOptions | false>()
  for (const [name, value] of Object.entries(input)) {
    const word = value === '*' ? true : parseBoolean(value)
    if (isObject(value)) wishes.set(name, { options: value })
    else if (word !== null) wishes.set(name, word)
    else if (typeof value !== 'string') return refuseValue(context, [name], 'expected true or an object')
    else return refuseKey(context, value, [name])
  }
  return wishes
}

/** Dotted names make a tree: `menu`, `menu.items` and `menu.items.dish` are three levels of one branch. */
function names(paths: readonly (readonly string[])[]): ReadonlyMap<string, PopulateOptions> {
  const rests = new Map<string, (readonly string[])[]>()
  for (const [first = '', ...rest] of paths) {
    const known = rests.get(first) ?? []
    rests.set(first, rest.length === 0 ? known : [...known, rest])
  }
  return new Map(
    [...rests].map(([first, deeper]) => [first, deeper.length === 0 ? true : { names: names(deeper) }]),
  )
}

/** The options of a wish; a key that is not among `allowed` is refused. */
export function optionsOf(
  context: ParseContext,
  wish: PopulateOptions,
  allowed: readonly string[],
  path: readonly string[],
): ParamObject {
  if (wish === true || 'names' in wish) return {}
  for (const key of Object.keys(wish.options))
    if (!allowed.includes(key)) return refuseKey(context, key, path, allowed)
  return wish.options
}

/** `on[<name>]=true` or `on[<name>][…]`; an empty value asks for none. */
export function parseOn(
  context: ParseContext,
  on: Param,
  path: readonly string[],
): (readonly [string, PopulateOptions | false])[] {
  if (on === '') return []
  if (!isObject(on)) return refuseValue(context, path, 'expected an object by component name')
  return Object.entries(on).map(([uid, value]): readonly [string, PopulateOptions | false] => {
    if (isObject(value)) return [uid, { options: value }]
    const word = value === '*' ? true : parseBoolean(value)
    return [uid, word ?? refuseValue(context, [...path, uid], 'expected true or an object')]
  })
}

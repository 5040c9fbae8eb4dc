/** The forms of the `populate` parameter, read into one: what is asked of each name. */
import { isObject } from '../../project/values.ts'
import { booleanWord } from '../boolean-word.ts'
import { listOf, type Param, type ParamObject } from '../params.ts'
import { mistaken, namesOf, type Reading, refuse } from '../parse-context.ts'

/**
 * What was asked of each name: `true`, or an object with fields, filters, sort, populate, on, count, start, limit. With
 * `false` nothing is, but the name must be one that could be asked for.
 */
export type Asked = '*' | ReadonlyMap<string, Wish | false>
export type Wish = true | { readonly names: ReadonlyMap<string, Wish> } | { readonly options: ParamObject }

export const NOTHING: ReadonlyMap<string, Wish> = new Map()

/** Reads every form of `populate` into one. What has commas is split at the top only. */
export function asked(reading: Reading, input: Param | undefined, top: boolean): Asked {
  if (input === undefined) return NOTHING
  const word = typeof input === 'string' ? input.trim() : input
  if (word === '*' || word === 'true' || word === true) return '*'
  const texts = typeof input === 'string' ? [input] : listOf(input)
  if (texts) {
    const paths = texts.flatMap((text) => {
      if (typeof text !== 'string') return mistaken(reading, [], 'expected a list of names')
      return (top ? text.split(',') : [text]).map((path) => namesOf(reading, path))
    })
    return names(paths)
  }
  if (!isObject(input)) return mistaken(reading, [], 'expected names, a list or an object')
  const wishes = new Map<string, Wish | false>()
  for (const [name, value] of Object.entries(input)) {
    const word = value === '*' ? true : booleanWord(value)
    if (isObject(value)) wishes.set(name, { options: value })
    else if (word !== null) wishes.set(name, word)
    else if (typeof value !== 'string') return mistaken(reading, [name], 'expected true or an object')
    else return refuse(reading, value, [name])
  }
  return wishes
}

/** Dotted names make a tree: `menu`, `menu.items` and `menu.items.dish` are three levels of one branch. */
function names(paths: readonly (readonly string[])[]): ReadonlyMap<string, Wish> {
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
  reading: Reading,
  wish: Wish,
  allowed: readonly string[],
  path: readonly string[],
): ParamObject {
  if (wish === true || 'names' in wish) return {}
  for (const key of Object.keys(wish.options))
    if (!allowed.includes(key)) return refuse(reading, key, path, allowed)
  return wish.options
}

/** `on[<name>]=true` or `on[<name>][…]`; an empty value asks for none. */
export function fragments(
  reading: Reading,
  on: Param,
  path: readonly string[],
): (readonly [string, Wish | false])[] {
  if (on === '') return []
  if (!isObject(on)) return mistaken(reading, path, 'expected an object by component name')
  return Object.entries(on).map(([uid, value]): readonly [string, Wish | false] => {
    if (isObject(value)) return [uid, { options: value }]
    const word = value === '*' ? true : booleanWord(value)
    return [uid, word ?? mistaken(reading, [...path, uid], 'expected true or an object')]
  })
}

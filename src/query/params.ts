/** A query string becomes a tree of plain objects, lists and strings, within bounds. */
import qs from 'qs'
import { errors } from '../errors.ts'
import type { Config } from '../project/config/config.ts'
import { nearest } from '../project/suggest.ts'
import { isObject } from '../project/values.ts'

export type Bounds = Config['api']['rest']['bounds']

/** What a parameter can hold. Values of row rules come from JSON and may be numbers, booleans or null as well. */
export type Param = string | number | boolean | null | readonly Param[] | ParamObject
export interface ParamObject {
  readonly [key: string]: Param
}

/** Parses bracket notation. Past a bound it throws a ValidationError that names the bound. */
export function parseParams(raw: string, bounds: Bounds): ParamObject {
  if (raw === '') return {}
  if (raw.includes('%00') || raw.includes('\0'))
    throw errors.invalid('A query string cannot hold a NUL character')
  refusePrototype(raw)
  try {
    return checked(
      qs.parse(raw, {
        depth: bounds.depth,
        strictDepth: true,
        parameterLimit: bounds.keys,
        arrayLimit: bounds.listLength,
        throwOnLimitExceeded: true,
        plainObjects: true,
        allowPrototypes: true,
      }),
    )
  } catch (error) {
    if (error instanceof RangeError) {
      throw errors.invalid(
        `The query string is too large: at most ${bounds.keys} parameters, ${bounds.depth} levels and ${bounds.listLength} entries in a list, with indexes up to ${bounds.listLength - 1}`,
      )
    }
    throw error
  }
}

/** The parser drops this name without a word; a filter that is not applied would show everything. */
function refusePrototype(raw: string): void {
  if (!/proto|%/i.test(raw)) return
  for (const part of raw.split('&')) {
    const [name = ''] = part.split('=', 1)
    if (decoded(name).includes('__proto__'))
      throw errors.invalidKey({ key: '__proto__', path: null, source: 'query' })
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parameters as a query string. */
export const rawQueryOfParams = (params: ParamObject): string =>
  qs.stringify(params, { encodeValuesOnly: true })

/** Parameters given as JSON, in a row rule or by code. */
export const paramsOf = (value: Readonly<Record<string, unknown>>): ParamObject => checked(value)

/** The parser's result holds only strings, lists and objects of them; this tells the type checker so. */
function checked(value: Record<string, unknown>): ParamObject {
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, checkedValue(child)]))
}

function checkedValue(value: unknown): Param {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(checkedValue)
  if (typeof value === 'object' && value !== null) return checked(Object.fromEntries(Object.entries(value)))
  return null
}

/** The entries of a list; an object whose keys are all indexes (a sparse list) counts as one. Null when it is no list. */
export function listOf(value: Param): readonly Param[] | null {
  if (isList(value)) return value
  if (!isObject(value)) return null
  const keys = Object.keys(value)
  if (keys.length === 0 || !keys.every((key) => /^\d+$/.test(key))) return null
  return keys.sort((a, b) => Number(a) - Number(b)).flatMap((key) => value[key] ?? [])
}

/** The names in a text or a list of texts, split at commas, without the blanks around them; null when there is more in it. */
export function namesInList(value: Param): string[] | null {
  const names: string[] = []
  for (const text of listOf(value) ?? [value]) {
    if (typeof text !== 'string') return null
    names.push(...text.split(',').map((name) => name.trim()))
  }
  return names
}

const isList = (value: Param): value is readonly Param[] => Array.isArray(value)

/** Refuses parameters that are not among those that are known. */
export function refuseUnknownParams(params: ParamObject, known: readonly string[]): void {
  for (const key of Object.keys(params))
    if (!known.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'query', meant: nearest(key, known) })
}

/** The parameters of a query: a tree of plain objects, lists and scalars. */
import { errors } from '../errors.ts'
import type { Config } from '../project/config/config.ts'
import { nearest } from '../project/suggest.ts'
import { isObject } from '../project/values.ts'

export type Bounds = Config['api']['rest']['bounds']

/** A parameter. From a query string all values are strings; from JSON and code they can be numbers, booleans or null. */
export type Param = string | number | boolean | null | readonly Param[] | ParamObject
export interface ParamObject {
  readonly [key: string]: Param
}

/** Parameters from a parsed query string, from JSON or from code. Members that are undefined are left out. */
export const paramsOf = (value: Readonly<Record<string, unknown>>): ParamObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => (child === undefined ? [] : [[key, paramOf(child)]])),
  )

function paramOf(value: unknown): Param {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(paramOf)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? paramsOf({ ...value }) : null
}

/** The items of a list. An object whose keys are all indexes is a sparse list. Null when the value is not a list. */
export function listOf(value: Param): readonly Param[] | null {
  if (isList(value)) return value
  if (!isObject(value)) return null
  const keys = Object.keys(value)
  if (keys.length === 0 || !keys.every((key) => /^\d+$/.test(key))) return null
  return keys.sort((a, b) => Number(a) - Number(b)).flatMap((key) => value[key] ?? [])
}

/** The comma-separated names in a string or an array of strings, trimmed; null when the value contains anything else. */
export function namesInList(value: Param): string[] | null {
  const names: string[] = []
  for (const text of listOf(value) ?? [value]) {
    if (typeof text !== 'string') return null
    names.push(...text.split(',').map((name) => name.trim()))
  }
  return names
}

const isList = (value: Param): value is readonly Param[] => Array.isArray(value)

/** Refuses unknown parameters. */
export function refuseUnknownParams(params: ParamObject, known: readonly string[]): void {
  for (const key of Object.keys(params))
    if (!known.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'query', meant: nearest(key, known) })
}

/** Turns arguments into the parameters of a content request. */
import { errors } from '../../errors.ts'
import { inexactSource } from '../../model/inexact-numbers.ts'
import { isObject, type Values } from '../../project/values.ts'
import type { Param, ParamObject } from '../../query/params.ts'

/** The parameters of these names that the arguments have. */
export function queryOf(given: Values, names: readonly string[]): ParamObject {
  return Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined ? [] : [[name, paramOf(given[name], name)]])),
  )
}

/** The page that the arguments name, if any. */
export function paginationOf(given: Values): ParamObject {
  const pagination = queryOf(given, ['page', 'pageSize'])
  return Object.keys(pagination).length > 0 ? { pagination } : {}
}

/**
 * A parameter that is the same after it was sent in a query string. Empty lists and objects and null would disappear from
 * it, and a filter that disappears would find every document.
 */
function paramOf(value: unknown, path: string): Param {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw errors.invalidArgument(path, 'must be well-formed Unicode without NUL characters')
    return value
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.length > 0)
    return value.map((item, index) => memberOf(value, item, String(index), path))
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => {
        if (key === '' || /[[\]&=%#+]/.test(key))
          throw errors.invalidArgument(path, `has the invalid key ${key}`)
        return [key, memberOf(value, child, key, path)]
      }),
    )
  throw errors.invalidArgument(
    path,
    value === null ? 'must not be null; use $null or $notNull' : 'must not be empty',
  )
}

/** A member of an object or list. A number that lost digits is passed on as it was sent, to be refused. */
const memberOf = (holder: object, member: unknown, key: string, path: string): Param =>
  inexactSource(holder, key) ?? paramOf(member, `${path}.${key}`)

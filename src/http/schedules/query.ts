/** Reads single values of a query string. */
import { errors } from '../../errors.ts'
import type { ParamObject } from '../../query/params.ts'

/** A parameter that is sent at most once; undefined without it. */
export function textIn(query: ParamObject, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || value.includes('\0'))
    throw errors.invalidParameter(name, null, 'expected a string')
  return value
}

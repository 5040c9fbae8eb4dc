/** Parses the `pagination` parameter: by page, by offset or by cursor, within the configured limits. */
import { errors } from '../errors.ts'
import type { Config } from '../project/config/config.ts'
import { isObject } from '../project/values.ts'
import type { Cursors } from './cursor.ts'
import type { Param, ParamObject } from './params.ts'
import { parseBoolean } from './parse-boolean.ts'
import { type ParseContext, refuseValue } from './parse-context.ts'

export type Page = { readonly withCount: boolean; readonly start: number; readonly limit: number } & (
  | { readonly mode: 'page'; readonly page: number }
  | { readonly mode: 'offset' }
  /** Null for the start of the list. */
  | { readonly mode: 'cursor'; readonly cursor: string | null }
)

type Limits = Pick<Config['api']['rest'], 'defaultLimit' | 'maxLimit'>

/** The requested page. Numbers above the maximum or below the minimum are replaced by it. */
export function parsePagination(context: ParseContext, params: ParamObject, limits: Limits): Page {
  if (params.page !== undefined || params.pageSize !== undefined) {
    throw errors.pagination('Write page and pageSize inside pagination, as in pagination[page]=2')
  }
  const input = params.pagination ?? ''
  if (input !== '' && !isObject(input))
    return refuseValue(context, [], 'expected an object, such as pagination[page]=2')
  const given = isObject(input) ? input : {}
  const read = (key: string) => integerParam(context, given[key], [key])
  const page = read('page')
  const pageSize = read('pageSize')
  const start = read('start')
  const limit = read('limit')
  const byCursor = given.cursor !== undefined
  // A count costs as much as reading the whole list, which cursors are meant to avoid.
  const withCount = given.withCount === undefined ? !byCursor : parseBoolean(given.withCount)
  if (withCount === null) return refuseValue(context, ['withCount'], 'expected true or false')

  const byPage = given.page !== undefined || given.pageSize !== undefined
  const byOffset = given.start !== undefined || given.limit !== undefined
  if (byCursor && (given.page !== undefined || given.start !== undefined)) {
    throw errors.pagination('Use cursor with pageSize or limit, not with page or start')
  }
  if (byPage && byOffset) {
    throw errors.pagination('Use either page with pageSize or start with limit, not both')
  }
  const size = Math.min(Math.max((byOffset ? limit : pageSize) ?? limits.defaultLimit, 1), limits.maxLimit)
  if (byCursor)
    return { mode: 'cursor', withCount, start: 0, limit: size, cursor: cursorParam(context, given) }
  if (byOffset) return { mode: 'offset', withCount, start: Math.max(start ?? 0, 0), limit: size }
  const number = Math.max(page ?? 1, 1)
  return {
    mode: 'page',
    withCount,
    page: number,
    start: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER),
    limit: size,
  }
}

function cursorParam(context: ParseContext, { cursor = '' }: ParamObject): string | null {
  if (typeof cursor !== 'string')
    return refuseValue(context, ['cursor'], 'expected start, or a cursor from a response')
  return cursor === '' || cursor === 'start' ? null : cursor
}

/** An integer, limited to the safe range; null when it is absent or empty. */
export function integerParam(
  context: ParseContext,
  value: Param | undefined,
  path: readonly string[],
): number | null {
  if (value === undefined || value === '') return null
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value))
    return refuseValue(context, path, 'expected an integer')
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER))
}

/** Refuses a cursor where the response is a list without meta. */
export function refuseCursor({ pagination = '' }: ParamObject): void {
  if (isObject(pagination) && pagination.cursor !== undefined) {
    throw errors.invalidParameter(
      'pagination',
      'cursor',
      'the response of this list has no meta and cannot include cursors; use start and limit',
    )
  }
}

/** The `pagination` of a response's meta. */
export function pageMeta(
  page: Page,
  total: number | null,
  cursors: Cursors | null,
): Record<string, number | string | null> {
  const counted = total === null ? {} : { total }
  switch (page.mode) {
    case 'offset':
      return { start: page.start, limit: page.limit, ...counted }
    case 'cursor':
      return {
        pageSize: page.limit,
        ...counted,
        nextCursor: cursors?.next ?? null,
        previousCursor: cursors?.previous ?? null,
      }
    case 'page': {
      const pageCount = total === null ? {} : { pageCount: Math.ceil(total / page.limit) }
      return { page: page.page, pageSize: page.limit, ...pageCount, ...counted }
    }
  }
}

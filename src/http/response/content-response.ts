/** The response to a content request: a status, headers, and JSON in the `{data, meta}` envelope. */
import { hash } from 'node:crypto'
import { isObject, type Values } from '../../project/values.ts'
import { pageMeta } from '../../query/pagination.ts'
import type { DocumentResult, ListResult } from '../../reads/results.ts'

export interface ContentResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON; null for an empty body. */
  readonly body: string | Buffer | null
  /** Set when `body` is a string that holds one byte of the UTF-8 text per character. */
  readonly encoding?: 'latin1'
}

export const JSON_TYPE = 'application/json; charset=utf-8'

type Headers = ContentResponse['headers']

/** `{data: […], meta: {pagination}}`, with these headers. */
export function listResponse(
  { page, total, cursors, omitted }: ListResult,
  data: string,
  headers: Headers,
): ContentResponse {
  const pagination = JSON.stringify(pageMeta(page, total, cursors))
  return {
    status: 200,
    headers: withOmitted(headers, omitted),
    body: `{"data":${data},"meta":{"pagination":${pagination}}}`,
  }
}

/** `{data: {…}, meta: {}}`, with these headers and an ETag that If-Match can use: the version, then a hash of the content. */
export function documentResponse(
  status: 200 | 201,
  { data: read, version, omitted }: DocumentResult,
  data = read,
  headers: Headers = {},
): ContentResponse {
  const etag = `"${version}-${hash('sha1', data, 'base64url')}"`
  return { status, headers: withOmitted({ etag, ...headers }, omitted), body: `{"data":${data},"meta":{}}` }
}

/** The parsed body of a response; an empty object if it has none. */
export function jsonIn({ body, encoding }: ContentResponse): Values {
  const text = typeof body === 'string' && encoding ? Buffer.from(body, encoding) : (body ?? 'null')
  const parsed: unknown = JSON.parse(String(text))
  return isObject(parsed) ? parsed : {}
}

/** Lists the populated paths that were left out because the caller may not see them. */
const withOmitted = (headers: Headers, omitted: readonly string[]): Headers =>
  omitted.length > 0 ? { ...headers, 'octavo-omitted': omitted.join(', ') } : headers

/** The same response, or 304 without a body when If-None-Match names its ETag. */
export const revalidate = (response: ContentResponse, ifNoneMatch: string): ContentResponse =>
  matchesETag(ifNoneMatch, response.headers.etag)
    ? { status: 304, headers: response.headers, body: null }
    : response

/** Whether an If-None-Match header names an ETag; `*` matches any. */
export function matchesETag(ifNoneMatch: string, etag: string | undefined): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return ifNoneMatch.trim() === '*' || (etag !== undefined && tags.includes(etag))
}

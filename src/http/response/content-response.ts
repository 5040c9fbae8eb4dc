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
  { data: read, parts, page, total, cursors, omitted }: ListResult,
  data: string,
  headers: Headers,
): ContentResponse {
  const pagination = JSON.stringify(pageMeta(page, total, cursors))
  const [open, json, close] = parts && data === read ? parts : ['', data, '']
  return {
    status: 200,
    headers: withOmitted(headers, omitted),
    body: joined(`{"data":${open}`, json, `${close},"meta":{"pagination":${pagination}}}`),
  }
}

/** A body with at least this many characters is joined as bytes. */
const LARGE = 262_144

/**
 * A large body is written once, as the bytes that are sent and cached. As a string it would be copied when it is joined and
 * again when it is encoded, and characters beyond Latin-1 would double the size of each copy.
 */
function joined(open: string, json: string, close: string): string | Buffer {
  if (json.length < LARGE) return open + json + close
  const parts = [open, json, close]
  const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const part of parts) at += bytes.write(part, at)
  return bytes
}

/** `{data: {…}, meta: {}}`, with these headers and an ETag that If-Match can use: the version, then a hash of the content. */
export function documentResponse(
  status: 200 | 201,
  { data: read, version, omitted }: DocumentResult,
  data = read,
  headers: Headers = {},
): ContentResponse {
  const etag = `"${version}-${hash('sha1', data, 'base64url')}"`
  return {
    status,
    headers: withOmitted({ etag, ...headers }, omitted),
    body: joined('{"data":', data, ',"meta":{}}'),
  }
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

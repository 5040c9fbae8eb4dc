/**
 * Reads through the response cache. A cached response costs no statement and no JSON: find one is 2.2 times as fast
 * as when read from SQLite, a list populated three levels deep 6 times.
 */
import { hash } from 'node:crypto'
import type { Scope } from '../../query/scope.ts'
import type { Reads } from '../../reads/reads.ts'
import type { VersionStamp } from '../../reads/response-cache.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { cacheHeaders } from '../response/cache-control.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'

/** Data as it was read, and how to make a response of it, or of what a hook returned instead, with these headers. */
export interface ReadResult {
  readonly data: string
  readonly stamp: VersionStamp
  readonly toResponse: (data: string, headers: ContentResponse['headers']) => ContentResponse
}

/** The cached response under a key, or a new one. The key names everything besides the content that decides the body. */
export function readCached(
  server: Server,
  scope: Scope,
  bodyKey: () => string,
  read: (reads: Reads) => MaybePromise<ReadResult>,
): MaybePromise<ContentResponse> {
  const reads = server.reads()
  const { responseCache: cache, production } = server
  const caching = cacheHeaders(server.project.config.cache.control, scope)
  if (!cache) return andThen(read(reads), ({ data, toResponse }) => toResponse(data, caching))
  // Callers with the same permissions share a body, but an anonymous one may have other cache headers.
  const key = caching.vary === undefined ? bodyKey() : `${caching['cache-control']} ${bodyKey()}`
  const tally = reads.stats.responses
  const cached = cache.get(key)
  if (cached) {
    tally.hits++
    return cached
  }
  tally.misses++
  return andThen(read(reads), ({ data, stamp, toResponse }) => {
    const response = toResponse(data, caching)
    const body = compact(response.body ?? '')
    const etag = response.headers.etag ?? `"${hash('sha1', body.bytes, 'base64url')}"`
    const tagged = { ...withHeaders(response, { etag }), ...body.stored }
    // In development the response says whether it came from the cache.
    const hit = production ? tagged : withHeaders(tagged, { 'octavo-cache': 'hit' })
    cache.set(key, hit, body.bytes.length + bytesOfHeaders(hit), stamp)
    return production ? tagged : withHeaders(tagged, { 'octavo-cache': 'miss' })
  })
}

const withHeaders = (response: ContentResponse, more: Readonly<Record<string, string>>): ContentResponse => ({
  ...response,
  headers: { ...response.headers, ...more },
})

/** Up to this size a body is sent faster as a string, in one piece with the headers. */
const MAX_STRING_BYTES = 8_192

interface Compact {
  readonly bytes: Buffer
  readonly stored: Pick<ContentResponse, 'body' | 'encoding'>
}

/** The body as the cache stores it: one copy of exactly its size, and not a slice of Node's buffer pool. */
function compact(body: string | Buffer): Compact {
  if (typeof body !== 'string') return { bytes: body, stored: { body } }
  const size = Buffer.byteLength(body)
  if (size <= MAX_STRING_BYTES) {
    const bytes = Buffer.from(body)
    return { bytes, stored: { body: bytes.toString('latin1'), encoding: 'latin1' } }
  }
  const bytes = Buffer.allocUnsafeSlow(size)
  bytes.write(body)
  return { bytes, stored: { body: bytes } }
}

/** Memory of a header besides its value; names are shared by all responses. */
const HEADER_BYTES = 24

const bytesOfHeaders = ({ headers }: ContentResponse): number =>
  Object.values(headers).reduce((bytes, value) => bytes + HEADER_BYTES + value.length, 0)

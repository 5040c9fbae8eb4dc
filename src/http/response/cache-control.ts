/** Decides who may store a response. */
import type { FastifyInstance } from 'fastify'
import type { Scope } from '../../query/scope.ts'

type CacheHeaders = Readonly<Record<string, string>>

/** By `cache.control`, so that they are not composed again for every read. */
const composed = new Map<string, { readonly anonymous: CacheHeaders; readonly others: CacheHeaders }>()

/**
 * The cache headers of a read: those of `cache.control` for anonymous callers, and for all others without permission for
 * shared caches to store the response. Caches must store it for one credential only.
 */
export function cacheHeaders(configured: string, { principal }: Scope): CacheHeaders {
  let headers = composed.get(configured)
  if (!headers) {
    headers = { anonymous: headersOf(configured), others: headersOf(privateControl(configured)) }
    composed.set(configured, headers)
  }
  return principal.kind === 'public' ? headers.anonymous : headers.others
}

function headersOf(control: string): CacheHeaders {
  // Nothing is reused without asking the server, which checks the credential.
  const isAlwaysChecked = /\bno-(?:cache|store)\b/i.test(control)
  return isAlwaysChecked && !/\bpublic\b/i.test(control)
    ? { 'cache-control': control }
    : { 'cache-control': control, vary: 'Authorization' }
}

const SHARED_DIRECTIVES = /^(?:public|s-maxage=.*|proxy-revalidate)$/i
const PRIVATE_DIRECTIVES = /^(?:private|no-store)$/i

function privateControl(configured: string): string {
  const directives = configured.split(',').map((directive) => directive.trim())
  if (directives.some((directive) => PRIVATE_DIRECTIVES.test(directive))) return configured
  return ['private', ...directives.filter((directive) => !SHARED_DIRECTIVES.test(directive))].join(', ')
}

/** For routes about users, roles and files: no cache stores their responses, unless a route says otherwise. */
export function forbidStoring(routes: FastifyInstance): void {
  routes.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'private, no-store')
  })
}

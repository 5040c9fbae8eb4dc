/** Documentation for people who use the server: the OpenAPI document, and a page to read it and try requests. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isAdmin } from '../../access/credentials/callers.ts'
import type { Model } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import { onDemand } from '../../store/on-demand.ts'
import { path } from '../method-routes.ts'
import type { CustomRoute } from '../openapi/paths/custom.ts'
import { PAGE_HEADERS } from '../response/common-headers.ts'
import { JSON_TYPE, matchesETag } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { DOCS_PAGE, DOCS_SCRIPT } from './page.ts'

const KEPT_DOCUMENTS = 50

/** Adds `/api/openapi.json`, for each caller what they may use, and the page at `/docs`. */
export function docsRoutes(app: FastifyInstance, server: Server, routes: readonly CustomRoute[]): void {
  const documentFor = rememberDocuments(server, routes)
  path(app, '/api/openapi.json', {
    GET: async (request, reply) => {
      const { authorization } = request.headers
      const scope = await server.access.scopeOf(authorization)
      const caller = await server.access.callerOf(authorization)
      reply.header('cache-control', 'private, no-cache')
      const document = documentFor(scope, caller !== null && isAdmin(caller))
      return send(request, reply, await document, 'Authorization')
    },
  })

  const asset = rememberAssets()
  for (const [url, name] of ASSETS) {
    path(app, url, {
      GET: async (request, reply) => {
        reply.header('cache-control', 'no-cache')
        return send(request, reply, await asset(name))
      },
    })
  }
  path(app, '/docs', {
    GET: async (request, reply) => {
      reply.headers(PAGE_HEADERS).header('content-security-policy', PAGE_POLICY)
      reply.header('cache-control', 'no-cache')
      return send(request, reply, await page())
    },
  })
}

/** The page loads from this server alone, and nothing on it runs that is not in its files. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface File {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

async function fileOf(type: string, content: string | Buffer): Promise<File> {
  const plain = Buffer.from(content)
  return { type, etag: `"${hash('sha1', plain, 'base64url')}"`, plain, gzipped: await promisify(gzip)(plain) }
}

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, gzipped }: File,
  ...varies: readonly string[]
) {
  const vary = [reply.getHeader('vary'), 'Accept-Encoding', ...varies].filter((name) => name !== undefined)
  reply.header('etag', etag).header('vary', vary.join(', '))
  const known = headers['if-none-match']
  if (known && matchesETag(known, etag)) return reply.code(304).send()
  reply.header('content-type', type)
  const small = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  return small ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
}

/** Documents by model and by what the caller may do; a new model leaves those of the old one behind. */
function rememberDocuments(
  server: Server,
  routes: readonly CustomRoute[],
): (scope: Scope, admin: boolean) => Promise<File> {
  const known = new WeakMap<Model, LRUCache<string, () => Promise<File>>>()
  const write = async (model: Model, scope: Scope, admin: boolean) => {
    // Loaded by the first who asks.
    const { openApiDocument } = await import('../openapi/document.ts')
    const positions = server.store.positions !== undefined
    const { config } = server.project
    const document = openApiDocument({ model, config, scope, admin, explains: admin, positions, routes })
    return fileOf(JSON_TYPE, JSON.stringify(document))
  }
  return (scope, admin) => {
    const { model } = server.layout()
    const documents = known.get(model) ?? new LRUCache({ max: KEPT_DOCUMENTS })
    known.set(model, documents)
    const key = `${scope.principal.kind} ${admin} ${scope.key}`
    const file = documents.get(key) ?? onDemand(() => write(model, scope, admin))
    documents.set(key, file)
    return file()
  }
}

const ASSETS: readonly (readonly [url: string, name: string])[] = [
  ['/docs/swagger-ui.css', 'swagger-ui.css'],
  ['/docs/swagger-ui.js', 'swagger-ui-bundle.js'],
  ['/docs/start.js', 'start.js'],
]

/** Where the package with this package.json keeps them; a path may hold what means something else in an address. */
export const assetsBeside = (packageFile: string): URL => new URL('static/', pathToFileURL(packageFile))

/** The assets of the page, read when they are first asked for. */
function rememberAssets(): (name: string) => Promise<File> {
  const folder = assetsBeside(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json'))
  const known = new Map<string, () => Promise<File>>()
  return (name) => {
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    const content = async () => (name === 'start.js' ? DOCS_SCRIPT : readFile(new URL(name, folder)))
    const file = known.get(name) ?? onDemand(async () => fileOf(type, await content()))
    known.set(name, file)
    return file()
  }
}

const page = onDemand(() => fileOf('text/html; charset=utf-8', DOCS_PAGE))

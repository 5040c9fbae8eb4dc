/** The OpenAPI document at `/api/openapi.json`, and Swagger UI at `/docs` to read it and try requests. */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isAdmin } from '../../access/credentials/callers.ts'
import type { Project } from '../../model/load-project.ts'
import type { Model } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import { onDemand } from '../../store/on-demand.ts'
import { declareRoute } from '../method-routes.ts'
import type { CustomRoute } from '../openapi/paths/custom.ts'
import { PAGE_HEADERS } from '../response/common-headers.ts'
import { JSON_TYPE, matchesETag } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { guideRoutes } from './guide/routes.ts'
import { DOCS_SCRIPT, renderDocsPage } from './page.ts'

const CACHED_DOCUMENTS = 50

export function docsRoutes(app: FastifyInstance, server: Server, routes: readonly CustomRoute[]): void {
  const documentFor = createDocumentCache(server, routes)
  declareRoute(app, '/api/openapi.json', {
    GET: async (request, reply) => {
      const { authorization } = request.headers
      const scope = await server.access.scopeOf(authorization)
      const caller = await server.access.callerOf(authorization)
      reply.header('cache-control', 'private, no-cache')
      const document = documentFor(scope, caller !== null && isAdmin(caller))
      return send(request, reply, await document, 'Authorization')
    },
  })
}

/** The page at `/docs`, and the guides. */
export function docsPage(app: FastifyInstance, { name }: Project): void {
  guideRoutes(app)
  const page = onDemand(() => createFile('text/html; charset=utf-8', renderDocsPage(name ?? 'Content API')))
  const asset = createAssetLoader()
  for (const [url, name] of ASSETS) {
    declareRoute(app, url, {
      GET: async (request, reply) => {
        reply.header('cache-control', 'no-cache')
        return send(request, reply, await asset(name))
      },
    })
  }
  declareRoute(app, '/docs', {
    GET: async (request, reply) => {
      reply.headers(PAGE_HEADERS).header('content-security-policy', PAGE_POLICY)
      reply.header('cache-control', 'no-cache')
      return send(request, reply, await page())
    },
  })
}

/** The page loads files from this server only, and runs no inline script. */
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

interface StaticFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

async function createFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const plain = Buffer.from(content)
  return { type, etag: `"${hash('sha1', plain, 'base64url')}"`, plain, gzipped: await promisify(gzip)(plain) }
}

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, gzipped }: StaticFile,
  ...varies: readonly string[]
) {
  const vary = [reply.getHeader('vary'), 'Accept-Encoding', ...varies].filter((name) => name !== undefined)
  reply.header('etag', etag).header('vary', vary.join(', '))
  const cached = headers['if-none-match']
  if (cached && matchesETag(cached, etag)) return reply.code(304).send()
  reply.header('content-type', type)
  const acceptsGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  return acceptsGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
}

/** Caches documents by model and scope: they list only what the caller may use. */
function createDocumentCache(
  server: Server,
  routes: readonly CustomRoute[],
): (scope: Scope, admin: boolean) => Promise<StaticFile> {
  const cache = new WeakMap<Model, LRUCache<string, () => Promise<StaticFile>>>()
  const build = async (model: Model, scope: Scope, admin: boolean) => {
    // Loaded on first use: most servers start without serving the document.
    const { buildOpenApiDocument } = await import('../openapi/document.ts')
    const positions = server.store.positions !== undefined
    const { config, name } = server.project
    const document = buildOpenApiDocument({
      model,
      config,
      title: name,
      scope,
      isAdmin: admin,
      canExplain: admin,
      hasPositions: positions,
      routes,
    })
    return createFile(JSON_TYPE, JSON.stringify(document))
  }
  return (scope, admin) => {
    const { model } = server.layout()
    const documents = cache.get(model) ?? new LRUCache({ max: CACHED_DOCUMENTS })
    cache.set(model, documents)
    const key = `${scope.principal.kind} ${admin} ${scope.key}`
    const file = documents.get(key) ?? onDemand(() => build(model, scope, admin))
    documents.set(key, file)
    return file()
  }
}

const ASSETS: readonly (readonly [url: string, name: string])[] = [
  ['/docs/swagger-ui.css', 'swagger-ui.css'],
  ['/docs/swagger-ui.js', 'swagger-ui-bundle.js'],
  ['/docs/start.js', 'start.js'],
]

/** Reads each asset when it is first requested, and keeps it in memory. */
function createAssetLoader(): (name: string) => Promise<StaticFile> {
  const cache = new Map<string, () => Promise<StaticFile>>()
  return (name) => {
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    const content = async () => (name === 'start.js' ? DOCS_SCRIPT : readFile(swaggerUiFile(name)))
    const file = cache.get(name) ?? onDemand(async () => createFile(type, await content()))
    cache.set(name, file)
    return file()
  }
}

/** The published package contains the files of Swagger UI; in a checkout they are those of its npm package. */
function swaggerUiFile(name: string): URL | string {
  const packaged = new URL(`../../swagger-ui/${name}`, import.meta.url)
  return existsSync(packaged) ? packaged : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
}

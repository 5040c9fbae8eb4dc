/** Serves stored files under `/uploads`: cacheable forever, and never as an active page of this origin. */
import { mkdir } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { contentTypeOf, servedAs } from '../../media/files/file-types.ts'
import { isStorageKey } from '../../media/files/names.ts'
import { fileType, findByKey } from '../../media/files/records.ts'
import type { Library } from '../../media/library.ts'
import { CACHE_FOREVER, keyOfUrl, UPLOADS_PATH } from '../../media/storage/storage.ts'
import { FILE } from '../../model/model.ts'
import { onDemand } from '../../store/on-demand.ts'
import { permittedScope } from '../auth/permitted.ts'
import { declareRoute, pathParam } from '../method-routes.ts'
import type { Server } from '../server.ts'

const OUT_OF_RANGE = 416
const NOT_FOUND = 404

/** Handles ranges and conditional requests; loaded with the first request for a file. */
const sender = onDemand(async () => (await import('@fastify/send')).default)

/** Adds `/uploads/:key`: sends files of a local folder, or redirects to signed urls. */
export async function storedFileRoutes(
  app: FastifyInstance,
  server: Server,
  library: Library,
): Promise<void> {
  const { folder, sign } = library.storage
  if (folder !== null) await serveFolder(app, server, folder)
  else if (sign) redirectToSigned(app, server, sign)
}

async function serveFolder(app: FastifyInstance, server: Server, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const options = {
    root: folder,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    contentType: false,
  } as const
  declareRoute(app, `${UPLOADS_PATH}:key`, {
    async GET(request, reply) {
      const key = keyIn(request)
      const send = await sender()
      const { type, statusCode, headers, stream, metadata } = await send(request.raw, key, options)
      if (type === 'file') {
        setFileHeaders(reply, key)
        return reply.code(statusCode).headers(headers).send(stream)
      }
      if (type === 'directory') throw errors.notFound()
      if (statusCode === NOT_FOUND) return redirectToCurrent(server, key, reply)
      // Content-Range has the length of the file.
      if (statusCode === OUT_OF_RANGE)
        return reply.code(OUT_OF_RANGE).header('content-range', headers['Content-Range']).send()
      throw metadata.error
    },
  })
}

/** A file that was replaced or cropped keeps its former urls. Clients must ask again: it may be replaced once more. */
async function redirectToCurrent(server: Server, key: string, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findByKey(server.store, server.layout(), key)
  // A file whose bytes are missing would be redirected to itself.
  if (!found || keyOfUrl(found.url) === key) throw errors.notFound()
  reply.header('cross-origin-resource-policy', 'cross-origin').header('cache-control', 'no-cache')
  return reply.redirect(found.url, 302)
}

function keyIn(request: FastifyRequest): string {
  const key = pathParam(request, 'key')
  if (!isStorageKey(key)) throw errors.notFound()
  return key
}

function setFileHeaders(reply: FastifyReply, key: string): void {
  const { download, active } = servedAs(key)
  reply.header('content-type', contentTypeOf(key))
  reply.header('cache-control', CACHE_FOREVER)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cross-origin-resource-policy', 'cross-origin')
  if (download) reply.header('content-disposition', 'attachment')
  if (active) {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  } else {
    // Other sites may embed videos and documents in frames; they cannot run scripts.
    reply.removeHeader('content-security-policy')
  }
}

function redirectToSigned(
  app: FastifyInstance,
  server: Server,
  sign: (key: string) => Promise<string>,
): void {
  declareRoute(app, `${UPLOADS_PATH}:key`, {
    GET: async (request, reply) => {
      const key = keyIn(request)
      const url = await visibleUrl(server, request, key)
      reply.header('cross-origin-resource-policy', 'cross-origin').header('cache-control', 'no-store')
      return reply.redirect(await sign(keyOfUrl(url)), 302)
    },
  })
}

/** The url of the current contents; throws unless the caller may read the record of the file. */
async function visibleUrl(
  server: Server,
  { headers: { authorization } }: FastifyRequest,
  key: string,
): Promise<string> {
  const layout = server.layout()
  const found = await findByKey(server.store, layout, key)
  const documentId = found?.documentId ?? null
  const scope = await permittedScope({ server, authorization }, FILE, 'findOne', documentId)
  const isVisible =
    documentId !== null && (await server.reads().document(fileType(layout), documentId, {}, scope)) !== null
  if (!found || !isVisible) throw errors.notFound()
  return found.url
}

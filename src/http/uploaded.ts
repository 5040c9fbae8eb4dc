/** Serves stored files under `/uploads`: to be kept for ever by whoever has them, and never as a page of this server. */
import { mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { errors } from '../errors.ts'
import { UPLOADS_PATH } from '../media/disk.ts'
import { servedAs } from '../media/filetypes.ts'
import type { Library } from '../media/library.ts'
import { isStorageKey } from '../media/names.ts'
import { CACHE_FOREVER } from '../media/s3.ts'
import { FILE } from '../model/model.ts'
import { permitted } from './permitted.ts'
import type { Server } from './server.ts'

/** The status for a part that a file does not have. */
const OUT_OF_RANGE = 416

/** Adds `/uploads/:key` for files on disk, or for the signed addresses of a private bucket. */
export async function uploadedRoutes(app: FastifyInstance, server: Server, library: Library): Promise<void> {
  if (library.folder) await serveFromDisk(app, library.folder)
  else if (library.storage.sign) sendOnToBucket(app, server, library.storage.sign)
}

async function serveFromDisk(app: FastifyInstance, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    contentType: false,
    setHeaders: (reply, path) => describe(reply, basename(path)),
  })
  app.route<{ Params: { key: string } }>({
    method: ['GET', 'HEAD'],
    url: `${UPLOADS_PATH}:key`,
    handler: (request, reply) => {
      const { key } = request.params
      if (!isStorageKey(key)) throw errors.notFound()
      return reply.sendFile(key)
    },
    errorHandler(error, _request, reply) {
      if (error.statusCode !== OUT_OF_RANGE) throw error
      reply.code(OUT_OF_RANGE).send()
    },
  })
}

/** The headers of a file that was found. */
function describe(reply: FastifyReply, key: string): void {
  const { mime, download, active } = servedAs(key)
  reply.header('content-type', mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime)
  reply.header('cache-control', CACHE_FOREVER)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cross-origin-resource-policy', 'cross-origin')
  if (download) reply.header('content-disposition', 'attachment')
  if (active) {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  } else {
    // Films and documents may stand in frames of other sites; there is nothing in them to protect from that.
    reply.removeHeader('content-security-policy').removeHeader('x-frame-options')
  }
}

function sendOnToBucket(app: FastifyInstance, server: Server, sign: (key: string) => Promise<string>): void {
  app.route<{ Params: { key: string } }>({
    method: ['GET', 'HEAD'],
    url: `${UPLOADS_PATH}:key`,
    handler: async (request, reply) => {
      const { authorization } = request.headers
      await permitted({ server, authorization }, FILE, 'findOne')
      if (!isStorageKey(request.params.key)) throw errors.notFound()
      return reply.header('cache-control', 'no-store').redirect(await sign(request.params.key), 302)
    },
  })
}

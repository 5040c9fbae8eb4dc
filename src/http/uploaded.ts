/** Serves stored files under `/uploads`: to be kept for ever by whoever has them, and never as a page of this server. */
import { mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import { UPLOADS_PATH } from '../media/disk.ts'
import { servedAs } from '../media/filetypes.ts'
import type { Library } from '../media/library.ts'
import { isStorageKey } from '../media/names.ts'
import { CACHE_FOREVER } from '../media/s3.ts'
import { FILE } from '../model/model.ts'
import { isObject } from '../project/values.ts'
import { parameter, path } from './paths.ts'
import { permitted } from './permitted.ts'
import type { Server } from './server.ts'

/** The status for a part that a file does not have. */
const OUT_OF_RANGE = 416

/** Adds `/uploads/:key` for files on disk, or for the signed addresses of a private bucket. */
export async function uploadedRoutes(app: FastifyInstance, server: Server, library: Library): Promise<void> {
  const { folder, storage } = library
  if (folder) await app.register((scoped) => serveFromDisk(scoped, folder))
  else if (storage.sign) sendOnToBucket(app, server, storage.sign)
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
    setHeaders: (reply, file) => describe(reply, basename(file)),
  })
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.statusCode !== OUT_OF_RANGE) throw error
    return reply.code(OUT_OF_RANGE).headers(lengthIn(error)).send()
  })
  path(app, `${UPLOADS_PATH}:key`, { GET: async (request, reply) => reply.sendFile(keyIn(request)) })
}

/** The header with which a refusal of a part tells how long the file is. */
function lengthIn(error: object): Record<string, string> {
  const headers = 'headers' in error && isObject(error.headers) ? error.headers : {}
  const length = headers['Content-Range']
  return typeof length === 'string' ? { 'content-range': length } : {}
}

function keyIn(request: FastifyRequest): string {
  const key = parameter(request, 'key')
  if (!isStorageKey(key)) throw errors.notFound()
  return key
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
    reply.removeHeader('content-security-policy')
  }
}

function sendOnToBucket(app: FastifyInstance, server: Server, sign: (key: string) => Promise<string>): void {
  path(app, `${UPLOADS_PATH}:key`, {
    GET: async (request, reply) => {
      const { authorization } = request.headers
      await permitted({ server, authorization }, FILE, 'findOne')
      return reply.header('cache-control', 'no-store').redirect(await sign(keyIn(request)), 302)
    },
  })
}

/** Parses the bodies of requests: JSON and forms. A body of any other type is ignored. */

import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { checkInput, checkStructure } from '../../model/check-input.ts'
import { parseJsonExactly } from '../../model/inexact-numbers.ts'
import type { Bounds } from '../../query/params.ts'
import { CONTENT_PATHS } from '../content/paths.ts'
import { parseForm } from './query-string.ts'

export function addBodyParsers(app: FastifyInstance, bounds: Bounds): void {
  const json = async ({ headers, routeOptions }: FastifyRequest, bytes: Buffer) => {
    refuseUnsupportedEncoding(headers)
    return CONTENT_PATHS.includes(routeOptions.url ?? '')
      ? parseContentBody(bytes)
      : parseJson(bytes, checkInput)
  }
  const form = async ({ headers }: FastifyRequest, bytes: Buffer) => {
    refuseUnsupportedEncoding(headers)
    return parseForm(textOf(bytes), bounds)
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, json)
  app.addContentTypeParser<Buffer>(/^application\/[\w.+-]+\+json(;|$)/, { parseAs: 'buffer' }, json)
  app.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', { parseAs: 'buffer' }, form)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses a malformed content type before any parser runs. Without it the body is ignored like any other.
    const { headers } = request.raw
    if (headers['content-type'] !== undefined && request.mediaType === undefined)
      delete headers['content-type']
    done()
  })
}

/** Refuses bodies that are compressed or not UTF-8. */
export function refuseUnsupportedEncoding(headers: IncomingHttpHeaders): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw errors.unsupportedMediaType(`Unsupported content encoding: ${encoding}. Send the body uncompressed`)
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset))
    throw errors.unsupportedMediaType(`Unsupported charset: ${charset}. Send the body as UTF-8`)
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

function textOf(bytes: Buffer): string {
  // Decoding would silently replace invalid bytes, and the replacements would be stored.
  if (!isUtf8(bytes)) throw errors.syntax('The body is not valid UTF-8')
  return bytes.toString()
}

/** Parses the body of a content request. */
export const parseContentBody = (bytes: Buffer): unknown => parseJson(bytes, checkStructure)

/** Parses a JSON object or list; undefined for an empty body. */
function parseJson(bytes: Buffer, check: typeof checkInput): unknown {
  const text = textOf(bytes)
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = parseJsonExactly(text)
  } catch {
    throw errors.syntax('The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null)
    throw errors.syntax('The body must be a JSON object or list')
  check(value, 'The body')
  return value
}

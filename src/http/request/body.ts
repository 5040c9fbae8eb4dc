/** Bodies of requests: JSON and forms are parsed, anything else counts as no body. */

import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import { checkInput, checkStructure } from '../../model/check-input.ts'
import type { Bounds } from '../../query/params.ts'
import { CONTENT_PATHS } from '../content/paths.ts'
import { parseQueryString } from './query-string.ts'

/** Teaches the app to read bodies. */
export function readBodies(app: FastifyInstance, bounds: Bounds): void {
  const json = async ({ headers, routeOptions }: FastifyRequest, bytes: Buffer) => {
    refuseEncoded(headers)
    return CONTENT_PATHS.includes(routeOptions.url ?? '') ? parseContent(bytes) : parseJson(bytes, checkInput)
  }
  const form = async ({ headers }: FastifyRequest, bytes: Buffer) => {
    refuseEncoded(headers)
    return parseQueryString(textOf(bytes), bounds)
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, json)
  app.addContentTypeParser<Buffer>(/^application\/[\w.+-]+\+json(;|$)/, { parseAs: 'buffer' }, json)
  app.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', { parseAs: 'buffer' }, form)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    // The framework refuses what is no content type before any parser is asked; as none at all it is like any other.
    const { headers } = request.raw
    if (headers['content-type'] !== undefined && request.mediaType === undefined)
      delete headers['content-type']
    done()
  })
}

/** Refuses bodies whose bytes stand for something else than UTF-8 text. */
export function refuseEncoded(headers: IncomingHttpHeaders): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw errors.unsupportedMediaType(
      `Bodies are read as they are, not with the content encoding ${encoding}`,
    )
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset))
    throw errors.unsupportedMediaType(`Bodies are read as UTF-8, not with the charset ${charset}`)
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

function textOf(bytes: Buffer): string {
  // Decoded as they are, other bytes would become replacement characters, and be stored as such.
  if (!isUtf8(bytes)) throw errors.syntax('The body is not valid UTF-8')
  return bytes.toString()
}

/** The body of a write to a generated endpoint. */
export const parseContent = (bytes: Buffer): unknown => parseJson(bytes, checkStructure)

/** A JSON object or list; an empty body is undefined. */
function parseJson(bytes: Buffer, check: typeof checkInput): unknown {
  const text = textOf(bytes)
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw errors.syntax('The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null)
    throw errors.syntax('The body must be a JSON object or list')
  check(value, 'The body')
  return value
}

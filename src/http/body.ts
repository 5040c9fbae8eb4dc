/** Bodies of requests: JSON and forms are parsed, anything else counts as no body. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import { checkInput } from '../model/input.ts'
import { type Bounds, parseParams } from '../query/params.ts'

/** Teaches the app to read bodies. */
export function readBodies(app: FastifyInstance, bounds: Bounds): void {
  const json = async (_request: FastifyRequest, text: string) => parseJson(text)
  const form = async (_request: FastifyRequest, text: string) => parseParams(text, bounds)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, json)
  app.addContentTypeParser<string>(/^application\/[\w.+-]+\+json(;|$)/, { parseAs: 'string' }, json)
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, form)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    // The framework refuses what is no content type before any parser is asked; as none at all it is like any other.
    const { headers } = request.raw
    if (headers['content-type'] !== undefined && request.mediaType === undefined)
      delete headers['content-type']
    done()
  })
}

/** A JSON object or list; an empty body is undefined. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw errors.syntax('The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null)
    throw errors.syntax('The body must be a JSON object or list')
  checkInput(value, 'The body')
  return value
}

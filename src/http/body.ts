/** Bodies of requests: JSON and forms are parsed, anything else counts as no body. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import { type Bounds, parseParams } from '../query/params.ts'

/** Nobody nests content deeper; the bound keeps the stack safe wherever a body is walked. */
const DEEPEST = 100

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
  inspect(value)
  return value
}

/** Refuses what no engine can keep or no code should meet: prototype keys, broken text, bottomless nesting. */
function inspect(root: object): void {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }]
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') checkText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEEPEST) throw errors.invalid(`The body is nested deeper than ${DEEPEST} levels`)
    for (const [key, child] of Object.entries(value)) {
      if (key === '__proto__' || (key === 'constructor' && isPrototypeHolder(child))) {
        throw errors.syntax(`The body holds the forbidden key ${key}`)
      }
      checkText(key)
      pending.push({ value: child, depth: depth + 1 })
    }
  }
}

const isPrototypeHolder = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw errors.invalid('Text must be well-formed Unicode without NUL characters')
  }
}

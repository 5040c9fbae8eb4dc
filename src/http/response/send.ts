/** Sends a content response, either on Node's own response object or through Fastify. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type ContentResponse, JSON_TYPE } from './content-response.ts'

/** Sends on Node's response object. `headers` holds the common headers, names and values alternating; it is extended. */
export function sendRaw(raw: ServerResponse, headers: string[], response: ContentResponse): void {
  const { status, body, encoding } = response
  for (const name in response.headers) headers.push(name, response.headers[name] ?? '')
  if (body === null) {
    if (status !== 204 && status !== 304) headers.push('content-length', '0')
    raw.writeHead(status, headers).end()
    return
  }
  const bytes = typeof body === 'string' && !encoding ? Buffer.byteLength(body) : body.length
  headers.push('content-type', JSON_TYPE, 'content-length', String(bytes))
  raw.writeHead(status, headers)
  // ASCII text is the same in both encodings, and Node copies Latin-1 without converting it.
  if (typeof body === 'string') raw.end(body, bytes === body.length ? 'latin1' : 'utf8')
  else raw.end(body)
}

/** Sends through Fastify, so that its hooks see the response. The common headers are already set on the reply. */
export function sendReply(reply: FastifyReply, response: ContentResponse): FastifyReply {
  const { status, headers, body, encoding } = response
  const vary = [reply.getHeader('vary'), headers.vary].filter((name) => name !== undefined).join(', ')
  reply.code(status).headers(vary === '' ? headers : { ...headers, vary })
  if (body === null) return reply.send()
  const sent = typeof body === 'string' && encoding ? Buffer.from(body, encoding) : body
  return reply.header('content-type', JSON_TYPE).send(sent)
}

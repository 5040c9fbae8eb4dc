/** Adds hints to the responses of a development server: to errors as `details.hint`, to empty lists as a header. */
import type { FastifyRequest } from 'fastify'
import { isObject } from '../../project/values.ts'
import type { OctavoServer } from '../app.ts'
import { rawQueryOf } from '../request/query-string.ts'
import { hintFor } from './hint.ts'

const HINT_HEADER = 'octavo-hint'

export function addHints(server: OctavoServer): void {
  server.app.addHook('onSend', async (request, reply, payload) => {
    const { statusCode: status } = reply
    if (!isExplained(status, payload)) return payload
    const hint = await hintOf(server, request, status).catch(() => null)
    if (hint === null) return payload
    server.log.info(`Hint: ${hint}`)
    if (status === 200) {
      reply.header(HINT_HEADER, encodeURI(hint))
      return payload
    }
    const body: unknown = typeof payload === 'string' ? JSON.parse(payload) : null
    if (!isObject(body) || !isObject(body.error)) return payload
    const error = {
      ...body.error,
      details: { ...(isObject(body.error.details) && body.error.details), hint },
    }
    const text = JSON.stringify({ ...body, error })
    reply.header('content-length', Buffer.byteLength(text))
    return text
  })
}

const EMPTY_LIST = '{"data":[]'

const isExplained = (status: number, payload: unknown) =>
  status === 200 ? startOf(payload, EMPTY_LIST.length) === EMPTY_LIST : [400, 401, 403, 404].includes(status)

const startOf = (payload: unknown, length: number) =>
  Buffer.isBuffer(payload) ? payload.toString('latin1', 0, length) : String(payload).slice(0, length)

async function hintOf(server: OctavoServer, request: FastifyRequest, status: number): Promise<string | null> {
  const { method, url, headers } = request
  const { authorization } = headers
  const scope = await Promise.resolve(server.access.scopeOf(authorization)).catch(() => null)
  const [path = ''] = url.split('?', 1)
  const query = server.parseQuery(rawQueryOf(request))
  return hintFor({ method, path, query, authorization, status }, server.layout().model, scope)
}

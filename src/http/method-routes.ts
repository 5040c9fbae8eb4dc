/** Declares all methods of a path: OPTIONS lists them, and others get 405. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import { type Explain, mayRequestExplain, refuseExplain } from './content/explain.ts'
import { sendReply } from './response/send.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
export type Handlers = Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>> & {
  /** Explains how GET reads content. */
  readonly explain?: Explain
  /** Maximum size of a body in bytes; that of all routes by default. */
  readonly bodyLimit?: number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function declareRoute(
  app: FastifyInstance,
  url: string,
  { explain = refuseExplain, bodyLimit, ...handlers }: Handlers,
): void {
  const known = new Map<string, Handler>(Object.entries(handlers))
  const { GET } = handlers
  if (GET) {
    const get: Handler = async (request, reply) => {
      const explained = mayRequestExplain(request.url) ? await explain(request) : null
      return explained ? sendReply(reply, explained) : GET(request, reply)
    }
    known.set('GET', get).set('HEAD', get)
  }
  const allowed = [...known.keys()]
  app.route({
    method: METHODS,
    url,
    ...(bodyLimit !== undefined && { bodyLimit }),
    handler: async (request, reply) => {
      const handler = known.get(request.method)
      if (handler) return handler(request, reply)
      if (request.method === 'OPTIONS') return reply.code(200).header('allow', allowed.join(', ')).send()
      throw errors.methodNotAllowed(request.method, allowed)
    },
  })
}

/** A parameter of the path, such as `:id`. */
export function pathParam({ params }: FastifyRequest, name: string): string {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  if (typeof value !== 'string') throw new Error(`The path has no parameter ${name}`)
  // PostgreSQL rejects strings with a NUL, and no id has one.
  if (value.includes('\0')) throw errors.notFound()
  return value
}

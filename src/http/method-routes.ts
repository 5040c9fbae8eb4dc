/** Paths with a fixed set of methods: the others are answered with 405, OPTIONS with the list. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import { type Explain, mayRequestExplain, refuseExplain } from './content/explain.ts'
import { sendReply } from './response/send.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
export type Handlers = Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>> & {
  /** How GET reads content, where it does. */
  readonly explain?: Explain
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Declares all that a path answers. */
export function path(
  app: FastifyInstance,
  url: string,
  { explain = refuseExplain, ...handlers }: Handlers,
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
    handler: async (request, reply) => {
      const handler = known.get(request.method)
      if (handler) return handler(request, reply)
      if (request.method === 'OPTIONS') return reply.code(200).header('allow', allowed.join(', ')).send()
      throw errors.methodNotAllowed(request.method, allowed)
    },
  })
}

/** A parameter of the path, such as `:id`. */
export function parameter({ params }: FastifyRequest, name: string): string {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  if (typeof value !== 'string') throw new Error(`The path has no parameter ${name}`)
  // Nothing is named with a NUL, and PostgreSQL refuses to look.
  if (value.includes('\0')) throw errors.notFound()
  return value
}

/** Routes to list, create, regenerate and revoke API tokens. A secret is returned only when it is created. */
import type { FastifyInstance } from 'fastify'
import { TOKEN_KINDS, type Token } from '../../access/tokens/token.ts'
import { errors } from '../../errors.ts'
import { formatInstant, parseInstant } from '../../model/scalars/shared/instants.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { type Body, dataOf, requiredStrings } from '../request/fields.ts'
import type { Server } from '../server.ts'
import { parsePermissions } from './permissions-body.ts'

export function tokenRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const list: Handler = async () => ({ data: (await access.tokens.list()).map(tokenJson) })

  const create: Handler = async (request, reply) => {
    const body = dataOf(request.body, ['name', 'type', 'permissions', 'expiresAt'])
    const text = requiredStrings(body, ['name', 'type'])
    const kind = TOKEN_KINDS.find((known) => known === text('type'))
    if (!kind)
      throw errors.invalidValues([
        { path: ['type'], message: `type must be one of ${TOKEN_KINDS.join(', ')}` },
      ])
    const permissions =
      (body.permissions ?? null) === null ? null : parsePermissions(server, body.permissions)
    const { token, secret } = await access.tokens.create(
      { name: text('name'), kind, permissions, expiresAt: parseExpiry(body) },
      await actorOf(server, request),
    )
    return reply.code(201).send({ data: { ...tokenJson(token), token: secret } })
  }

  const revoke: Handler = async (request, reply) => {
    if (!(await access.tokens.revoke(pathParam(request, 'id'), await actorOf(server, request))))
      throw errors.notFound()
    return reply.code(204).send()
  }

  /** Without `expiresAt` in the body, the token is valid as long as before. */
  const regenerate: Handler = async (request) => {
    const body = request.body === undefined ? {} : dataOf(request.body, ['expiresAt'])
    const expiresAt = body.expiresAt === undefined ? undefined : parseExpiry(body)
    const replaced = await access.tokens.regenerate(
      pathParam(request, 'id'),
      expiresAt,
      await actorOf(server, request),
    )
    if (!replaced) throw errors.notFound()
    return { data: { ...tokenJson(replaced.token), token: replaced.secret } }
  }

  declareRoute(app, '/tokens', { GET: list, POST: create })
  declareRoute(app, '/tokens/:id', { DELETE: revoke })
  declareRoute(app, '/tokens/:id/regenerate', { POST: regenerate })
}

const tokenJson = ({ kind, ...rest }: Token) => ({ ...rest, type: kind })

function parseExpiry({ expiresAt }: Body): string | null {
  if (expiresAt === undefined || expiresAt === null) return null
  const time = typeof expiresAt === 'string' ? parseInstant(expiresAt) : null
  const instant = time === null ? null : formatInstant(time)
  if (instant === null)
    throw errors.invalidValues([
      {
        path: ['expiresAt'],
        message: 'expiresAt must be an ISO 8601 date and time, in the year 9999 at the latest',
      },
    ])
  return instant
}

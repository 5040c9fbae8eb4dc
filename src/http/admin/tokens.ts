/** API tokens: listed, made and revoked. The token itself is in the answer that makes it, and never again. */
import type { FastifyInstance } from 'fastify'
import { permissionProblems } from '../../access/roles/invalid-permissions.ts'
import type { Permissions } from '../../access/roles/permissions.ts'
import { TOKEN_KINDS, type Token } from '../../access/tokens/token.ts'
import { errors } from '../../errors.ts'
import { formatInstant, parseInstant } from '../../model/scalars/shared/instants.ts'
import { type Handler, parameter, path } from '../method-routes.ts'
import { type Body, dataOf, texts } from '../request/fields.ts'
import type { Server } from '../server.ts'

export function tokenRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const list: Handler = async () => ({ data: (await access.tokens.list()).map(shown) })

  const create: Handler = async (request, reply) => {
    const body = dataOf(request.body, ['name', 'type', 'permissions', 'expiresAt'])
    const text = texts(body, ['name', 'type'])
    const kind = TOKEN_KINDS.find((known) => known === text('type'))
    if (!kind)
      throw errors.invalidValues([
        { path: ['type'], message: `type must be one of ${TOKEN_KINDS.join(', ')}` },
      ])
    const permissions = permissionsOf(body)
    const { bounds } = server.project.config.api.rest
    const problems = permissionProblems(server.layout().model, bounds, permissions ?? {})
    if (problems.length > 0) throw errors.invalidValues(problems)
    const { token, secret } = await access.tokens.create({
      name: text('name'),
      kind,
      permissions,
      expiresAt: instantOf(body),
    })
    return reply.code(201).send({ data: { ...shown(token), token: secret } })
  }

  const revoke: Handler = async (request, reply) => {
    if (!(await access.tokens.revoke(parameter(request, 'id')))) throw errors.notFound()
    return reply.code(204).send()
  }

  path(app, '/tokens', { GET: list, POST: create })
  path(app, '/tokens/:id', { DELETE: revoke })
}

const shown = ({ kind, ...rest }: Token) => ({ ...rest, type: kind })

/** Checked where tokens are made; here it only has to be an object. */
function permissionsOf({ permissions }: Body): Permissions | null {
  if (permissions === undefined || permissions === null) return null
  if (!isPermissions(permissions))
    throw errors.invalidValues([
      { path: ['permissions'], message: 'permissions must be lists of actions by content-type' },
    ])
  return permissions
}

export const isPermissions = (value: unknown): value is Permissions =>
  typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)

function instantOf({ expiresAt }: Body): string | null {
  if (expiresAt === undefined || expiresAt === null) return null
  const time = typeof expiresAt === 'string' ? parseInstant(expiresAt) : null
  const instant = time === null ? null : formatInstant(time)
  if (instant === null)
    throw errors.invalidValues([
      {
        path: ['expiresAt'],
        message: 'expiresAt must be an ISO 8601 instant, in the year 9999 at the latest',
      },
    ])
  return instant
}

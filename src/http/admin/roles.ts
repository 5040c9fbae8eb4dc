/** Routes for roles and their permissions. For content-types in config/roles, changes are reset at the next start. */
import type { FastifyInstance } from 'fastify'
import { ADMIN, configuredTypes, isBuiltInRole } from '../../access/roles/roles.ts'
import { errors } from '../../errors.ts'
import { ROLE, typeOf } from '../../model/model.ts'
import { didYouMean } from '../../project/suggest.ts'
import { systemScope } from '../../query/scope.ts'
import { explainer, type ReadRequest } from '../content/explain.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { type Body, dataOf, requiredStrings } from '../request/fields.ts'
import type { Server } from '../server.ts'
import { parsePermissionChanges, parsePermissions } from './permissions-body.ts'

interface RoleDocument {
  readonly documentId: string
  readonly type: string
}

export function roleRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server

  /** Admins may list roles regardless of the permissions of their role on the content API. */
  const all = async (): Promise<ReadRequest> => pageFrom(0)

  const pageFrom = (start: number): ReadRequest => ({
    type: typeOf(server.layout().model, ROLE),
    query: {
      pagination: { start, limit: server.project.config.api.rest.maxLimit, withCount: false },
    },
    scope: systemScope,
    forRole: (role) => (role === ADMIN ? systemScope : null),
  })

  /** Page by page: there may be more roles than the maximum page size. */
  async function documentsFrom(start: number): Promise<readonly RoleDocument[]> {
    const { type, query, scope } = pageFrom(start)
    const { data } = await server.reads().list(type, query, scope)
    const page: readonly RoleDocument[] = JSON.parse(data)
    if (page.length < server.project.config.api.rest.maxLimit) return page
    return [...page, ...(await documentsFrom(start + page.length))]
  }

  async function roles() {
    const documents = await documentsFrom(0)
    const [permissions, users] = await Promise.all([access.roles.all(), access.roles.userCounts()])
    return documents.map((role) => ({
      ...role,
      access: access.appAccessOf(role.type),
      builtIn: isBuiltInRole(role.type),
      configured: configuredTypes(server.project.config.roles, role.type),
      users: users.get(role.documentId) ?? 0,
      permissions: permissions.get(role.type) ?? {},
    }))
  }

  async function roleOf(type: string) {
    const existing = await roles()
    const role = existing.find((one) => one.type === type)
    if (role) return role
    const known = existing.map((one) => one.type)
    throw errors.notFound(`There is no role ${type}${didYouMean(type, known)}`)
  }

  const list: Handler = async () => ({ data: await roles() })

  const one: Handler = async (request) => ({ data: await roleOf(pathParam(request, 'type')) })

  const create: Handler = async (request, reply) => {
    const body = dataOf(request.body, ['type', 'name', 'description'])
    const text = requiredStrings(body, ['type', 'name'])
    if (!/^[a-z][a-z0-9_-]{0,50}$/.test(text('type')))
      throw errors.invalidValues([
        {
          path: ['type'],
          message: 'type must start with a letter and contain only lowercase letters, digits, - and _',
        },
      ])
    const description = parseDescription(body)
    const role = { type: text('type'), name: text('name'), description }
    await access.roles.create(role, await actorOf(server, request))
    return reply.code(201).send({ data: await roleOf(text('type')) })
  }

  const update: Handler = async (request) => {
    const { type } = await roleOf(pathParam(request, 'type'))
    const body = dataOf(request.body, ['name', 'description', 'permissions'])
    const changes = {
      ...(body.name !== undefined && { name: requiredStrings(body, ['name'])('name') }),
      ...(body.description !== undefined && { description: parseDescription(body) }),
    }
    const isRenamed = Object.keys(changes).length > 0
    const permissions =
      isRenamed && body.permissions === undefined ? {} : parsePermissionChanges(server, body.permissions)
    const actor = await actorOf(server, request)
    if (isRenamed) await access.roles.update(type, changes, actor)
    await access.roles.setPermissions(type, permissions, actor)
    const configured = configuredTypes(server.project.config.roles, type)
    const untilRestart = Object.keys(permissions).filter((uid) => configured.includes(uid))
    return { data: await roleOf(type), meta: { untilRestart } }
  }

  /** For forms: what is wrong with permissions, before they are saved for a role or a token. */
  const check: Handler = async (request, reply) => {
    parsePermissions(server, dataOf(request.body, ['permissions']).permissions)
    return reply.code(204).send()
  }

  const remove: Handler = async (request, reply) => {
    const type = pathParam(request, 'type')
    if (type === server.project.config.auth.registration.role)
      throw errors.application(
        `The role ${type} cannot be deleted: new users get it (auth.registration.role)`,
      )
    await access.roles.remove(type, undefined, await actorOf(server, request))
    return reply.code(204).send()
  }

  const explain = explainer(server)(all)
  declareRoute(app, '/roles', { GET: list, POST: create, explain })
  declareRoute(app, '/permissions/check', { POST: check })
  declareRoute(app, '/roles/:type', { GET: one, PUT: update, DELETE: remove, explain })
}

function parseDescription({ description = null }: Body): string | null {
  if (description === null || typeof description === 'string') return description
  throw errors.invalidValues([{ path: ['description'], message: 'description must be a string' }])
}

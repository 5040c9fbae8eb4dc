/**
 * Roles and their permissions under `/api/users-permissions`, in the form that clients of Strapi use: permissions are a tree of
 * named actions. A caller can only grant what it may do itself. The roles of the admin app do not exist here.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Permissions } from '../../access/roles/permissions.ts'
import { ADMIN, AUTHOR, EDITOR } from '../../access/roles/roles.ts'
import { errors } from '../../errors.ts'
import { ROLE, typeOf } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import type { Scope } from '../../query/scope.ts'
import { explainer, type ReadRequest } from '../content/explain.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { allowedParams } from '../request/allowed-params.ts'
import { type Body, bodyOf, requiredStrings } from '../request/fields.ts'
import type { Server } from '../server.ts'
import { changedPermissions, ownTree, permissionTree } from './permission-tree.ts'
import { permittedScope, resolveDocumentId } from './permitted.ts'

interface RoleDocument {
  readonly id: number
  readonly documentId: string
  readonly type: string
}

/** The role that users get whose role is deleted. */
const PUBLIC = 'public'

const BODY_KEYS = ['name', 'description', 'permissions']

/** Clients send them back with what they change, and they cannot be changed. */
const RECEIVED_KEYS: readonly string[] = [
  ...['id', 'documentId', 'type', 'createdAt', 'updatedAt', 'publishedAt', 'nb_users'],
]

export function permissionRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const { rest } = server.project.config.api
  const model = () => server.layout().model

  const permitted = (request: FastifyRequest, action: string, id: string | null = null): Promise<Scope> =>
    Promise.resolve(
      permittedScope({ server, authorization: request.headers.authorization }, ROLE, action, id),
    )

  /** The role admin cannot be assigned here, and the other roles of the admin app are for its team. */
  function hiddenRoles(): string[] {
    const configured = Object.keys(server.project.config.roles)
    return [ADMIN, ...[EDITOR, AUTHOR].filter((role) => !configured.includes(role))]
  }

  const rolesThat = (filters: ReadRequest['query'], scope: Scope): ReadRequest => ({
    type: typeOf(model(), ROLE),
    query: {
      filters: { ...filters, type: { $notIn: hiddenRoles() } },
      pagination: { limit: rest.maxLimit, withCount: false },
    },
    scope,
  })

  const parseList = async (request: FastifyRequest): Promise<ReadRequest> => {
    const scope = await permitted(request, 'find')
    allowedParams(['explain'], { server, request })
    return rolesThat({}, scope)
  }

  async function read({ type, query, scope }: ReadRequest): Promise<readonly RoleDocument[]> {
    return JSON.parse((await server.reads().list(type, query, scope)).data)
  }

  const list: Handler = async (request) => {
    const documents = await read(await parseList(request))
    const counts = await access.roles.userCounts()
    return { roles: documents.map((role) => ({ ...role, nb_users: counts.get(role.documentId) ?? 0 })) }
  }

  const named = (request: FastifyRequest): ReadRequest['query'] => {
    const id = pathParam(request, 'id')
    return /^\d{1,15}$/.test(id) ? { id: { $eq: id } } : { documentId: { $eq: id } }
  }

  /** A role that the caller may see, and the caller. */
  async function roleOf(request: FastifyRequest, action: 'findOne' | 'update' | 'delete') {
    const scope = await permitted(
      request,
      action,
      await resolveDocumentId(server, ROLE, pathParam(request, 'id')),
    )
    allowedParams([], { server, request })
    const [role] = await read(rolesThat(named(request), withFind(scope)))
    if (!role) throw errors.notFound('Role not found')
    return { scope, role }
  }

  const one: Handler = async (request) => {
    const { role } = await roleOf(request, 'findOne')
    return { role: { ...role, permissions: permissionTree(model(), await permissionsOf(role.type)) } }
  }

  const permissionsOf = async (type: string): Promise<Permissions> => access.roles.permissionsOf(type)

  const create: Handler = async (request) => {
    const scope = await permitted(request, 'create')
    allowedParams([], { server, request })
    const body = knownKeys(request.body)
    const name = requiredStrings(body, ['name'])('name')
    const type = typeOfName(name)
    const permissions = changedPermissions(model(), {}, body.permissions, scope)
    if ((await access.roles.types()).includes(type))
      throw errors.application(`The role ${type} already exists`)
    const actor = await actorOf(server, request)
    await access.roles.create({ type, name, description: textOf(body, 'description') ?? null }, actor)
    await access.roles.setPermissions(type, permissions, actor)
    return { ok: true }
  }

  const update: Handler = async (request) => {
    const { role, scope } = await roleOf(request, 'update')
    const body = knownKeys(request.body)
    const [name, description] = [textOf(body, 'name'), textOf(body, 'description')]
    const permissions =
      body.permissions === undefined
        ? null
        : changedPermissions(model(), await permissionsOf(role.type), body.permissions, scope)
    const changes = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
    const actor = await actorOf(server, request)
    if (Object.keys(changes).length > 0) await access.roles.update(role.type, changes, actor)
    if (permissions) await access.roles.setPermissions(role.type, permissions, actor)
    return { ok: true }
  }

  const remove: Handler = async (request) => {
    const { role } = await roleOf(request, 'delete')
    if (role.type === server.project.config.auth.registration.role)
      throw errors.application(
        `The role ${role.type} cannot be deleted: new users get it (auth.registration.role)`,
      )
    await access.roles.remove(role.type, PUBLIC, await actorOf(server, request))
    return { ok: true }
  }

  const permissions: Handler = async (request) => {
    const scope = await permitted(request, 'getPermissions')
    allowedParams([], { server, request })
    return { permissions: ownTree(model(), scope) }
  }

  const explain = explainer(server)
  declareRoute(app, '/api/users-permissions/roles', { GET: list, POST: create, explain: explain(parseList) })
  declareRoute(app, '/api/users-permissions/roles/:id', { GET: one, PUT: update, DELETE: remove })
  declareRoute(app, '/api/users-permissions/permissions', { GET: permissions })
}

/** Roles are found for whoever may change them. */
const withFind = (scope: Scope): Scope => ({
  key: `roles:${scope.key}`,
  principal: scope.principal,
  may: (type, action) => (type === ROLE && action === 'find') || scope.may(type, action),
  rule: (type, action) => scope.rule(type, action),
})

function knownKeys(given: unknown): Body {
  const body = bodyOf(given)
  for (const key of Object.keys(body))
    if (!BODY_KEYS.includes(key) && !RECEIVED_KEYS.includes(key))
      throw errors.invalidKey({ key, path: null, source: 'body', meant: nearest(key, BODY_KEYS) })
  return body
}

function textOf(body: Body, key: 'name' | 'description'): string | undefined {
  const value = body[key]
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw errors.invalidValues([{ path: [key], message: `${key} must be a string` }])
}

/** The type of a role that is created by name: `Shop staff` becomes `shop_staff`. */
function typeOfName(name: string): string {
  const type = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 50)
  if (type === '')
    throw errors.invalidValues([{ path: ['name'], message: 'name must contain a letter from a to z' }])
  return type
}

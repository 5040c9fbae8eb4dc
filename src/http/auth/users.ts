/** Users under /api. Responses have no `data` envelope, and users are addressed by numeric id (as recorded). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserWriter } from '../../access/users/users.ts'
import { errors } from '../../errors.ts'
import { type ContentType, typeOf, USER } from '../../model/model.ts'
import { isObject } from '../../project/values.ts'
import { refuseCursor } from '../../query/pagination.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import { type DocumentReadRequest, explainer, type ReadRequest } from '../content/explain.ts'
import { narrowReadScope, narrowWriteScope } from '../content/visible-types.ts'
import { dataAfterHook, queryAfterHook } from '../extension/find-hooks.ts'
import type { FindEvent } from '../extension/hooks-and-policies.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { allowedParams } from '../request/allowed-params.ts'
import { type Body, bodyOf } from '../request/fields.ts'
import { rawQueryOf } from '../request/query-string.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { ownAccount, permittedWriter, signedInUser } from './caller.ts'
import { permittedScope, resolveDocumentId } from './permitted.ts'

export function userRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const { rest } = server.project.config.api
  const typeNamed = (uid: string): ContentType => typeOf(server.layout().model, uid)

  const permittedQuery = async (request: FastifyRequest) => {
    const { authorization } = request.headers
    const scope = await permittedScope({ server, authorization }, USER, 'find')
    return { scope, query: await queryAfterHook(server, eventOf(scope), rawQueryOf(request)) }
  }

  const parseList = async (request: FastifyRequest): Promise<ReadRequest> => {
    const { scope, query } = await permittedQuery(request)
    refuseCursor(query)
    return narrowReadScope(server, {
      type: typeNamed(USER),
      query: listQuery(query, rest.maxLimit),
      scope,
    })
  }

  const list: Handler = async (request, reply) => {
    const { type, query, scope } = await parseList(request)
    const { data, omitted } = await server.reads().list(type, query, scope)
    return sendJson(reply, 200, { data: await dataAfterHook(server, eventOf(scope), data), omitted })
  }

  const parseCount = async (request: FastifyRequest): Promise<ReadRequest> => {
    const { scope, query } = await permittedQuery(request)
    const { start: _start, limit: _limit, pagination: _page, ...unpaged } = query
    const one = { ...unpaged, pagination: { limit: 1, withCount: true } }
    return narrowReadScope(server, { type: typeNamed(USER), query: one, scope })
  }

  const count: Handler = async (request) => {
    const { type, query, scope } = await parseCount(request)
    return (await server.reads().list(type, query, scope)).total
  }

  const parseOwnRead = async (request: FastifyRequest): Promise<DocumentReadRequest> => {
    const { account, scope } = await signedInUser(server, request)
    const { documentId: id } = account
    const query = await queryAfterHook(server, eventOf(scope, id), rawQueryOf(request))
    const own = (of: Scope) => ownAccount(of, id)
    // A signed-in caller never has the public role.
    const forRole = (role: string, of: Scope) => (role === 'public' ? null : own(of))
    return narrowReadScope(server, { type: typeNamed(USER), id, query, scope: own(scope), forRole })
  }

  const parseRead = async (request: FastifyRequest): Promise<DocumentReadRequest> => {
    const { authorization } = request.headers
    const id = pathParam(request, 'id')
    const documentId = await resolveDocumentId(server, USER, id)
    const scope = await permittedScope({ server, authorization }, USER, 'findOne', documentId)
    if (!NUMERIC_ID.test(id)) throw errors.notFound()
    const query = await queryAfterHook(server, eventOf(scope, documentId), rawQueryOf(request))
    return narrowReadScope(server, { type: typeNamed(USER), id, query, scope })
  }

  const show =
    (parse: (request: FastifyRequest) => Promise<DocumentReadRequest>): Handler =>
    async (request, reply) => {
      const { type, id, query, scope } = await parse(request)
      const { data, omitted } = found(await server.reads().document(type, id, query, scope))
      const event = eventOf(scope, await resolveDocumentId(server, USER, id))
      return sendJson(reply, 200, { data: await dataAfterHook(server, event, data), omitted })
    }

  const create: Handler = async (request, reply) => {
    const { writer, result } = await prepareWrite(request, 'create', null)
    const values = sentValues(request.body)
    return sendJson(reply, 201, found(await access.users.create(values, writer, result.read)))
  }

  const update: Handler = async (request, reply) => {
    const id = pathParam(request, 'id')
    const { writer, result } = await prepareWrite(
      request,
      'update',
      await resolveDocumentId(server, USER, id),
    )
    const account = await accountFor(id, writer, 'update')
    if (!account) throw errors.notFound('User not found')
    const values = sentValues(request.body)
    return sendJson(reply, 200, found(await access.users.update(account, values, writer, result.read)))
  }

  const remove: Handler = async (request, reply) => {
    const id = pathParam(request, 'id')
    const writer = await permittedWriter(server, request, 'delete', await resolveDocumentId(server, USER, id))
    allowedParams([], { server, request })
    const account = await accountFor(id, writer, 'delete')
    if (!account) return reply.code(204).send()
    const own = ownAccount(writer.scope, account.documentId, readableFields(writer.scope))
    const deleted = found(await server.reads().document(typeNamed(USER), account.documentId, {}, own))
    await access.users.remove(account, writer)
    return sendJson(reply, 200, deleted)
  }

  /** The account with an id, if it exists for the writer. */
  async function accountFor(id: string, writer: UserWriter, action: 'update' | 'delete') {
    const account = NUMERIC_ID.test(id) ? await access.accounts.byId(Number(id)) : null
    return account && (await access.users.existsFor(account, writer, action)) ? account : null
  }

  /** The writer of a user, and how the response reads that user: with the role, unless the request has `populate`. */
  async function prepareWrite(
    request: FastifyRequest,
    action: 'create' | 'update',
    documentId: string | null,
  ) {
    const { scope: given, ...writer } = await permittedWriter(server, request, action, documentId)
    const sent = server.parseQuery(rawQueryOf(request))
    const readable = readableFields(given)
    const showsRole = sent.populate === undefined && (!readable || readable.includes('role'))
    const params: ParamObject = showsRole ? { ...sent, populate: 'role' } : sent
    // `update`, because here the response to a create also has the id.
    const { scope, result } = await narrowWriteScope(server, typeNamed(USER), params, given, 'update')
    return { writer: { ...writer, scope }, result }
  }

  const explain = explainer(server)
  declareRoute(app, '/api/users', { GET: list, POST: create, explain: explain(parseList) })
  declareRoute(app, '/api/users/count', { GET: count, explain: explain(parseCount) })
  declareRoute(app, '/api/users/me', { GET: show(parseOwnRead), explain: explain(parseOwnRead) })
  declareRoute(app, '/api/users/:id', {
    ...{ GET: show(parseRead), PUT: update, DELETE: remove },
    explain: explain(parseRead),
  })
}

const eventOf = (scope: Scope, documentId: string | null = null): FindEvent => ({
  type: USER,
  action: documentId === null ? 'find' : 'findOne',
  documentId,
  scope,
})

/** The fields of a written or deleted user that the response contains; undefined means all. */
const readableFields = (scope: Scope) =>
  scope.rule(USER, scope.may(USER, 'findOne') ? 'findOne' : 'find')?.fields

/** What every user has and nobody can change; clients send it back with what they change. */
const SYSTEM_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale'],
])

/** Removes them from the body itself: a copy would lose the digits of numbers that JavaScript cannot hold. */
function sentValues(body: unknown): Body {
  const values = bodyOf(body)
  for (const key of SYSTEM_KEYS) Reflect.deleteProperty(values, key)
  return values
}

const NUMERIC_ID = /^\d{1,15}$/

/** Moves `start` and `limit` into `pagination`. Without a page all users are listed; without `withCount` none are counted. */
function listQuery(query: ParamObject, maxLimit: number): ParamObject {
  const { start, limit, pagination = {}, ...others } = query
  if (!isObject(pagination)) return query
  const page = { ...pagination, ...(start !== undefined && { start }), ...(limit !== undefined && { limit }) }
  const hasPage = Object.keys(page).some((key) => key !== 'withCount')
  return {
    ...others,
    pagination: { withCount: false, ...page, ...(hasPage ? {} : { limit: maxLimit }) },
  }
}

function found<Value>(value: Value | null): Value {
  if (value === null) throw errors.notFound()
  return value
}

function sendJson(
  reply: FastifyReply,
  status: 200 | 201,
  { data, omitted }: { data: string; omitted: readonly string[] },
): FastifyReply {
  if (omitted.length > 0) reply.header('octavo-omitted', omitted.join(', '))
  return reply.code(status).header('content-type', JSON_TYPE).send(data)
}

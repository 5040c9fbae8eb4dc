/** What the admin app does with documents beyond the content API: duplicate, bulk actions, used by, export, presence. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../../errors.ts'
import { typeOf, USER } from '../../../model/model.ts'
import { checkPermitted } from '../../auth/permitted.ts'
import type { ContentResponder } from '../../content/respond.ts'
import { declareRoute, type Handler, pathParam } from '../../method-routes.ts'
import { bodyOf } from '../../request/fields.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import { listResponse } from '../../response/content-response.ts'
import { sendReply } from '../../response/send.ts'
import type { Server } from '../../server.ts'
import { teamCaller } from '../session/caller.ts'
import { performBulk } from './bulk.ts'
import { duplicate, fillLocale, overridesIn } from './copy.ts'
import { exportList } from './export.ts'
import { type ContentCall, contentCall, pageIn, performFor } from './operations.ts'
import { usedBy } from './used-by.ts'

type ContentHandler = (call: ContentCall, reply: FastifyReply) => Promise<unknown>

export function contentActionRoutes(app: FastifyInstance, server: Server, responder: ContentResponder): void {
  const handle =
    (work: ContentHandler): Handler =>
    async (request, reply) =>
      work(await contentCall(server, responder, request), reply)
  const idOf = (request: FastifyRequest) => pathParam(request, 'id')

  const duplicateOne: ContentHandler = async (call, reply) => {
    const { body } = call.request
    const locale = bodyOf(body).locale
    const { document, changed } = await duplicate(
      call,
      idOf(call.request),
      typeof locale === 'string' ? locale : undefined,
      overridesIn(body),
    )
    return reply.code(201).send({ data: document, meta: { changed } })
  }

  const reportPresence: ContentHandler = async (call) => {
    const { request, caller } = call
    const document = await presentDocument(call)
    const editing = bodyOf(request.body).editing === true
    const others = await server.access.presence.report(document, caller.account.documentId, editing)
    const people = others.map(async ({ account, ...present }) => {
      const found = await server.access.accounts.byDocumentId(account)
      return found ? [{ user: { id: found.id, name: found.username }, ...present }] : []
    })
    return { data: (await Promise.all(people)).flat() }
  }

  const leave: ContentHandler = async (call, reply) => {
    await server.access.presence.leave(await presentDocument(call), call.caller.account.documentId)
    return reply.code(204).send()
  }

  /** For relations to users, whom the content API has under other paths. */
  const listUsers: Handler = async (request, reply) => {
    const { scope } = await teamCaller(server, request)
    await checkPermitted(server, scope, USER, 'find', null)
    const type = typeOf(server.layout().model, USER)
    const result = await server.reads().list(type, server.parseQuery(rawQueryOf(request)), scope)
    return sendReply(reply, listResponse(result, result.data, {}))
  }
  declareRoute(app, '/content/users', { GET: listUsers })

  const post = (url: string, work: ContentHandler) => declareRoute(app, url, { POST: handle(work) })
  post('/content/:name/actions/bulk', performBulk)
  post('/content/:name/:id/actions/duplicate', duplicateOne)
  post('/content/:name/:id/actions/fill-locale', async (call) => ({
    data: await fillLocale(call, idOf(call.request)),
  }))
  declareRoute(app, '/content/:name/:id/used-by', {
    GET: handle((call) => usedBy(call, idOf(call.request))),
  })
  declareRoute(app, '/content/:name/actions/export', { GET: handle(exportList) })
  declareRoute(app, '/content/:name/:id/presence', { PUT: handle(reportPresence), DELETE: handle(leave) })
}

/** Only those who may read a document see who else has it open. */
async function presentDocument(call: ContentCall): Promise<string> {
  const { type, request } = call
  const id = pathParam(request, 'id')
  if (type.kind === 'single') throw errors.notFound()
  const query = { status: 'draft', fields: 'documentId', ...(type.localized && { locale: '*' }) }
  const filters = { documentId: { $eq: id } }
  const found = await performFor(call, {
    method: 'GET',
    query: { ...query, filters, pagination: { limit: 1 } },
  })
  if (pageIn(found).documents.length === 0) throw errors.notFound()
  return `${type.uid} ${id}`
}

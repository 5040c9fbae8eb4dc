/** The generated endpoints. Which there are is decided by the model at each request, so a new type answers at once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WriteTarget, Written } from '../documents/documents.ts'
import { errors } from '../errors.ts'
import type { ContentType } from '../model/model.ts'
import { type ParamObject, parseParams } from '../query/params.ts'
import type { DocumentAnswer, WriteAnswer } from '../query/reads.ts'
import type { Action, Scope } from '../query/scope.ts'
import { parseLocale, parseStatus, parseWriteLocale } from '../query/view.ts'
import type { Transaction } from '../store/store.ts'
import { sendDocument, sendList } from './envelope.ts'
import type { Server } from './server.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface Call {
  readonly server: Server
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly type: ContentType
  readonly rawQuery: string
}

type Handler = (call: Call) => Promise<FastifyReply>
type Handlers = Readonly<Record<string, Handler>>

/** Adds `/api/:name`, `/api/:name/:id` and `/api/:name/:id/actions/:action`. */
export function contentRoutes(app: FastifyInstance, server: Server): void {
  app.route<{ Params: { name: string } }>({
    method: METHODS,
    url: '/api/:name',
    handler: (request, reply) => {
      const type = typeNamed(server, request.params.name)
      return dispatch(
        { server, request, reply, type, rawQuery: rawQueryOf(request) },
        type.kind === 'single' ? single : collection,
      )
    },
  })
  app.route<{ Params: { name: string; id: string } }>({
    method: METHODS,
    url: '/api/:name/:id',
    handler: (request, reply) => {
      const type = typeNamed(server, request.params.name)
      if (type.kind === 'single') throw errors.notFound()
      return dispatch(
        { server, request, reply, type, rawQuery: rawQueryOf(request) },
        documentHandlers(request.params.id),
      )
    },
  })
  app.route<{ Params: { name: string; id: string; action: string } }>({
    method: METHODS,
    url: '/api/:name/:id/actions/:action',
    handler: (request, reply) => {
      const type = typeNamed(server, request.params.name)
      const { id, action } = request.params
      if (type.kind === 'single' || !type.draftAndPublish || !isVersionAction(action)) throw errors.notFound()
      return dispatch(
        { server, request, reply, type, rawQuery: rawQueryOf(request) },
        { POST: versionAction(id, action) },
      )
    },
  })
}

/** The query string as it was sent. */
export function rawQueryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function typeNamed(server: Server, name: string): ContentType {
  const type = server.layout().model.endpoints.get(name)
  if (!type) throw errors.notFound()
  return type
}

function dispatch(call: Call, handlers: Handlers): Promise<FastifyReply> | FastifyReply {
  const { method } = call.request
  const handler = handlers[method === 'HEAD' ? 'GET' : method]
  if (handler) return handler(call)
  const allowed = Object.keys(handlers).flatMap((one) => (one === 'GET' ? ['HEAD', 'GET'] : [one]))
  if (method === 'OPTIONS') return call.reply.code(200).header('allow', allowed.join(', ')).send()
  throw errors.methodNotAllowed(method, allowed)
}

/** The caller's scope, when it allows the action. */
async function permitted({ server, request, type }: Call, action: Action): Promise<Scope> {
  const scope = await server.access.scopeOf(request.headers.authorization)
  if (!scope.may(type.uid, action)) throw errors.forbidden()
  return scope
}

function found(answer: DocumentAnswer | null): DocumentAnswer {
  if (!answer) throw errors.notFound()
  return answer
}

const collection: Handlers = {
  async GET(call) {
    const scope = await permitted(call, 'find')
    return sendList(call.reply, await call.server.reads().list(call.type, call.rawQuery, scope))
  },
  async POST(call) {
    const scope = await permitted(call, 'create')
    const { target, answer } = prepareWrite(call, scope, 'create')
    const read = (transaction: Transaction, written: Written) => answer.read(transaction, written.documentId)
    const created = await call.server.documents.create(target, dataOf(call.request), read)
    return sendDocument(call.reply, 201, found(created))
  },
}

const documentHandlers = (id: string): Handlers => ({
  async GET(call) {
    const scope = await permitted(call, 'findOne')
    return sendDocument(
      call.reply,
      200,
      found(await call.server.reads().document(call.type, id, call.rawQuery, scope)),
    )
  },
  async PUT(call) {
    const scope = await permitted(call, 'update')
    const { target, answer } = prepareWrite(call, scope, 'update')
    const read = (transaction: Transaction, written: Written) => answer.read(transaction, written.documentId)
    const updated = await call.server.documents.update(
      target,
      id,
      dataOf(call.request),
      ifMatchOf(call.request),
      read,
    )
    return sendDocument(call.reply, 200, found(updated))
  },
  async DELETE(call) {
    const scope = await permitted(call, 'delete')
    await call.server.documents.remove(removalOf(call, scope), id, ifMatchOf(call.request))
    return call.reply.code(204).send()
  },
})

const single: Handlers = {
  async GET(call) {
    const scope = await permitted(call, 'find')
    return sendDocument(
      call.reply,
      200,
      found(await call.server.reads().single(call.type, call.rawQuery, scope)),
    )
  },
  async PUT(call) {
    const scope = await permitted(call, 'update')
    const { target, answer } = prepareWrite(call, scope, 'update')
    const read = (transaction: Transaction, written: Written) => answer.read(transaction, written.documentId)
    return sendDocument(
      call.reply,
      200,
      found(await call.server.documents.upsertSingle(target, dataOf(call.request), read)),
    )
  },
  async DELETE(call) {
    const scope = await permitted(call, 'delete')
    await call.server.documents.removeSingle(removalOf(call, scope))
    return call.reply.code(204).send()
  },
}

const versionActions = ['publish', 'unpublish', 'discard'] as const
type VersionAction = (typeof versionActions)[number]
const isVersionAction = (name: string): name is VersionAction =>
  versionActions.some((action) => action === name)

const versionAction =
  (id: string, action: VersionAction): Handler =>
  async (call) => {
    const scope = await permitted(call, action)
    // Unpublish and discard leave a draft to show; publish shows what is now public.
    const params = { ...paramsOf(call), status: action === 'publish' ? 'published' : 'draft' }
    const { target, answer } = prepareWrite(call, scope, 'update', params)
    const read = (transaction: Transaction, written: Written) => answer.read(transaction, written.documentId)
    return sendDocument(call.reply, 200, found(await call.server.documents[action](target, id, read)))
  }

const paramsOf = ({ server, rawQuery }: Call): ParamObject =>
  parseParams(rawQuery, server.project.config.api.rest.bounds)

/** Checks all parameters of a write before anything is written. */
function prepareWrite(
  call: Call,
  scope: Scope,
  kind: 'create' | 'update',
  params: ParamObject = paramsOf(call),
): { target: WriteTarget; answer: WriteAnswer } {
  const { server, type } = call
  const reads = server.reads()
  const answer = reads.forWrite(type, params, scope, kind)
  const locale = parseWriteLocale(params, type, server.layout().model)
  const allowed = reads.ruleOf(type, scope, kind)
  return {
    answer,
    target: { type, status: parseStatus(params, type), locale, scope, ...(allowed ? { allowed } : {}) },
  }
}

/** What a DELETE is for: one locale, or all of them with `locale=*`. */
function removalOf(call: Call, scope: Scope): WriteTarget {
  const { server, type } = call
  const params = paramsOf(call)
  const codes = type.localized ? parseLocale(params, server.layout().model) : null
  const locale = codes === '*' ? '*' : (codes?.[0] ?? null)
  const allowed = server.reads().ruleOf(type, scope, 'delete')
  return { type, status: parseStatus(params, type), locale, scope, ...(allowed ? { allowed } : {}) }
}

/** The `data` of a body; absent or scalar data is refused. */
function dataOf(request: FastifyRequest): unknown {
  const { body } = request
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (typeof data !== 'object' || data === null) {
    throw errors.invalid(
      'The body must be JSON of the form {"data": {…}}, sent with the content type application/json',
    )
  }
  return data
}

function ifMatchOf(request: FastifyRequest): { ifMatch?: string } {
  const ifMatch = request.headers['if-match']
  return ifMatch === undefined ? {} : { ifMatch }
}

/**
 * `POST /api/batch`: several writes in one transaction, all or none. Later operations may use results of earlier ones:
 * `{"$ref": "chef.documentId"}` in a body, `{chef.documentId}` in a path.
 */

import type { FastifyInstance } from 'fastify'
import type { Documents } from '../../documents/documents.ts'
import { ApiError, errors } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import type { Scope } from '../../query/scope.ts'
import { responseBytesFor } from '../../reads/caller-limits.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import { declareRoute, type Handler } from '../method-routes.ts'
import { originOf } from '../request/origin.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { ContentResponse } from '../response/content-response.ts'
import { sendReply } from '../response/send.ts'
import type { Server } from '../server.ts'
import { lookUp, type Results, resolveReferences } from './batch-references.ts'
import { runOnce } from './idempotency.ts'
import { type Operation, perform } from './operation.ts'

const MAX_OPERATIONS = 100
const KEYS: readonly string[] = ['id', 'method', 'path', 'body', 'ifMatch']
const METHODS: ReadonlySet<unknown> = new Set(['POST', 'PUT', 'DELETE'])

/** An operation as it was sent. */
interface Part {
  /** For references to its result; its index by default. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly ifMatch: string | undefined
}

export function batchRoutes(app: FastifyInstance, server: Server): void {
  const batch: Handler = async (request, reply) => {
    // An invalid credential is reported before an invalid body.
    await server.access.scopeOf(request.headers.authorization)
    const parts = partsOf(request.body)
    const { authorization } = request.headers
    const key = request.headers['idempotency-key']
    const whole: Operation = {
      method: 'POST',
      path: ['batch'],
      rawQuery: rawQueryOf(request),
      body: request.body,
      ifMatch: undefined,
      authorization,
      origin: () => originOf(request),
    }
    const response = await withFailedIndex((onFailure) =>
      server.withLatestModel((pinned) => {
        const work = (transaction: Transaction, documents: Documents) =>
          run(pinned, parts, whole, { transaction, documents }, onFailure)
        return key === undefined ? pinned.documents.transaction(work) : runOnce(pinned, whole, key, work)
      }),
    )
    return sendReply(reply, response)
  }
  declareRoute(app, '/api/batch', { POST: batch })
}

/** Called with the index of an operation that failed, and with null when the batch starts again. */
type OnFailure = (index: number | null) => void

/**
 * Adds the index of the failed operation to the error. This happens outside of the transaction, because conflicts in the
 * database become API errors only when the transaction ends. They occur within their operation, though, because each
 * operation reads its result after its write.
 */
async function withFailedIndex(
  work: (onFailure: OnFailure) => MaybePromise<ContentResponse>,
): Promise<ContentResponse> {
  const batch: { failed: number | null } = { failed: null }
  try {
    return await work((index) => {
      batch.failed = index
    })
  } catch (error) {
    const { failed } = batch
    if (failed === null || !(error instanceof ApiError)) throw error
    const { name, status, message, details, headers } = error
    throw new ApiError(name, status, message, { ...details, operation: failed }, { ...headers })
  }
}

async function run(
  server: Server,
  parts: readonly Part[],
  whole: Operation,
  { transaction, documents }: { readonly transaction: Transaction; readonly documents: Documents },
  onFailure: OnFailure,
): Promise<ContentResponse> {
  onFailure(null)
  const scope = await server.access.scopeOf(whole.authorization)
  const { principal } = scope
  transaction.lock(documentsNamedIn(parts, server.layout().model, scope))
  const maxBytes = responseBytesFor(principal, server.project.config.limits.responseBytes)
  const results = new Map<string, unknown>()
  const responses: string[] = []
  let bytes = 0
  for (const [index, part] of parts.entries()) {
    try {
      const operation = operationOf(server.layout().model, part, results, whole)
      const response = await perform(server, operation, documents)
      const body = String(response.body)
      bytes += Buffer.byteLength(body)
      // All responses are in memory together.
      if (bytes > maxBytes) throw errors.responseTooLarge(maxBytes)
      if (response.body !== null) results.set(part.id, JSON.parse(body).data)
      responses.push(`{"status":${response.status},"body":${body}}`)
    } catch (error) {
      onFailure(index)
      throw error
    }
  }
  return { status: 200, headers: {}, body: `{"data":[${responses.join()}],"meta":{}}` }
}

const ACTIONS = new Map([
  ['PUT', 'update'],
  ['DELETE', 'delete'],
])

/**
 * The documents that operations name in their paths, as far as the caller may change them. They are locked together: locked
 * one by one, two batches that name the same documents in another order would wait for each other.
 */
function documentsNamedIn(parts: readonly Part[], model: Model, scope: Scope): string[] {
  return parts.flatMap(({ method, path }) => {
    const [, , name = '', id, word, action] = path.split(/[/?]/)
    const type = model.endpoints.get(name)
    const needed = word === 'actions' ? action : ACTIONS.get(method)
    const mayChange = type?.kind === 'collection' && needed !== undefined && scope.may(type.uid, needed)
    // A reference stands for a document that the batch itself creates.
    return mayChange && id && !id.includes('{') ? [id] : []
  })
}

function partsOf(body: unknown): Part[] {
  const list = typeof body === 'object' && body !== null && 'operations' in body ? body.operations : undefined
  if (!Array.isArray(list) || list.length === 0) {
    throw errors.invalid('The body must be JSON of the form {"operations": [{"method", "path", "body"}]}')
  }
  if (list.length > MAX_OPERATIONS) throw errors.invalid(`A batch holds at most ${MAX_OPERATIONS} operations`)
  const parts = list.map(partOf)
  const repeated = parts.find(({ id }, index) => parts.findIndex((other) => other.id === id) !== index)
  if (repeated) throw errors.invalid(`The operation id "${repeated.id}" is used more than once`)
  return parts
}

function partOf(input: unknown, index: number): Part {
  const invalid = (message: string) =>
    errors.invalidValues([{ path: ['operations', String(index)], message }])
  if (typeof input !== 'object' || input === null) throw invalid('An operation must be an object')
  const key = Object.keys(input).find((one) => !KEYS.includes(one))
  if (key !== undefined) {
    const meant = nearest(key, KEYS)
    throw errors.invalidKey({ key, path: `operations.${index}`, source: 'body', meant })
  }
  const { id = String(index), method, path, body, ifMatch }: Record<string, unknown> = { ...input }
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
    throw invalid('The id of an operation must have 1 to 64 letters, digits, - or _')
  if (typeof method !== 'string' || !METHODS.has(method))
    throw invalid('The method must be POST, PUT or DELETE')
  if (typeof path !== 'string' || !path.startsWith('/api/')) throw invalid('The path must start with /api/')
  if (ifMatch !== undefined && typeof ifMatch !== 'string') throw invalid('ifMatch must be a string')
  return { id, method, path, body, ifMatch }
}

function operationOf(
  model: Model,
  part: Part,
  results: Results,
  { authorization, origin }: Operation,
): Operation {
  const filled = part.path.replaceAll(/\{([\w-]+(?:\.[\w-]+)+)\}/g, (_, reference: string) =>
    encodeURIComponent(String(lookUp(reference, results))),
  )
  const [path = '', ...query] = filled.slice('/api/'.length).split('?')
  const segments = path.replace(/\/$/, '').split('/').map(decoded)
  return {
    method: part.method,
    path: segments,
    rawQuery: query.join('?'),
    body: resolveReferences(part.body, model.endpoints.get(segments[0] ?? ''), model, results),
    ifMatch: part.ifMatch,
    authorization,
    origin,
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw errors.notFound()
  }
}

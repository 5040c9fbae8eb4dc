/**
 * `POST /api/batch`: several writes in one transaction, all or nothing. Later operations may use what earlier ones
 * made: `{"$ref": "chef.documentId"}` in a body, `{chef.documentId}` in a path.
 */

import type { FastifyInstance } from 'fastify'
import type { Documents } from '../../documents/documents.ts'
import { ApiError, errors } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { nearest } from '../../project/suggest.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import { declareRoute, type Handler } from '../method-routes.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { ContentResponse } from '../response/content-response.ts'
import { sendReply } from '../response/send.ts'
import type { Server } from '../server.ts'
import { lookUp, type Results, resolved } from './batch-references.ts'
import { runOnce } from './idempotency.ts'
import { type Operation, perform } from './operation.ts'

const MOST_OPERATIONS = 100
const KEYS: readonly string[] = ['id', 'method', 'path', 'body', 'ifMatch']
const METHODS: ReadonlySet<unknown> = new Set(['POST', 'PUT', 'DELETE'])

/** One operation of a batch as it was sent. */
interface Part {
  /** Its name for references; its place in the list, from 0, when it has none. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly ifMatch: string | undefined
}

export function batchRoutes(app: FastifyInstance, server: Server): void {
  const batch: Handler = async (request, reply) => {
    // Who may do nothing at all is told so before the parts are looked at.
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
    }
    const outcome = await naming((failed) =>
      server.withLatestModel((pinned) => {
        const work = (_transaction: Transaction, documents: Documents) =>
          run(pinned, parts, authorization, documents, failed)
        return key === undefined ? pinned.documents.transaction(work) : runOnce(pinned, whole, key, work)
      }),
    )
    return sendReply(reply, outcome)
  }
  declareRoute(app, '/api/batch', { POST: batch })
}

/** Hears which operation has failed, by its place in the list; null when all begin anew. */
type Failed = (index: number | null) => void

/**
 * Does the work of a batch; its error says which operation it belongs to. What the database refuses becomes an error of
 * ours only when the transaction has ended, so it is named here. It has shown in its own operation, though: each reads
 * its answer behind what it wrote.
 */
async function naming(work: (failed: Failed) => MaybePromise<ContentResponse>): Promise<ContentResponse> {
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
  authorization: string | undefined,
  documents: Documents,
  failed: Failed,
): Promise<ContentResponse> {
  failed(null)
  const results = new Map<string, unknown>()
  const outcomes: string[] = []
  for (const [index, part] of parts.entries()) {
    try {
      const operation = operationOf(server.layout().model, part, results, authorization)
      const outcome = await perform(server, operation, documents)
      if (outcome.body !== null) results.set(part.id, JSON.parse(String(outcome.body)).data)
      outcomes.push(`{"status":${outcome.status},"body":${outcome.body}}`)
    } catch (error) {
      failed(index)
      throw error
    }
  }
  return { status: 200, headers: {}, body: `{"data":[${outcomes.join()}],"meta":{}}` }
}

function partsOf(body: unknown): Part[] {
  const list = typeof body === 'object' && body !== null && 'operations' in body ? body.operations : undefined
  if (!Array.isArray(list) || list.length === 0) {
    throw errors.invalid('The body must be JSON of the form {"operations": [{"method", "path", "body"}]}')
  }
  if (list.length > MOST_OPERATIONS)
    throw errors.invalid(`A batch holds at most ${MOST_OPERATIONS} operations`)
  const parts = list.map(partOf)
  const repeated = parts.find(({ id }, index) => parts.findIndex((other) => other.id === id) !== index)
  if (repeated) throw errors.invalid(`The operation id "${repeated.id}" is used more than once`)
  return parts
}

function partOf(input: unknown, index: number): Part {
  const mistake = (message: string) =>
    errors.invalidValues([{ path: ['operations', String(index)], message }])
  if (typeof input !== 'object' || input === null) throw mistake('An operation must be an object')
  const key = Object.keys(input).find((one) => !KEYS.includes(one))
  if (key !== undefined) {
    const meant = nearest(key, KEYS)
    throw errors.invalidKey({ key, path: `operations.${index}`, source: 'body', meant })
  }
  const { id = String(index), method, path, body, ifMatch }: Record<string, unknown> = { ...input }
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
    throw mistake('The id of an operation is made of letters, digits, - and _')
  if (typeof method !== 'string' || !METHODS.has(method))
    throw mistake('The method must be POST, PUT or DELETE')
  if (typeof path !== 'string' || !path.startsWith('/api/')) throw mistake('The path must start with /api/')
  if (ifMatch !== undefined && typeof ifMatch !== 'string') throw mistake('ifMatch must be a text')
  return { id, method, path, body, ifMatch }
}

function operationOf(
  model: Model,
  part: Part,
  results: Results,
  authorization: string | undefined,
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
    body: resolved(part.body, model.endpoints.get(segments[0] ?? ''), model, results),
    ifMatch: part.ifMatch,
    authorization,
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw errors.notFound()
  }
}

/**
 * `Idempotency-Key` on POST: a request that is repeated after a broken connection gets the first response again instead
 * of creating a second document. The response is stored in the transaction of the write, so neither exists without the
 * other. A repetition is checked like any request: the caller must still have the permissions, and the documents must
 * still exist and be visible to the caller.
 */
import { hash } from 'node:crypto'
import type { Documents, WriteRequest } from '../../documents/documents.ts'
import { wrapDocuments } from '../../documents/hooks/wrap-documents.ts'
import { areCovered, canRead } from '../../documents/row-rules.ts'
import { blueprintOf } from '../../documents/rows/blueprint.ts'
import { loadRowIds } from '../../documents/rows/load-versions.ts'
import { errors } from '../../errors.ts'
import type { Principal } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { type Operation, perform } from './operation.ts'
import { rowRulesOf } from './row-rules.ts'
import {
  findStored,
  lockKey,
  type RecordedWrite,
  type RecordedWrites,
  type StoredResponse,
  storeResponse,
} from './stored-responses.ts'

const MAX_KEY_LENGTH = 255

/** Runs the operations of a request with the documents of a transaction. */
type Work = (transaction: Transaction, documents: Documents) => Promise<ContentResponse> | ContentResponse

/** Performs an operation once for each key of a caller; a repetition gets the stored response. */
export async function performOnce(
  server: Server,
  operation: Operation,
  key: string | string[],
): Promise<ContentResponse> {
  return runOnce(server, operation, key, (_transaction, documents) => perform(server, operation, documents))
}

/** Runs `work` once for each key of a caller. A key that was used with another request is refused. */
export async function runOnce(
  server: Server,
  operation: Operation,
  key: string | string[],
  work: Work,
): Promise<ContentResponse> {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw errors.invalid(`Idempotency-Key must be a single string of at most ${MAX_KEY_LENGTH} characters`)
  }
  const scope = await server.access.scopeOf(operation.authorization)
  const request = fingerprint(operation)
  const name = { caller: callerName(scope.principal, request), key }
  return server.documents.transaction(async (transaction, documents) => {
    lockKey(transaction, name)
    const stored = await findStored(transaction, name)
    if (stored && stored.request !== request) {
      throw errors.invalid(
        'This Idempotency-Key was used for another request; use a new key for each request',
      )
    }
    if (stored) {
      const response = await repeat(server, { transaction, request: { scope } }, stored, work)
      return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } }
    }
    const writes: (RecordedWrite | null)[] = []
    const response = await work(transaction, recordWrites(documents, writes))
    storeResponse(transaction, name, { request, scope: scope.key, writes, response })
    return response
  })
}

const fingerprint = ({ method, path, rawQuery, body }: Operation) =>
  hash('sha256', JSON.stringify([method, path, rawQuery, body ?? null]), 'base64url')

/** Callers without a credential share their keys only if they send the same request. */
const callerName = (principal: Principal, request: string) =>
  'id' in principal ? `${principal.kind}:${principal.id}` : `${principal.kind}:${request}`

interface CheckedWrite {
  readonly transaction: Transaction
  readonly request: Pick<WriteRequest, 'scope' | 'rules'>
}

/**
 * The stored response, if it is still what the caller may see. After a change of the caller's permissions, and with
 * policies, the operations run again without writing: that checks everything, and reads what the caller may read now.
 */
async function repeat(
  server: Server,
  { transaction, request: { scope } }: CheckedWrite,
  { scope: scopeThen, writes, response }: StoredResponse,
  work: Work,
): Promise<ContentResponse> {
  if (scope.key !== scopeThen || server.extension.policies)
    return work(transaction, repeatWrites(server, transaction, writes))
  const write = { transaction, request: { scope, rules: rowRulesOf(server, scope) } }
  for (const written of writes)
    if (written && !(await existsFor(server, write, written))) throw errors.notFound()
  return response
}

/** Whether the document still exists for the caller. What they could not read before, they need not be able to read now. */
async function existsFor(
  server: Server,
  write: CheckedWrite,
  { type: uid, action, wasReadable, ...written }: RecordedWrite,
): Promise<boolean> {
  const { documentId } = written
  const layout = server.layout()
  const type = layout.model.types.get(uid)
  if (!type) return false
  const versions = await loadRowIds(write.transaction, blueprintOf(layout, type), documentId)
  if (versions.length === 0) return false
  return wasReadable ? canRead(write, type, documentId, versions) : areCovered(write, type, [action], written)
}

/** The documents; every write is added to `writes`. */
const recordWrites = (documents: Documents, writes: (RecordedWrite | null)[]): Documents =>
  wrapDocuments(({ action, request, documentId, data }, readBack, run) => {
    const { type } = request
    // What the request itself deletes need not exist when it is repeated.
    if (action === 'delete')
      for (const [index, written] of writes.entries())
        if (written?.type === type.uid && (documentId === null || written.documentId === documentId))
          writes[index] = null
    return run(documents, { request, data }, async (transaction, written) => {
      const { documentId, locale, status } = written
      const version = { locale, published: status === 'published' }
      const wasReadable = await canRead({ transaction, request }, type, documentId, [version])
      writes.push({ type: type.uid, action, documentId, locale, status, wasReadable })
      return readBack(transaction, written)
    })
  }, documents)

/** Documents that write nothing: each write has the result of the one that was recorded, as the caller may read it now. */
function repeatWrites(server: Server, transaction: Transaction, writes: RecordedWrites): Documents {
  const remaining = [...writes]
  const documents: Documents = wrapDocuments(
    async ({ action, request, documentId }, readBack) => {
      if (action === 'delete')
        return readBack(transaction, { documentId: documentId ?? '', locale: '', status: request.status })
      const written = remaining.shift()
      if (!written || !(await existsFor(server, { transaction, request }, written))) throw errors.notFound()
      return readBack(transaction, written)
    },
    { transaction: (work) => work(transaction, documents), within: server.documents.within },
  )
  return documents
}

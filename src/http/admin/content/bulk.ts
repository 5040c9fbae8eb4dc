/** Performs an action on many documents, each by itself: the result says for each whether it succeeded and why not. */
import { errors } from '../../../errors.ts'
import type { Values } from '../../../project/values.ts'
import { bodyOf } from '../../request/fields.ts'
import { errorResponse } from '../../response/error-response.ts'
import { duplicate } from './copy.ts'
import { type ContentCall, dataIn, performFor } from './operations.ts'

const ACTIONS = ['publish', 'unpublish', 'discard', 'delete', 'duplicate', 'update'] as const
type BulkAction = (typeof ACTIONS)[number]

const MAX_DOCUMENTS = 100

interface BulkRequest {
  readonly action: BulkAction
  readonly documentIds: readonly string[]
  readonly locale: string | undefined
  readonly data: unknown
}

export async function performBulk(call: ContentCall) {
  const bulk = parseBulk(call.request.body)
  const results: Values[] = []
  // One after the other: a hundred writes at the same time would hold up those of everyone else.
  for (const documentId of bulk.documentIds) results.push(await resultOf(call, bulk, documentId))
  const succeeded = results.filter(({ ok }) => ok === true).length
  return { data: results, meta: { succeeded, failed: results.length - succeeded } }
}

async function resultOf(call: ContentCall, bulk: BulkRequest, documentId: string): Promise<Values> {
  try {
    const document = await perform(call, bulk, documentId)
    return { documentId, ok: true, ...(document && { result: { documentId: document.documentId } }) }
  } catch (failure) {
    const { body } = errorResponse(failure, call.request.id, call.server.log)
    return { documentId, ok: false, error: JSON.parse(String(body)).error }
  }
}

async function perform(
  call: ContentCall,
  { action, locale, data }: BulkRequest,
  documentId: string,
): Promise<Values | null> {
  const query = { status: 'draft', fields: 'documentId', ...(locale !== undefined && { locale }) }
  switch (action) {
    case 'delete':
      await performFor(call, { method: 'DELETE', path: [documentId], query })
      return null
    case 'duplicate':
      return (await duplicate(call, documentId, locale)).document
    case 'update':
      return dataIn(await performFor(call, { method: 'PUT', path: [documentId], query, data }))
    case 'publish':
    case 'unpublish':
    case 'discard':
      return dataIn(await performFor(call, { method: 'POST', path: [documentId, 'actions', action], query }))
  }
}

function parseBulk(body: unknown): BulkRequest {
  const { action, documentIds, locale, data } = bodyOf(body)
  const known = ACTIONS.find((one) => one === action)
  if (!known)
    throw errors.invalidValues([{ path: ['action'], message: `action must be one of ${ACTIONS.join(', ')}` }])
  if (
    !Array.isArray(documentIds) ||
    documentIds.length === 0 ||
    documentIds.length > MAX_DOCUMENTS ||
    !documentIds.every((id) => typeof id === 'string' && id !== '')
  )
    throw errors.invalidValues([
      { path: ['documentIds'], message: `documentIds must be a list of 1 to ${MAX_DOCUMENTS} ids` },
    ])
  if (locale !== undefined && typeof locale !== 'string')
    throw errors.invalidValues([{ path: ['locale'], message: 'locale must be a string' }])
  return { action: known, documentIds: [...new Set(documentIds)], locale, data }
}

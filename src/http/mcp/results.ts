/** Results of tools: the same JSON as text, for models, and as structured content, for programs. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { isObject, type Values } from '../../project/values.ts'
import { arrayOf, openObject, type Schema, string } from '../openapi/schemas/schema.ts'
import { type ContentResponse, jsonIn } from '../response/content-response.ts'

const META: Schema = { type: 'object' }

const OMITTED: Schema = arrayOf(
  string,
  'Populated paths that were left out because the caller may not see them.',
)

export const LIST_RESULT: Schema = openObject(
  { data: arrayOf({ type: 'object' }), meta: META, omitted: OMITTED },
  ['data', 'meta'],
)

export const DOCUMENT_RESULT: Schema = openObject(
  {
    data: { type: ['object', 'null'] },
    meta: META,
    etag: { ...string, description: 'Identifies this version of the document, for ifMatch.' },
    omitted: OMITTED,
  },
  ['data', 'meta'],
)

/** A list of states or of changes, or a document. */
export const HISTORY_RESULT: Schema = openObject(
  { data: { type: ['array', 'object'] }, meta: META, omitted: OMITTED },
  ['data', 'meta'],
)

/** The JSON of a response, with what was left out. */
export function listResult(response: ContentResponse): Values {
  const { 'octavo-omitted': omitted } = response.headers
  return { ...jsonIn(response), ...(omitted !== undefined && { omitted: omitted.split(', ') }) }
}

/** The JSON of a document, with its etag; of a deleted one, null. */
export function documentResult(response: ContentResponse): Values {
  if (response.body === null) return { data: null, meta: {} }
  const { etag } = response.headers
  return { ...listResult(response), ...(etag !== undefined && { etag }) }
}

export const success = (result: Values): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: { ...result },
})

/** What a model can do after errors whose messages say little. The same for all callers, so that they reveal nothing. */
const HINTS: Readonly<Record<number, string>> = {
  403: 'Your credential does not permit this. describe_model lists the actions that it permits.',
  404: 'There is no such document, or you may not read it. find_documents returns the documentId of each document; with status: draft, of drafts too.',
}

/** The error that the content API would respond with, as the result of a tool, so that a model can correct the call. */
export function failure(response: ContentResponse): CallToolResult {
  const error = errorIn(response)
  const hint = HINTS[response.status]
  const details = { ...(hint !== undefined && { hint }), ...(isObject(error.details) ? error.details : {}) }
  const result = { error: { ...error, details } }
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    structuredContent: result,
    isError: true,
  }
}

export const errorMessage = (response: ContentResponse): string => String(errorIn(response).message)

function errorIn(response: ContentResponse): Values {
  const { error } = jsonIn(response)
  return isObject(error) ? error : {}
}

/** Exports a list as CSV or JSON: all documents that its filters select, page by page, in the order of the list. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { errors } from '../../../errors.ts'
import { isServed } from '../../../model/privacy.ts'
import { isObject, type Values } from '../../../project/values.ts'
import type { ParamObject } from '../../../query/params.ts'
import { rawQueryOf } from '../../request/query-string.ts'
import type { ContentResponse } from '../../response/content-response.ts'
import { csvLine } from '../../response/csv.ts'
import { type ContentCall, pageIn, performFor } from './operations.ts'

const FORMATS = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

export async function exportList(call: ContentCall, reply: FastifyReply): Promise<FastifyReply> {
  const { server, request, type } = call
  if (type.kind === 'single') throw errors.notFound()
  const { format = 'csv', pagination: _, ...list } = server.parseQuery(rawQueryOf(request))
  if (format !== 'csv' && format !== 'json')
    throw errors.invalidParameter('format', null, 'expected csv or json')
  const pages = pagesOf(call, { status: 'draft', ...list })
  // The first page is read before the response starts, so that invalid parameters and missing permissions are errors.
  const first = await pages.next()
  const documents = flatten(first.done ? [] : first.value, pages)
  const text = format === 'csv' ? csvLines(columnsOf(call), documents) : jsonText(documents)
  return reply
    .header('content-type', FORMATS[format])
    .header('content-disposition', `attachment; filename="${type.plural}.${format}"`)
    .send(Readable.from(text))
}

async function* pagesOf(call: ContentCall, query: ParamObject): AsyncGenerator<readonly Values[]> {
  const limit = call.server.project.config.api.rest.maxLimit
  let cursor: string | null = 'start'
  while (cursor !== null) {
    const pagination = { cursor, pageSize: limit, withCount: false }
    const page: ContentResponse = await performFor(call, { method: 'GET', query: { ...query, pagination } })
    const { documents, nextCursor } = pageIn(page)
    yield documents
    cursor = nextCursor
  }
}

async function* flatten(
  first: readonly Values[],
  more: AsyncGenerator<readonly Values[]>,
): AsyncGenerator<Values> {
  yield* first
  for await (const page of more) yield* page
}

/** The scalars of a document; relations and components have no column. */
const columnsOf = ({ type }: ContentCall): readonly string[] => [
  'documentId',
  ...[...type.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar' && isServed(attribute))
    .map(({ name }) => name),
  ...(type.localized ? ['locale'] : []),
  ...['status', 'createdAt', 'updatedAt', 'publishedAt'],
]

async function* csvLines(columns: readonly string[], documents: AsyncGenerator<Values>) {
  yield csvLine(columns)
  for await (const document of documents) {
    const { status } = isObject(document.__meta) ? document.__meta : {}
    yield csvLine(columns.map((name) => (name === 'status' ? status : document[name])))
  }
}

async function* jsonText(documents: AsyncGenerator<Values>) {
  let separator = '['
  for await (const { __meta, ...document } of documents) {
    yield `${separator}${JSON.stringify(document)}`
    separator = ',\n'
  }
  yield separator === '[' ? '[]' : ']'
}

/** `find_documents` and `get_document`. */
import { filtersSchema } from '../../openapi/schemas/filters.ts'
import { arrayOf, string } from '../../openapi/schemas/schema.ts'
import {
  argumentByType,
  argumentsSchema,
  documentIdArgument,
  pageArguments,
  READ_STATUS,
  SELECTION,
  typeArgument,
  versionArguments,
} from '../argument-schemas.ts'
import { documentPath, stringIn, typeIn } from '../check-arguments.ts'
import { typesFor } from '../permitted-types.ts'
import { paginationOf, queryOf } from '../query.ts'
import { DOCUMENT_RESULT, documentResult, LIST_RESULT, listResult } from '../results.ts'
import type { Tool } from '../tool.ts'

const FILTERS =
  'Conditions such as {"name": {"$containsi": "soup"}, "$or": [{"price": {"$lt": 10}}, {"category": {"name": {"$eq": "lunch"}}}]}. Use $null and $notNull for missing values.'

export const findDocuments: Tool = {
  name: 'find_documents',
  title: 'Find documents',
  description: 'Lists documents of a content-type: filtered, sorted, and one page at a time.',
  effect: 'read',
  argumentsFor(builder, detail) {
    const types = typesFor(builder, 'find')
    if (types.length === 0) return null
    return argumentsSchema(
      {
        type: typeArgument(types),
        filters: argumentByType(types, detail, FILTERS, (type) => filtersSchema(builder, type)),
        search: { ...string, description: 'Only documents that contain this text.' },
        sort: arrayOf(
          string,
          'Fields to sort by, such as ["price:desc", "name"]; with `search` also "_score", which puts the best matches first.',
        ),
        ...SELECTION,
        ...pageArguments(builder.config),
        ...versionArguments(builder.model, types, READ_STATUS, true),
      },
      ['type'],
    )
  },
  result: LIST_RESULT,
  async run(call, given) {
    const { name } = typeIn(call, given, 'find')
    const search = stringIn(given, 'search')
    const query = {
      ...queryOf(given, ['filters', 'sort', 'fields', 'populate', 'status', 'locale']),
      ...(search && { _q: search }),
      ...paginationOf(given),
    }
    return listResult(await call.perform({ method: 'GET', path: [name], query }))
  },
}

export const getDocument: Tool = {
  name: 'get_document',
  title: 'Get a document',
  description: 'Returns one document, by its documentId, or the document of a single type.',
  effect: 'read',
  argumentsFor(builder) {
    const types = typesFor(builder, 'get')
    if (types.length === 0) return null
    return argumentsSchema(
      {
        type: typeArgument(types),
        ...documentIdArgument(types),
        ...SELECTION,
        ...versionArguments(builder.model, types, READ_STATUS),
      },
      ['type'],
    )
  },
  result: DOCUMENT_RESULT,
  async run(call, given) {
    const path = documentPath(typeIn(call, given, 'get'), given)
    const query = queryOf(given, ['fields', 'populate', 'status', 'locale'])
    return documentResult(await call.perform({ method: 'GET', path, query }))
  },
}

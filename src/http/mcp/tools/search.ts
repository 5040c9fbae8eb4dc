/** `search_documents`: one text in several content-types. */
import { ApiError } from '../../../errors.ts'
import { isObject, type Values } from '../../../project/values.ts'
import type { DocumentBuilder } from '../../openapi/document-builder.ts'
import { arrayOf, openObject, string } from '../../openapi/schemas/schema.ts'
import { argumentsSchema, READ_STATUS, typeArgument, versionArguments } from '../argument-schemas.ts'
import { stringIn, typesIn } from '../check-arguments.ts'
import { typesFor } from '../permitted-types.ts'
import { queryOf } from '../query.ts'
import { listResult } from '../results.ts'
import type { NamedType, Tool, ToolCall } from '../tool.ts'

/** Each content-type is a statement of its own. */
const MAX_TYPES = 20
const MAX_PER_TYPE = 25
const DEFAULT_PER_TYPE = 5

export const searchDocuments: Tool = {
  name: 'search_documents',
  title: 'Search documents',
  description:
    'Finds documents that contain a text, in any case, in their text attributes. Returns the best matches of each content-type, and how many there are.',
  effect: 'read',
  argumentsFor(builder) {
    const types = searchedTypes(builder)
    if (types.length === 0) return null
    return argumentsSchema(
      {
        text: string,
        types: {
          ...arrayOf(typeArgument(types), `The content-types to search; by default the first ${MAX_TYPES}.`),
          maxItems: MAX_TYPES,
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_PER_TYPE,
          description: `Documents per content-type; ${DEFAULT_PER_TYPE} by default.`,
        },
        ...versionArguments(builder.model, types, READ_STATUS),
      },
      ['text'],
    )
  },
  result: openObject(
    {
      data: arrayOf(
        openObject({ type: string, total: { type: 'integer' }, documents: arrayOf({ type: 'object' }) }),
      ),
      notSearched: arrayOf(string, 'Content-types that were not searched; name them in `types`.'),
    },
    ['data'],
  ),
  async run(call, given) {
    const all = searchedTypes(call.builder)
    const searched = given.types === undefined ? all.slice(0, MAX_TYPES) : typesIn(given, all)
    const data: Values[] = []
    // One after the other: a search must not take all connections.
    for (const named of searched) {
      const found = await search(call, named, given)
      if (found) data.push(found)
    }
    const rest = given.types === undefined ? all.slice(MAX_TYPES) : []
    return { data, ...(rest.length > 0 && { notSearched: rest.map(({ name }) => name) }) }
  },
}

const searchedTypes = (builder: DocumentBuilder) => typesFor(builder, 'find')

/** Null for a content-type without matches, and for one that a policy of the project hides. */
async function search(call: ToolCall, { name }: NamedType, given: Values): Promise<Values | null> {
  const limit = typeof given.limit === 'number' ? given.limit : DEFAULT_PER_TYPE
  const text = stringIn(given, 'text') ?? ''
  const query = {
    ...queryOf(given, ['status', 'locale']),
    _q: text,
    ...(text && { sort: '_score' }),
    pagination: { pageSize: String(limit) },
  }
  try {
    const { data, meta } = listResult(await call.perform({ method: 'GET', path: [name], query }))
    const { total } = isObject(meta) && isObject(meta.pagination) ? meta.pagination : {}
    return total === 0 ? null : { type: name, total, documents: data }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null
    throw error
  }
}

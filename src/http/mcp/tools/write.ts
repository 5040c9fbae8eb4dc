/** `create_document` and `update_document`. Both save a draft unless they are asked to publish. */
import { dataSchema } from '../../openapi/schemas/inputs.ts'
import { type Schema, string } from '../../openapi/schemas/schema.ts'
import {
  argumentByType,
  argumentsSchema,
  documentIdArgument,
  typeArgument,
  versionArguments,
  WRITE_STATUS,
} from '../argument-schemas.ts'
import { documentPath, stringIn, typeIn } from '../check-arguments.ts'
import { typesFor } from '../permitted-types.ts'
import { queryOf } from '../query.ts'
import { DOCUMENT_RESULT, documentResult } from '../results.ts'
import type { Tool } from '../tool.ts'

export const IF_MATCH: Schema = {
  ...string,
  description:
    'The etag of the version that you have read: the call fails if the document has changed since.',
}

const NEW_STATUS = { status: 'draft' }

export const createDocument: Tool = {
  name: 'create_document',
  title: 'Create a document',
  description:
    'Creates a document. Where the content-type has drafts, it is saved as a draft, which may be incomplete; publish_document publishes it.',
  effect: 'add',
  argumentsFor(builder, detail) {
    const types = typesFor(builder, 'create')
    if (types.length === 0) return null
    return argumentsSchema(
      {
        type: typeArgument(types),
        data: argumentByType(types, detail, 'The attributes of the document.', (type) =>
          dataSchema(builder, type, 'create'),
        ),
        ...versionArguments(builder.model, types, WRITE_STATUS),
      },
      ['type', 'data'],
    )
  },
  result: DOCUMENT_RESULT,
  async run(call, given) {
    const { name } = typeIn(call, given, 'create')
    const query = { ...NEW_STATUS, ...queryOf(given, ['status', 'locale']) }
    return documentResult(await call.perform({ method: 'POST', path: [name], query, data: given.data }))
  },
}

export const updateDocument: Tool = {
  name: 'update_document',
  title: 'Update a document',
  description:
    'Changes the attributes that `data` has and keeps the others; null clears one. Lists of components and dynamic zones are replaced as a whole: send entries with their id to keep them. Where the content-type has drafts, only the draft is changed until it is published.',
  effect: 'change',
  argumentsFor(builder, detail) {
    const types = typesFor(builder, 'update')
    if (types.length === 0) return null
    return argumentsSchema(
      {
        type: typeArgument(types),
        ...documentIdArgument(types),
        data: argumentByType(types, detail, 'The attributes to change.', (type) =>
          dataSchema(builder, type, 'update'),
        ),
        ifMatch: IF_MATCH,
        ...versionArguments(builder.model, types, WRITE_STATUS),
      },
      ['type', 'data'],
    )
  },
  result: DOCUMENT_RESULT,
  async run(call, given) {
    const path = documentPath(typeIn(call, given, 'update'), given)
    const query = { ...NEW_STATUS, ...queryOf(given, ['status', 'locale']) }
    const ifMatch = stringIn(given, 'ifMatch')
    return documentResult(await call.perform({ method: 'PUT', path, query, data: given.data, ifMatch }))
  },
}

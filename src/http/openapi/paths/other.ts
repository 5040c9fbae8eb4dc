/** The paths of locales, batches and the OpenAPI document itself. */
import type { DocumentBuilder } from '../document-builder.ts'
import { addOperation, jsonBody, jsonResponse, type Paths } from '../operation.ts'
import {
  arrayOf,
  boolean,
  closedObject,
  dateTime,
  integer,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { errorResponses } from './error-responses.ts'
import { idempotencyKey } from './parameters.ts'

const LOCALE = 'plugin::i18n.locale'

export function addOtherPaths(builder: DocumentBuilder, paths: Paths): void {
  if (builder.scope.may(LOCALE, 'find'))
    addOperation(paths, '/api/i18n/locales', 'get', {
      operationId: 'listLocales',
      tags: ['Locales'],
      summary: 'List locales',
      responses: { 200: jsonResponse('The locales.', arrayOf(localeSchema(builder))), ...errorResponses() },
    })
  if (mayWrite(builder))
    addOperation(paths, '/api/batch', 'post', {
      operationId: 'batch',
      tags: ['Batch'],
      summary: 'Write several documents in one transaction',
      description:
        'Later operations can refer to the results of earlier ones: `{"$ref": "first.documentId"}` in a body, `{first.documentId}` in a path, where `first` is the id of an operation. References inside `json` and `blocks` attributes are not resolved.',
      parameters: [idempotencyKey(builder)],
      requestBody: jsonBody(batchSchema(builder)),
      responses: {
        200: jsonResponse('The result of each operation, in order.', batchResponseSchema(builder)),
        ...errorResponses(400, 404, 412, 413, 415),
      },
    })
  addOperation(paths, '/api/openapi.json', 'get', {
    operationId: 'getOpenApi',
    tags: ['Documentation'],
    summary: 'Get this document',
    responses: {
      200: jsonResponse('What you may use, as an OpenAPI 3.1 document.', { type: 'object' }),
      ...errorResponses(),
    },
  })
}

const mayWrite = ({ model, scope }: DocumentBuilder) =>
  [...model.endpoints.values()].some(({ uid }) =>
    ['create', 'update', 'delete'].some((action) => scope.may(uid, action)),
  )

const localeSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Locale', () =>
    openObject(
      {
        id: integer,
        documentId: string,
        name: string,
        code: string,
        createdAt: dateTime,
        updatedAt: dateTime,
        publishedAt: dateTime,
        isDefault: boolean,
      },
      ['code', 'isDefault'],
    ),
  )

const batchSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Batch', () => {
    const operation = closedObject(
      {
        id: {
          ...string,
          pattern: '^[\\w-]{1,64}$',
          description: 'An id for references from later operations.',
        },
        method: { type: 'string', enum: ['POST', 'PUT', 'DELETE'] },
        path: { ...string, pattern: '^/api/', examples: ['/api/articles?status=draft'] },
        body: { type: 'object' },
        ifMatch: string,
      },
      ['method', 'path'],
    )
    return openObject({ operations: { ...arrayOf(operation), minItems: 1, maxItems: 100 } }, ['operations'])
  })

const batchResponseSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('BatchResponse', () => {
    const result = openObject({ status: integer, body: { type: ['object', 'null'] } }, ['status', 'body'])
    return openObject({ data: arrayOf(result), meta: { type: 'object' } }, ['data', 'meta'])
  })

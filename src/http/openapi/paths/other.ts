/** The paths beside those of documents, files and users: locales, batches, and this document itself. */
import type { Drawing } from '../document-builder.ts'
import { add, jsonAnswer, jsonBody, type Paths } from '../operation.ts'
import { boolean, closed, instant, integer, list, open, type Schema, text } from '../schemas/schema.ts'
import { failuresOf } from './failures.ts'
import { idempotencyKey } from './parameters.ts'

const LOCALE = 'plugin::i18n.locale'

export function addOtherPaths(d: Drawing, paths: Paths): void {
  if (d.scope.may(LOCALE, 'find'))
    add(paths, '/api/i18n/locales', 'get', {
      operationId: 'listLocales',
      tags: ['Locales'],
      summary: 'List locales',
      responses: { 200: jsonAnswer('The locales.', list(localeSchema(d))), ...failuresOf() },
    })
  if (mayWrite(d))
    add(paths, '/api/batch', 'post', {
      operationId: 'batch',
      tags: ['Batch'],
      summary: 'Write several documents, all or none',
      description:
        'Later operations may use what earlier ones made: `{"$ref": "first.documentId"}` in a body, `{first.documentId}` in a path, where `first` is the id of an operation. The values of `json` and `blocks` attributes are left as they are.',
      parameters: [idempotencyKey(d)],
      requestBody: jsonBody(batchSchema(d)),
      responses: {
        200: jsonAnswer('The answer to each operation, in order.', batchAnswerSchema(d)),
        ...failuresOf(400, 404, 412, 413, 415),
      },
    })
  add(paths, '/api/openapi.json', 'get', {
    operationId: 'getOpenApi',
    tags: ['Documentation'],
    summary: 'Get this document',
    responses: {
      200: jsonAnswer('What the caller may use, as OpenAPI 3.1.', { type: 'object' }),
      ...failuresOf(),
    },
  })
}

const mayWrite = ({ model, scope }: Drawing) =>
  [...model.endpoints.values()].some(({ uid }) =>
    ['create', 'update', 'delete'].some((action) => scope.may(uid, action)),
  )

const localeSchema = (d: Drawing): Schema =>
  d.shared('Locale', () =>
    open(
      {
        id: integer,
        documentId: text,
        name: text,
        code: text,
        createdAt: instant,
        updatedAt: instant,
        publishedAt: instant,
        isDefault: boolean,
      },
      ['code', 'isDefault'],
    ),
  )

const batchSchema = (d: Drawing): Schema =>
  d.shared('Batch', () => {
    const operation = closed(
      {
        id: { ...text, pattern: '^[\\w-]{1,64}$', description: 'A name for references.' },
        method: { type: 'string', enum: ['POST', 'PUT', 'DELETE'] },
        path: { ...text, pattern: '^/api/', examples: ['/api/articles?status=draft'] },
        body: { type: 'object' },
        ifMatch: text,
      },
      ['method', 'path'],
    )
    return open({ operations: { ...list(operation), minItems: 1, maxItems: 100 } }, ['operations'])
  })

const batchAnswerSchema = (d: Drawing): Schema =>
  d.shared('BatchAnswer', () => {
    const answer = open({ status: integer, body: { type: ['object', 'null'] } }, ['status', 'body'])
    return open({ data: list(answer), meta: { type: 'object' } }, ['data', 'meta'])
  })

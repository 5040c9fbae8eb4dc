/** The paths of history that the caller may use. */
import type { ContentType } from '../../../../model/model.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import {
  addOperation,
  jsonResponse,
  type Operation,
  type Paths,
  pathParameter,
  queryParameter,
  type Reference,
} from '../../operation.ts'
import { documentSchema } from '../../schemas/documents.ts'
import {
  arrayOf,
  dateTime,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { errorResponses } from '../error-responses.ts'
import { fields, idempotencyKey, ifMatch, locale, pagination, populate } from '../parameters.ts'

interface HistoryPaths {
  /** The path of the document. */
  readonly path: string
  readonly tags: Operation['tags']
  readonly pathParameters: readonly Reference[]
}

/** Left out unless the content-type has history and the caller may read it. */
export function addHistoryPaths(
  builder: DocumentBuilder,
  paths: Paths,
  type: ContentType,
  { path, tags, pathParameters }: HistoryPaths,
): void {
  const { scope, config } = builder
  const may = (action: string) => scope.may(type.uid, action)
  const mayRead = may('readHistory') && may(type.kind === 'single' ? 'find' : 'findOne')
  if (!type.history || !config.history.enabled || !mayRead) return
  const name = builder.schemaName(type.uid)
  const document = documentSchema(builder, type)
  const one = `${path}/history/{version}`
  const shown = [fields(builder, type), ...populate(builder, type)]
  addOperation(paths, `${path}/history`, 'get', {
    operationId: `list${name}History`,
    tags,
    summary: 'List the saved states of the document',
    description: 'Newest first. Without `readDrafts`, only states that were published are listed.',
    parameters: [...pathParameters, ...locale(builder, type, 'Read'), ...pagination(builder)],
    responses: {
      200: jsonResponse('A page of saved states.', listOf(versionSchema(builder))),
      ...errorResponses(400, 404),
    },
  })
  addOperation(paths, one, 'get', {
    operationId: `get${name}Version`,
    tags,
    summary: 'Get the document as it was',
    description:
      'Related documents are shown as they are now; those that no longer exist are listed in meta.',
    parameters: [...pathParameters, versionNumber(builder), ...shown],
    responses: {
      200: jsonResponse(
        'The saved state.',
        openObject({ data: document, meta: openObject({ ...VERSION, missing: MISSING, removed: REMOVED }) }, [
          'data',
          'meta',
        ]),
      ),
      ...errorResponses(400, 404),
    },
  })
  addOperation(paths, `${one}/changes`, 'get', {
    operationId: `compare${name}Version`,
    tags,
    summary: 'Get what changed in a saved state',
    parameters: [
      ...pathParameters,
      versionNumber(builder),
      builder.sharedParameter('AgainstVersion', () =>
        queryParameter('against', 'The version to compare with; that before it by default.', integer),
      ),
    ],
    responses: {
      200: jsonResponse(
        'The changes, attribute by attribute.',
        openObject(
          {
            data: arrayOf(CHANGE),
            meta: openObject({
              version: versionSchema(builder),
              against: nullable(versionSchema(builder)),
            }),
          },
          ['data', 'meta'],
        ),
      ),
      ...errorResponses(400, 404),
    },
  })
  if (may('update'))
    addOperation(paths, `${one}/restore`, 'post', {
      operationId: `restore${name}Version`,
      tags,
      summary: 'Restore a saved state',
      description: 'Makes it the draft again; a deleted document is created with its documentId.',
      parameters: [
        ...pathParameters,
        versionNumber(builder),
        ...(type.draftAndPublish ? [restoreStatus(builder)] : []),
        ...shown,
        idempotencyKey(builder),
        ifMatch(builder),
      ],
      responses: {
        200: jsonResponse(
          'The document, and what could not be restored.',
          openObject(
            {
              data: document,
              meta: openObject({ restored: versionSchema(builder), notRestored: arrayOf(PROBLEM) }),
            },
            ['data', 'meta'],
          ),
        ),
        ...errorResponses(400, 404, 412),
      },
    })
  if (type.kind === 'collection')
    addOperation(paths, `/api/${type.plural}/deleted`, 'get', {
      operationId: `listDeleted${name}`,
      tags,
      summary: 'List deleted documents',
      description: 'The latest deletion first. Restore one by its documentId and version.',
      parameters: [...locale(builder, type, 'List'), ...shown, ...pagination(builder)],
      responses: {
        200: jsonResponse(
          'A page of deleted documents.',
          listOf(openObject({ ...VERSION, document }, [...Object.keys(VERSION), 'document'])),
        ),
        ...errorResponses(400),
      },
    })
}

const versionNumber = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('VersionNumber', () =>
    pathParameter('version', 'The number of the saved state, from the list.'),
  )

const restoreStatus = (builder: DocumentBuilder): Reference =>
  builder.sharedParameter('RestoreStatus', () =>
    queryParameter('status', '`published` also publishes the restored state.', {
      type: 'string',
      enum: ['draft', 'published'],
      default: 'draft',
    }),
  )

const AUTHOR = openObject({ kind: string, id: string }, ['kind'])

const VERSION: Readonly<Record<string, Schema>> = {
  version: integer,
  documentId: string,
  locale: nullable(string),
  action: string,
  status: { type: 'string', enum: ['draft', 'published'] },
  at: dateTime,
  by: AUTHOR,
}

const versionSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('SavedVersion', () => openObject(VERSION, Object.keys(VERSION)))

const listOf = (items: Schema): Schema =>
  openObject({ data: arrayOf(items), meta: openObject({ pagination: { type: 'object' } }, ['pagination']) }, [
    'data',
    'meta',
  ])

const MISSING = arrayOf(
  openObject({ path: arrayOf(string), documentId: string, type: string }, ['path', 'documentId', 'type']),
  'Related documents that no longer exist.',
)

const REMOVED: Schema = {
  type: 'object',
  description: 'The values of attributes that the content-type no longer has.',
}

const PROBLEM = openObject({ path: arrayOf(string), message: string }, ['path', 'message'])

const CHANGE = openObject(
  {
    path: arrayOf(string),
    kind: { type: 'string', enum: ['changed', 'added', 'removed', 'moved'] },
    before: {},
    after: {},
  },
  ['path', 'kind'],
)

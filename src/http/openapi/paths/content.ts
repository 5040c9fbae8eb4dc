/** The paths of the content API that the caller may use. */
import type { ContentType } from '../../../model/model.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import {
  addOperation,
  jsonBody,
  jsonResponse,
  type Operation,
  type Paths,
  type Reference,
  type Response,
} from '../operation.ts'
import { createdSchema, documentSchema } from '../schemas/documents.ts'
import { bodyExample } from '../schemas/examples.ts'
import { bodySchema } from '../schemas/inputs.ts'
import { anyOf, arrayOf, closedObject, integer, openObject, type Schema } from '../schemas/schema.ts'
import { addHistoryPaths } from './changes/history.ts'
import { errorResponses } from './error-responses.ts'
import { addReadOperation } from './explain.ts'
import {
  actionParameters,
  deleteParameters,
  documentId,
  documentParameters,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  listParameters,
  writeParameters,
} from './parameters.ts'
import { addScheduleAction } from './schedules.ts'

const HEADERS = {
  ETag: { $ref: '#/components/headers/ETag' },
  'Octavo-Omitted': { $ref: '#/components/headers/Omitted' },
} as const

export function addContentPaths(
  builder: DocumentBuilder,
  paths: Paths,
  type: ContentType,
  tag: string,
): void {
  if (type.kind === 'single') addSingle(builder, paths, type, tag)
  else addCollection(builder, paths, type, tag)
}

function addCollection(builder: DocumentBuilder, paths: Paths, type: ContentType, tag: string): void {
  const may = (action: string) => builder.scope.may(type.uid, action)
  const name = builder.schemaName(type.uid)
  const all = `/api/${type.plural}`
  const one = `${all}/{documentId}`
  const tags = [tag]
  const singular = words(type.singular)

  if (may('find'))
    addReadOperation(builder, paths, all, {
      operationId: `list${name}`,
      tags,
      summary: `List ${words(type.plural)}`,
      parameters: [...listParameters(builder, type), ifNoneMatch(builder)],
      responses: { 200: listResponse(builder, type), 304: UNCHANGED, ...errorResponses(400) },
    })
  if (may('create'))
    addOperation(paths, all, 'post', {
      operationId: `create${name}`,
      tags,
      summary: `Create ${singular}`,
      parameters: [...writeParameters(builder, type), idempotencyKey(builder)],
      requestBody: jsonBody(bodySchema(builder, type, 'create'), bodyExample(builder, type, 'create')),
      responses: {
        201: jsonResponse('The created document.', documentEnvelope(createdSchema(builder, type)), HEADERS),
        ...errorResponses(400, 413, 415),
      },
    })
  if (may('findOne'))
    addReadOperation(builder, paths, one, {
      operationId: `get${name}`,
      tags,
      summary: `Get ${singular}`,
      parameters: [documentId(builder), ...documentParameters(builder, type), ifNoneMatch(builder)],
      responses: { 200: documentResponse(builder, type), 304: UNCHANGED, ...errorResponses(400, 404) },
    })
  if (may('update'))
    addOperation(paths, one, 'put', {
      operationId: `update${name}`,
      tags,
      summary: `Update ${singular}`,
      description: 'Attributes that you do not send keep their values; null clears an attribute.',
      parameters: [documentId(builder), ...writeParameters(builder, type), ifMatch(builder)],
      requestBody: jsonBody(bodySchema(builder, type, 'update'), bodyExample(builder, type, 'update')),
      responses: { 200: documentResponse(builder, type), ...errorResponses(400, 404, 412, 413, 415) },
    })
  if (may('delete'))
    addOperation(paths, one, 'delete', {
      operationId: `delete${name}`,
      tags,
      summary: `Delete ${singular}`,
      parameters: [documentId(builder), ...deleteParameters(builder, type), ifMatch(builder)],
      responses: { 204: DELETED, ...errorResponses(400, 412) },
    })
  if (type.draftAndPublish) addVersionActions(builder, paths, type, one, tags, [documentId(builder)])
  addHistoryPaths(builder, paths, type, { path: one, tags, pathParameters: [documentId(builder)] })
}

function addSingle(builder: DocumentBuilder, paths: Paths, type: ContentType, tag: string): void {
  const may = (action: string) => builder.scope.may(type.uid, action)
  const name = builder.schemaName(type.uid)
  const path = `/api/${type.singular}`
  const tags = [tag]

  if (may('find'))
    addReadOperation(builder, paths, path, {
      operationId: `get${name}`,
      tags,
      summary: `Get ${words(type.singular)}`,
      parameters: [...documentParameters(builder, type), ifNoneMatch(builder)],
      responses: { 200: documentResponse(builder, type), 304: UNCHANGED, ...errorResponses(400, 404) },
    })
  if (may('update'))
    addOperation(paths, path, 'put', {
      operationId: `update${name}`,
      tags,
      summary: `Create or update ${words(type.singular)}`,
      description: 'Attributes that you do not send keep their values; null clears an attribute.',
      parameters: [...writeParameters(builder, type), ifMatch(builder)],
      requestBody: jsonBody(bodySchema(builder, type, 'update'), bodyExample(builder, type, 'update')),
      responses: { 200: documentResponse(builder, type), ...errorResponses(400, 412, 413, 415) },
    })
  if (may('delete'))
    addOperation(paths, path, 'delete', {
      operationId: `delete${name}`,
      tags,
      summary: `Delete ${words(type.singular)}`,
      parameters: [...deleteParameters(builder, type), ifMatch(builder)],
      responses: { 204: DELETED, ...errorResponses(400, 412) },
    })
  if (type.draftAndPublish) addVersionActions(builder, paths, type, path, tags, [])
  addHistoryPaths(builder, paths, type, { path, tags, pathParameters: [] })
}

const ACTIONS = {
  publish: 'Validates the draft completely and publishes it.',
  unpublish: 'Removes the published version and keeps the draft.',
  discard: 'Replaces the draft with the published version.',
}

function addVersionActions(
  builder: DocumentBuilder,
  paths: Paths,
  type: ContentType,
  one: string,
  tags: Operation['tags'],
  pathParameters: readonly Reference[],
): void {
  for (const [action, description] of Object.entries(ACTIONS)) {
    if (!builder.scope.may(type.uid, action)) continue
    addOperation(paths, `${one}/actions/${action}`, 'post', {
      operationId: `${action}${builder.schemaName(type.uid)}`,
      tags,
      summary: `${action.charAt(0).toUpperCase()}${action.slice(1)} ${words(type.singular)}`,
      description,
      parameters: [
        ...pathParameters,
        ...actionParameters(builder, type),
        idempotencyKey(builder),
        ifMatch(builder),
      ],
      responses: { 200: documentResponse(builder, type), ...errorResponses(400, 404, 412) },
    })
  }
  addScheduleAction(builder, paths, type, one, tags, pathParameters)
}

/** `menu-item` becomes `menu item`. */
const words = (id: string) => id.replace(/[-_]+/g, ' ')

const DELETED: Response = { description: 'The document was deleted, or did not exist.' }
const UNCHANGED: Response = {
  description: 'Not modified: the response is the one that If-None-Match identifies.',
}

const EMPTY_META: Schema = { type: 'object' }

const documentEnvelope = (data: Schema): Schema => openObject({ data, meta: EMPTY_META }, ['data', 'meta'])

const documentResponse = (builder: DocumentBuilder, type: ContentType): Response =>
  jsonResponse('The document.', documentEnvelope(documentSchema(builder, type)), HEADERS)

function listResponse(builder: DocumentBuilder, type: ContentType): Response {
  const meta = openObject({ pagination: anyOf(byPage(builder), byOffset(builder), byCursor(builder)) }, [
    'pagination',
  ])
  const schema = openObject({ data: arrayOf(documentSchema(builder, type)), meta }, ['data', 'meta'])
  return jsonResponse('A page of documents.', schema, HEADERS)
}

const TOTAL: Schema = {
  ...integer,
  description: 'The number of matching documents; absent with withCount=false.',
}

const byPage = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('PagePagination', () =>
    closedObject({ page: integer, pageSize: integer, pageCount: integer, total: TOTAL }, [
      'page',
      'pageSize',
    ]),
  )

const byOffset = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('OffsetPagination', () =>
    closedObject({ start: integer, limit: integer, total: TOTAL }, ['start', 'limit']),
  )

const CURSOR: Schema = { type: ['string', 'null'], description: 'Null at the end of the list.' }

const byCursor = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('CursorPagination', () =>
    closedObject({ pageSize: integer, total: TOTAL, nextCursor: CURSOR, previousCursor: CURSOR }, [
      'pageSize',
      'nextCursor',
      'previousCursor',
    ]),
  )

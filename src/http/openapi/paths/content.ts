/** The paths of generated endpoints, as far as the caller may use them. */
import type { ContentType } from '../../../model/model.ts'
import type { Drawing } from '../document-builder.ts'
import {
  add,
  jsonAnswer,
  jsonBody,
  type Operation,
  type Paths,
  type Reference,
  type Response,
} from '../operation.ts'
import { createdSchema, documentSchema } from '../schemas/documents.ts'
import { bodyExample } from '../schemas/examples.ts'
import { bodySchema } from '../schemas/inputs.ts'
import { anyOf, closed, integer, list, open, type Schema } from '../schemas/schema.ts'
import { addRead } from './explain.ts'
import { failuresOf } from './failures.ts'
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

const HEADERS = {
  ETag: { $ref: '#/components/headers/ETag' },
  'Octavo-Omitted': { $ref: '#/components/headers/Omitted' },
} as const

/** Adds the paths of one content-type. */
export function addContentPaths(d: Drawing, paths: Paths, type: ContentType, tag: string): void {
  if (type.kind === 'single') addSingle(d, paths, type, tag)
  else addCollection(d, paths, type, tag)
}

function addCollection(d: Drawing, paths: Paths, type: ContentType, tag: string): void {
  const may = (action: string) => d.scope.may(type.uid, action)
  const name = d.nameOf(type.uid)
  const all = `/api/${type.plural}`
  const one = `${all}/{documentId}`
  const tags = [tag]
  const singular = words(type.singular)

  if (may('find'))
    addRead(d, paths, all, {
      operationId: `list${name}`,
      tags,
      summary: `List ${words(type.plural)}`,
      parameters: [...listParameters(d, type), ifNoneMatch(d)],
      responses: { 200: listAnswer(d, type), 304: UNCHANGED, ...failuresOf(400) },
    })
  if (may('create'))
    add(paths, all, 'post', {
      operationId: `create${name}`,
      tags,
      summary: `Create ${singular}`,
      parameters: [...writeParameters(d, type), idempotencyKey(d)],
      requestBody: jsonBody(bodySchema(d, type, 'create'), bodyExample(d, type, 'create')),
      responses: {
        201: jsonAnswer('The document that was made.', documentEnvelope(createdSchema(d, type)), HEADERS),
        ...failuresOf(400, 413, 415),
      },
    })
  if (may('findOne'))
    addRead(d, paths, one, {
      operationId: `get${name}`,
      tags,
      summary: `Get ${singular}`,
      parameters: [documentId(d), ...documentParameters(d, type), ifNoneMatch(d)],
      responses: { 200: oneAnswer(d, type), 304: UNCHANGED, ...failuresOf(400, 404) },
    })
  if (may('update'))
    add(paths, one, 'put', {
      operationId: `update${name}`,
      tags,
      summary: `Change ${singular}`,
      description: 'Attributes that are not sent stay as they are; null clears one.',
      parameters: [documentId(d), ...writeParameters(d, type), ifMatch(d)],
      requestBody: jsonBody(bodySchema(d, type, 'update'), bodyExample(d, type, 'update')),
      responses: { 200: oneAnswer(d, type), ...failuresOf(400, 404, 412, 413, 415) },
    })
  if (may('delete'))
    add(paths, one, 'delete', {
      operationId: `delete${name}`,
      tags,
      summary: `Delete ${singular}`,
      parameters: [documentId(d), ...deleteParameters(d, type), ifMatch(d)],
      responses: { 204: DELETED, ...failuresOf(400, 412) },
    })
  if (type.draftAndPublish) addVersionActions(d, paths, type, one, tags, [documentId(d)])
}

function addSingle(d: Drawing, paths: Paths, type: ContentType, tag: string): void {
  const may = (action: string) => d.scope.may(type.uid, action)
  const name = d.nameOf(type.uid)
  const path = `/api/${type.singular}`
  const tags = [tag]

  if (may('find'))
    addRead(d, paths, path, {
      operationId: `get${name}`,
      tags,
      summary: `Get ${words(type.singular)}`,
      parameters: [...documentParameters(d, type), ifNoneMatch(d)],
      responses: { 200: oneAnswer(d, type), 304: UNCHANGED, ...failuresOf(400, 404) },
    })
  if (may('update'))
    add(paths, path, 'put', {
      operationId: `update${name}`,
      tags,
      summary: `Change ${words(type.singular)}, or make it`,
      description: 'Attributes that are not sent stay as they are; null clears one.',
      parameters: [...writeParameters(d, type), ifMatch(d)],
      requestBody: jsonBody(bodySchema(d, type, 'update'), bodyExample(d, type, 'update')),
      responses: { 200: oneAnswer(d, type), ...failuresOf(400, 412, 413, 415) },
    })
  if (may('delete'))
    add(paths, path, 'delete', {
      operationId: `delete${name}`,
      tags,
      summary: `Delete ${words(type.singular)}`,
      parameters: [...deleteParameters(d, type), ifMatch(d)],
      responses: { 204: DELETED, ...failuresOf(400, 412) },
    })
  if (type.draftAndPublish) addVersionActions(d, paths, type, path, tags, [])
}

const ACTIONS = {
  publish: 'Checks the draft in full and makes it the published version.',
  unpublish: 'Takes the published version away; the draft stays.',
  discard: 'Makes the draft the same as the published version.',
}

function addVersionActions(
  d: Drawing,
  paths: Paths,
  type: ContentType,
  one: string,
  tags: Operation['tags'],
  named: readonly Reference[],
): void {
  for (const [action, description] of Object.entries(ACTIONS)) {
    if (!d.scope.may(type.uid, action)) continue
    add(paths, `${one}/actions/${action}`, 'post', {
      operationId: `${action}${d.nameOf(type.uid)}`,
      tags,
      summary: `${action.charAt(0).toUpperCase()}${action.slice(1)} ${words(type.singular)}`,
      description,
      parameters: [...named, ...actionParameters(d, type), idempotencyKey(d), ifMatch(d)],
      responses: { 200: oneAnswer(d, type), ...failuresOf(400, 404, 412) },
    })
  }
}

/** An API id as words. */
const words = (id: string) => id.replace(/[-_]+/g, ' ')

const DELETED: Response = { description: 'It is gone, or was not there.' }
const UNCHANGED: Response = { description: 'You have it: the answer is that of If-None-Match.' }

const EMPTY_META: Schema = { type: 'object' }

const documentEnvelope = (data: Schema): Schema => open({ data, meta: EMPTY_META }, ['data', 'meta'])

const oneAnswer = (d: Drawing, type: ContentType): Response =>
  jsonAnswer('The document.', documentEnvelope(documentSchema(d, type)), HEADERS)

function listAnswer(d: Drawing, type: ContentType): Response {
  const meta = open({ pagination: anyOf(byPage(d), byOffset(d), byCursor(d)) }, ['pagination'])
  const schema = open({ data: list(documentSchema(d, type)), meta }, ['data', 'meta'])
  return jsonAnswer('A page of documents.', schema, HEADERS)
}

const TOTAL: Schema = { ...integer, description: 'How many there are in all; absent with withCount=false.' }

const byPage = (d: Drawing): Schema =>
  d.shared('PagePagination', () =>
    closed({ page: integer, pageSize: integer, pageCount: integer, total: TOTAL }, ['page', 'pageSize']),
  )

const byOffset = (d: Drawing): Schema =>
  d.shared('OffsetPagination', () =>
    closed({ start: integer, limit: integer, total: TOTAL }, ['start', 'limit']),
  )

const CURSOR: Schema = { type: ['string', 'null'], description: 'Null where the list ends.' }

const byCursor = (d: Drawing): Schema =>
  d.shared('CursorPagination', () =>
    closed({ pageSize: integer, total: TOTAL, nextCursor: CURSOR, previousCursor: CURSOR }, [
      'pageSize',
      'nextCursor',
      'previousCursor',
    ]),
  )

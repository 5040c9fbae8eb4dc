/** The paths of the admin API for content, files and views. */
import type { DocumentBuilder } from '../document-builder.ts'
import { jsonBody, jsonResponse, type Operation, pathParameter, queryParameter } from '../operation.ts'
import { arrayOf, boolean, nullable, openObject, type Schema, string } from '../schemas/schema.ts'
import { navigationSchema, savedViewSchema, typeViewSchema } from './admin/me.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from './admin-operation.ts'
import { errorResponses } from './error-responses.ts'
import { libraryOperations } from './media/library.ts'

/** Adds operations of one tag. */
export type AddTo = (tag: string) => AddAdminOperation

const object: Schema = { type: 'object' }

export function addAdminContentPaths(builder: DocumentBuilder, addTo: AddTo): void {
  addContent(addTo('Admin: content'))
  addDocumentActions(addTo('Admin: content'))
  addFiles(addTo('Admin: files'))
  addViews(builder, addTo('Admin: views'))
}

const NAME = pathParameter('name', 'The path segment of the content-type, as in the content API.')
const ID = pathParameter('id', 'The documentId.')
const ACTION = pathParameter('action', 'One of `publish`, `unpublish` and `discard`.')

const SAME =
  'Like the same path of the content API, with its parameters, for the person who is signed in. `status` is `draft` by default, and each document has `__meta`.'

function addContent(add: AddAdminOperation): void {
  const one = adminResponse('The document.', object)
  const list = adminResponse('The documents.', arrayOf(object), object)
  const body = adminBody(object)
  const operation = (
    operationId: string,
    summary: string,
    responses: Operation['responses'],
    more: Partial<Operation> = {},
  ) => ({
    ...{ operationId, summary, description: SAME, ...more },
    responses: { ...responses, ...errorResponses(400, 404) },
  })
  const at = (...parameters: readonly (typeof NAME)[]) => ({ parameters })
  const listOrSingle = { 200: { ...list, description: 'The documents, or the one of a single type.' } }
  add('/content/{name}', 'get', operation('listContent', 'List documents', listOrSingle, at(NAME)))
  add('/content/{name}', 'post', {
    ...operation('createContent', 'Create a document', { 201: one }, { ...at(NAME), requestBody: body }),
  })
  add('/content/{name}', 'put', {
    ...operation('updateSingle', 'Update a single type', { 200: one }, { ...at(NAME), requestBody: body }),
  })
  add('/content/{name}', 'delete', operation('deleteSingle', 'Delete a single type', { 204: DONE }, at(NAME)))
  add('/content/{name}/{id}', 'get', operation('getContent', 'Read a document', { 200: one }, at(NAME, ID)))
  add('/content/{name}/{id}', 'put', {
    ...operation('updateContent', 'Save a document', { 200: one }, { ...at(NAME, ID), requestBody: body }),
  })
  add('/content/{name}/{id}', 'delete', {
    ...operation('deleteContent', 'Delete a document', { 204: DONE }, at(NAME, ID)),
  })
  add('/content/{name}/{id}/actions/{action}', 'post', {
    ...operation('actOnContent', 'Publish, unpublish or discard', { 200: one }, at(NAME, ID, ACTION)),
  })
  add('/content/{name}/actions/{action}', 'post', {
    ...operation(
      'actOnSingle',
      'Publish, unpublish or discard a single type',
      { 200: one },
      at(NAME, ACTION),
    ),
  })
}

function addDocumentActions(add: AddAdminOperation): void {
  const referring = openObject({
    ...{ type: string, documentId: string, locale: nullable(string), title: {}, status: nullable(string) },
  })
  const present = openObject({ user: object, since: string, editing: boolean })
  const responses = (status: 200 | 201, description: string, data: Schema, meta?: Schema) => ({
    responses: { [status]: adminResponse(description, data, meta), ...errorResponses(400, 404) },
  })
  add('/content/users', 'get', {
    operationId: 'listUsersForRelations',
    summary: 'List users, for relations to them',
    ...responses(200, 'The users.', arrayOf(object), object),
  })
  add('/content/{name}/actions/bulk', 'post', {
    operationId: 'actOnDocuments',
    summary: 'Perform an action on up to 100 documents, each by itself',
    parameters: [NAME],
    requestBody: jsonBody(
      openObject({ action: string, documentIds: arrayOf(string), locale: string, data: object }, [
        'action',
        'documentIds',
      ]),
    ),
    ...responses(200, 'Whether each succeeded, and why not.', arrayOf(object), object),
  })
  add('/content/{name}/actions/export', 'get', {
    operationId: 'exportDocuments',
    summary: 'Export a list as CSV or JSON',
    parameters: [
      NAME,
      queryParameter('format', '`csv` or `json`.', { type: 'string', enum: ['csv', 'json'] }),
    ],
    responses: { 200: { description: 'The documents.' }, ...errorResponses(400, 404) },
  })
  add('/content/{name}/{id}/actions/duplicate', 'post', {
    operationId: 'duplicateDocument',
    summary: 'Create a draft with the content of a document',
    parameters: [NAME, ID],
    requestBody: { ...jsonBody(openObject({ locale: string, data: object })), required: false },
    ...responses(201, 'The new draft, and what differs from the original.', object, object),
  })
  add('/content/{name}/{id}/actions/fill-locale', 'post', {
    operationId: 'fillLocale',
    summary: 'Copy localized attributes from one locale to another',
    parameters: [NAME, ID],
    requestBody: jsonBody(openObject({ from: string, to: string, fields: arrayOf(string) }, ['from', 'to'])),
    ...responses(200, 'The draft in the locale that was filled.', object),
  })
  add('/content/{name}/{id}/used-by', 'get', {
    operationId: 'listReferringDocuments',
    summary: 'List up to 100 documents that refer to a document',
    parameters: [NAME, ID],
    ...responses(200, 'The documents.', arrayOf(referring), object),
  })
  add('/content/{name}/{id}/presence', 'put', {
    operationId: 'reportPresence',
    summary: 'Report that the document is open, every 20 seconds',
    parameters: [NAME, ID],
    requestBody: jsonBody(openObject({ editing: boolean })),
    ...responses(200, 'Who else has it open.', arrayOf(present)),
  })
  add('/content/{name}/{id}/presence', 'delete', {
    operationId: 'endPresence',
    summary: 'Report that the document is closed',
    parameters: [NAME, ID],
    responses: { 204: DONE, ...errorResponses(404) },
  })
}

function addFiles(add: AddAdminOperation): void {
  const file = pathParameter('id', 'The numeric id or the documentId of the file.')
  const response = (status: 200 | 201, schema: Schema) => ({
    responses: { [status]: jsonResponse('As in the content API.', schema), ...errorResponses(400, 404) },
  })
  add('/upload', 'post', {
    operationId: 'uploadAsTeam',
    summary: 'Upload files',
    parameters: [queryParameter('id', 'The id of an existing file to change.')],
    ...response(201, arrayOf(object)),
  })
  add('/upload/files', 'get', {
    operationId: 'listFilesAsTeam',
    summary: 'List files',
    ...response(200, arrayOf(object)),
  })
  add('/upload/files/{id}', 'get', {
    ...{ operationId: 'getFileAsTeam', summary: 'Read a file', parameters: [file] },
    ...response(200, object),
  })
  add('/upload/files/{id}', 'delete', {
    ...{ operationId: 'deleteFileAsTeam', summary: 'Delete a file', parameters: [file] },
    ...response(200, object),
  })
  add('/upload/folders', 'get', {
    operationId: 'listFoldersAsTeam',
    summary: 'List folders',
    parameters: [queryParameter('parent', 'Lists a page of the folders directly in this one.')],
    ...response(200, arrayOf(object)),
  })
  add('/upload/files/page', 'get', {
    operationId: 'listFilePageAsTeam',
    summary: 'List files, with the pagination in `meta` and the folder and crop of each file in `__meta`',
    ...response(200, object),
  })
  for (const { path, method, operation } of libraryOperations(object, object))
    add(`/upload${path}`, method, { ...operation, operationId: `${operation.operationId}AsTeam` })
}

function addViews(builder: DocumentBuilder, add: AddAdminOperation): void {
  const id = pathParameter('id', 'The id of the saved view.')
  const view = adminResponse('The view, completed with defaults.', typeViewSchema(builder))
  const saved = savedViewSchema(builder)
  add('/views/types/{uid}', 'put', {
    operationId: 'setTypeView',
    summary: 'Configure how the documents of a content-type are shown',
    parameters: [pathParameter('uid', 'The uid of the content-type.')],
    requestBody: adminBody(object),
    responses: { 200: view, ...errorResponses(400, 404) },
  })
  add('/views/navigation', 'put', {
    operationId: 'setNavigation',
    summary: 'Group the content-types in the navigation',
    requestBody: adminBody(object),
    responses: { 200: adminResponse('The groups.', navigationSchema()), ...errorResponses(400) },
  })
  add('/saved-views', 'get', {
    operationId: 'listSavedViews',
    summary: 'List the own saved views and the shared ones',
    responses: { 200: adminResponse('By name.', arrayOf(saved)), ...errorResponses() },
  })
  add('/saved-views', 'post', {
    operationId: 'saveView',
    summary: 'Save a list with its filters',
    requestBody: adminBody(
      openObject({ type: string, name: string, query: string, shared: boolean }, ['type', 'name']),
    ),
    responses: { 201: adminResponse('The saved view.', saved), ...errorResponses(400) },
  })
  add('/saved-views/{id}', 'put', {
    operationId: 'changeSavedView',
    summary: 'Change a saved view',
    parameters: [id],
    requestBody: adminBody(openObject({ name: string, query: string, shared: boolean })),
    responses: { 200: adminResponse('The saved view.', saved), ...errorResponses(400, 404) },
  })
  add('/saved-views/{id}', 'delete', {
    operationId: 'deleteSavedView',
    summary: 'Delete a saved view',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(404) },
  })
}

/** The operations of the upload API besides uploading and reading files: folders, several files together, and usage. */
import {
  jsonBody,
  jsonResponse,
  type Method,
  type Operation,
  pathParameter,
  queryParameter,
} from '../../operation.ts'
import {
  arrayOf,
  closedObject,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { errorResponses } from '../error-responses.ts'

/** An operation below the path of the upload API, and the action on files that it requires. */
export interface LibraryOperation {
  readonly path: string
  readonly method: Method
  readonly action: 'upload' | 'find' | 'findOne' | 'destroy'
  readonly operation: Omit<Operation, 'tags'>
}

const FILE_ID = pathParameter('id', 'The numeric id or the documentId of the file.')
const FOLDER_PATH = {
  ...queryParameter('path', 'The path of the folder, such as `/menus/2024`.'),
  required: true,
}

/** With the schemas of a file and of a folder in a list. */
export function libraryOperations(file: Schema, folder: Schema): readonly LibraryOperation[] {
  const ids = arrayOf({ type: ['string', 'integer'] }, 'The ids of at most 100 files.')
  const folderBody = jsonBody(closedObject({ path: string }, ['path']), { path: '/menus/2024' })
  const document = openObject({
    ...{ type: string, documentId: string, locale: nullable(string), title: {}, status: nullable(string) },
  })
  const folderResponse = (status: 200 | 201, description: string) => ({
    responses: { [status]: jsonResponse(description, folder), ...errorResponses(400, 404) },
  })
  const filesResponse = {
    responses: { 200: jsonResponse('The files.', arrayOf(file)), ...errorResponses(400, 404) },
  }
  return [
    {
      ...{ path: '/folders', method: 'post', action: 'upload' },
      operation: {
        ...{ operationId: 'createFolder', summary: 'Create folder', requestBody: folderBody },
        ...folderResponse(201, 'The folder.'),
      },
    },
    {
      ...{ path: '/folders', method: 'put', action: 'upload' },
      operation: {
        ...{ operationId: 'moveFolder', summary: 'Rename or move folder', requestBody: folderBody },
        parameters: [FOLDER_PATH],
        ...folderResponse(200, 'The folder at its new path.'),
      },
    },
    {
      ...{ path: '/folders', method: 'delete', action: 'upload' },
      operation: {
        ...{ operationId: 'deleteFolder', summary: 'Delete folder' },
        parameters: [
          FOLDER_PATH,
          queryParameter(
            'contents',
            '`move` moves the files in the folder and below it to the folder above. Required unless it is empty.',
            { type: 'string', enum: ['move'] },
          ),
        ],
        ...folderResponse(200, 'The deleted folder.'),
      },
    },
    {
      ...{ path: '/files/move', method: 'post', action: 'upload' },
      operation: {
        ...{ operationId: 'moveFiles', summary: 'Move files to a folder' },
        requestBody: jsonBody(closedObject({ files: ids, folder: string }, ['files', 'folder'])),
        ...filesResponse,
      },
    },
    {
      ...{ path: '/files/delete', method: 'post', action: 'destroy' },
      operation: {
        ...{ operationId: 'deleteFiles', summary: 'Delete files' },
        requestBody: jsonBody(closedObject({ files: ids }, ['files'])),
        ...filesResponse,
      },
    },
    {
      ...{ path: '/files/{id}/used-by', method: 'get', action: 'findOne' },
      operation: {
        ...{ operationId: 'listFileUsage', summary: 'List up to 100 documents that use a file' },
        parameters: [FILE_ID],
        responses: {
          200: jsonResponse(
            'The documents, drafts included.',
            openObject({ data: arrayOf(document), meta: openObject({ total: integer }) }, ['data', 'meta']),
          ),
          ...errorResponses(404),
        },
      },
    },
    {
      ...{ path: '/files/{id}/original', method: 'get', action: 'upload' },
      operation: {
        ...{ operationId: 'getOriginal', summary: 'Get an image as it was before it was cropped' },
        parameters: [FILE_ID],
        responses: {
          200: {
            description: 'The image.',
            content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
          },
          ...errorResponses(404),
        },
      },
    },
  ]
}

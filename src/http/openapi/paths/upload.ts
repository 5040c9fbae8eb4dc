/** The paths of the upload interface, as far as the caller may use them. Its answers have no envelope. */
import { FILE, typeOf } from '../../../model/model.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import {
  addOperation,
  jsonResponse,
  type Operation,
  type Paths,
  pathParameter,
  queryParameter,
} from '../operation.ts'
import { documentSchema } from '../schemas/documents.ts'
import {
  anyOf,
  arrayOf,
  boolean,
  closedObject,
  integer,
  nullable,
  number,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { errorResponses } from './error-responses.ts'
import { addReadOperation } from './explain.ts'
import { fields, filters, pagination, search } from './parameters.ts'

const tags = ['Upload']

const FILE_ID = pathParameter('id', 'The numeric id or the documentId of the file.')

const CHANGED_ID = queryParameter(
  'id',
  'A file to change instead: with other bytes in `files`, or with `fileInfo` alone.',
)

const PLACE_LOCALE = queryParameter(
  'locale',
  'The locale in which the files are attached, where the attribute has files for each.',
)

const FOLDER = queryParameter('folder', 'Only the files in this folder.')

const RELATED = queryParameter('populate', '`related` shows the documents that have the file.', {
  type: 'string',
  enum: ['related', '*'],
})

export function addUploadPaths(builder: DocumentBuilder, paths: Paths): void {
  const may = (action: string) => builder.scope.may(FILE, action)
  const file = () => uploadedFile(builder)
  const type = typeOf(builder.model, FILE)

  if (may('upload'))
    addOperation(paths, '/api/upload', 'post', {
      operationId: 'uploadFiles',
      tags,
      summary: 'Upload files',
      parameters: [CHANGED_ID, PLACE_LOCALE],
      requestBody: uploadBody(builder),
      responses: {
        200: jsonResponse('The file that was changed, with the parameter id.', file()),
        201: jsonResponse('The files, in the order they were sent.', arrayOf(file())),
        ...errorResponses(400, 404, 413, 415),
      },
    })
  if (may('find')) {
    addReadOperation(builder, paths, '/api/upload/files', {
      operationId: 'listFiles',
      tags,
      summary: 'List files',
      parameters: [
        filters(builder, type),
        search(builder),
        fields(builder, type),
        ...pagination(builder),
        FOLDER,
        RELATED,
      ],
      responses: {
        200: jsonResponse('The files.', arrayOf(file()), {
          'X-Total-Count': { description: 'How many there are in all.', schema: integer },
        }),
        ...errorResponses(400),
      },
    })
    addReadOperation(builder, paths, '/api/upload/folders', {
      operationId: 'listFolders',
      tags,
      summary: 'List folders',
      responses: {
        200: jsonResponse('The folders that hold files.', arrayOf(folderSchema(builder))),
        ...errorResponses(),
      },
    })
  }
  if (may('findOne'))
    addReadOperation(builder, paths, '/api/upload/files/{id}', {
      operationId: 'getFile',
      tags,
      summary: 'Get file',
      parameters: [FILE_ID, RELATED],
      responses: { 200: jsonResponse('The file.', file()), ...errorResponses(400, 404) },
    })
  if (may('destroy'))
    addOperation(paths, '/api/upload/files/{id}', 'delete', {
      operationId: 'deleteFile',
      tags,
      summary: 'Delete file',
      parameters: [FILE_ID],
      responses: { 200: jsonResponse('The file that was deleted.', file()), ...errorResponses(404) },
    })
}

const uploadedFile = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('UploadedFile', () => ({
    allOf: [
      documentSchema(builder, typeOf(builder.model, FILE)),
      openObject({
        isUrlSigned: { ...boolean, description: 'Whether its addresses expire.' },
        related: arrayOf({ type: 'object' }, 'The documents that have the file, when they are populated.'),
      }),
    ],
  }))

const folderSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Folder', () => openObject({ path: string, files: integer }, ['path', 'files']))

const fileInfo = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('FileInfo', () =>
    closedObject({
      name: string,
      alternativeText: nullable(string),
      caption: nullable(string),
      focalPoint: nullable(closedObject({ x: number, y: number }, ['x', 'y'])),
      folder: string,
    }),
  )

function uploadBody(builder: DocumentBuilder): NonNullable<Operation['requestBody']> {
  const { maxFiles, maxFileSize } = builder.config.upload
  const bytes: Schema = { type: 'string', format: 'binary' }
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: openObject({
          files: arrayOf(bytes, `At most ${maxFiles} files of at most ${maxFileSize} bytes.`),
          fileInfo: {
            ...anyOf(fileInfo(builder), arrayOf(fileInfo(builder), 'One for each file, in order.')),
            examples: [{}],
          },
          path: { ...string, description: 'A folder for all files.' },
          ref: {
            ...string,
            description: 'The uid of a content-type, to attach the files to a document of it.',
          },
          refId: { ...string, description: 'The id or documentId of that document.' },
          field: { ...string, description: 'Its media attribute.' },
        }),
      },
    },
  }
}

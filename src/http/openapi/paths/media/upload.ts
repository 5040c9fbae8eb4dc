/** The paths of the upload API that the caller may use. Its responses have no envelope. */
import { FILE, typeOf } from '../../../../model/model.ts'
import { FILE_KINDS } from '../../../../store/tables/file-kind.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import {
  addOperation,
  jsonResponse,
  type Operation,
  type Paths,
  pathParameter,
  queryParameter,
} from '../../operation.ts'
import { documentSchema } from '../../schemas/documents.ts'
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
} from '../../schemas/schema.ts'
import { errorResponses } from '../error-responses.ts'
import { addReadOperation } from '../explain.ts'
import { fields, filters, pagination, search } from '../parameters.ts'
import { libraryOperations } from './library.ts'

const tags = ['Upload']

const FILE_ID = pathParameter('id', 'The numeric id or the documentId of the file.')

const REPLACED_ID = queryParameter(
  'id',
  'The id of an existing file to change: send new content in `files`, or `fileInfo` only.',
)

const ATTACH_LOCALE = queryParameter(
  'locale',
  'The locale to attach the files in, if the attribute is localized.',
)

const FOLDER = queryParameter('folder', 'Only the files in this folder.')

const KIND = queryParameter('kind', 'Only images, videos, sounds, or files of another kind.', {
  type: 'string',
  enum: [...FILE_KINDS],
})

const UNUSED = queryParameter('unused', 'Only the files that no document uses, or with `false` the others.', {
  type: 'boolean',
})

const FOLDER_PAGE = [
  queryParameter('parent', 'Lists the folders directly in this one, also empty ones.'),
  queryParameter('start', 'With `parent`: the number of folders to skip.', integer),
  queryParameter('limit', 'With `parent`: the number of folders to return.', integer),
]

const RELATED = queryParameter('populate', '`related` includes the documents that use the file.', {
  type: 'string',
  enum: ['related', '*'],
})

export function addUploadPaths(builder: DocumentBuilder, paths: Paths): void {
  const may = (action: string) => builder.scope.may(FILE, action)
  const file = () => uploadedFile(builder)
  const type = typeOf(builder.model, FILE)
  const unused = may('destroy') ? [UNUSED] : []

  if (may('upload'))
    addOperation(paths, '/api/upload', 'post', {
      operationId: 'uploadFiles',
      tags,
      summary: 'Upload files',
      parameters: [REPLACED_ID, ATTACH_LOCALE],
      requestBody: uploadBody(builder),
      responses: {
        200: jsonResponse('The changed file, if the parameter id was sent.', file()),
        201: jsonResponse('The files, in the order in which they were sent.', arrayOf(file())),
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
        KIND,
        ...unused,
        RELATED,
      ],
      responses: {
        200: jsonResponse('The files.', arrayOf(file()), {
          'X-Total-Count': { description: 'The total number of files.', schema: integer },
        }),
        ...errorResponses(400),
      },
    })
    addReadOperation(builder, paths, '/api/upload/files/page', {
      operationId: 'listFilePage',
      tags,
      summary: 'List files, with the pagination in `meta`',
      parameters: [
        filters(builder, type),
        search(builder),
        fields(builder, type),
        ...pagination(builder),
        FOLDER,
        KIND,
        ...unused,
        RELATED,
      ],
      responses: {
        200: jsonResponse(
          'The files.',
          openObject({ data: arrayOf(file()), meta: openObject({ pagination: { type: 'object' } }) }, [
            'data',
            'meta',
          ]),
        ),
        ...errorResponses(400),
      },
    })
    addReadOperation(builder, paths, '/api/upload/folders', {
      operationId: 'listFolders',
      tags,
      summary: 'List folders',
      parameters: FOLDER_PAGE,
      responses: {
        200: jsonResponse(
          'The folders that contain files; with `parent`, a page of those in one folder.',
          arrayOf(folderSchema(builder)),
          { 'X-Total-Count': { description: 'With `parent`, the number of its folders.', schema: integer } },
        ),
        ...errorResponses(400),
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
      responses: { 200: jsonResponse('The deleted file.', file()), ...errorResponses(404) },
    })
  // The schemas of files are part of the document only if an operation uses them.
  const permitted = ['upload', 'find', 'findOne', 'destroy'].some(may)
  for (const { path, method, action, operation } of permitted
    ? libraryOperations(file(), folderSchema(builder))
    : [])
    if (may(action)) addOperation(paths, `/api/upload${path}`, method, { ...operation, tags })
}

const uploadedFile = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('UploadedFile', () => ({
    allOf: [
      documentSchema(builder, typeOf(builder.model, FILE)),
      openObject({
        isUrlSigned: { ...boolean, description: 'Whether the URLs of the file expire.' },
        related: arrayOf({ type: 'object' }, 'The documents that use the file. Present if populated.'),
      }),
    ],
  }))

const folderSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Folder', () =>
    openObject({ path: string, files: integer, name: string, folders: integer }, ['path', 'files']),
  )

const fileInfo = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('FileInfo', () =>
    closedObject({
      name: string,
      alternativeText: nullable(string),
      caption: nullable(string),
      focalPoint: nullable(closedObject({ x: number, y: number }, ['x', 'y'])),
      crop: nullable(
        closedObject({ x: number, y: number, width: number, height: number }, ['x', 'y', 'width', 'height']),
      ),
      folder: string,
    }),
  )

/** The form at `/docs` starts with the first example, and sends no empty fields. */
const optionalString: Schema = { ...string, examples: [''] }

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
            ...anyOf(fileInfo(builder), arrayOf(fileInfo(builder), 'One for each file, in the same order.')),
            examples: [{}],
          },
          path: { ...optionalString, description: 'The folder for all files.' },
          ref: {
            ...optionalString,
            description: 'The uid of a content-type, to attach the files to one of its documents.',
          },
          refId: { ...optionalString, description: 'The id or documentId of that document.' },
          field: { ...optionalString, description: 'The media attribute of that document.' },
        }),
      },
    },
  }
}

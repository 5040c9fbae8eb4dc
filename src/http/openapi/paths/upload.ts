/** The paths of the upload interface, as far as the caller may use them. Its answers have no envelope. */
import { FILE, typeOf } from '../../../model/model.ts'
import type { Drawing } from '../document-builder.ts'
import { add, inPath, inQuery, jsonAnswer, type Operation, type Paths } from '../operation.ts'
import { documentSchema } from '../schemas/documents.ts'
import {
  anyOf,
  boolean,
  closed,
  integer,
  list,
  nullable,
  number,
  open,
  type Schema,
  text,
} from '../schemas/schema.ts'
import { addRead } from './explain.ts'
import { failuresOf } from './failures.ts'
import { fields, filters, pagination, search } from './parameters.ts'

const tags = ['Upload']

const FILE_ID = inPath('id', 'The numeric id or the documentId of the file.')

const CHANGED_ID = inQuery(
  'id',
  'A file to change instead: with other bytes in `files`, or with `fileInfo` alone.',
)

const PLACE_LOCALE = inQuery(
  'locale',
  'The locale in which the files are attached, where the attribute has files for each.',
)

const FOLDER = inQuery('folder', 'Only the files in this folder.')

const RELATED = inQuery('populate', '`related` shows the documents that have the file.', {
  type: 'string',
  enum: ['related', '*'],
})

export function addUploadPaths(d: Drawing, paths: Paths): void {
  const may = (action: string) => d.scope.may(FILE, action)
  const file = () => uploadedFile(d)
  const type = typeOf(d.model, FILE)

  if (may('upload'))
    add(paths, '/api/upload', 'post', {
      operationId: 'uploadFiles',
      tags,
      summary: 'Upload files',
      parameters: [CHANGED_ID, PLACE_LOCALE],
      requestBody: uploadBody(d),
      responses: {
        200: jsonAnswer('The file that was changed, with the parameter id.', file()),
        201: jsonAnswer('The files, in the order they were sent.', list(file())),
        ...failuresOf(400, 404, 413, 415),
      },
    })
  if (may('find')) {
    addRead(d, paths, '/api/upload/files', {
      operationId: 'listFiles',
      tags,
      summary: 'List files',
      parameters: [filters(d, type), search(d), fields(d, type), ...pagination(d), FOLDER, RELATED],
      responses: {
        200: jsonAnswer('The files.', list(file()), {
          'X-Total-Count': { description: 'How many there are in all.', schema: integer },
        }),
        ...failuresOf(400),
      },
    })
    addRead(d, paths, '/api/upload/folders', {
      operationId: 'listFolders',
      tags,
      summary: 'List folders',
      responses: {
        200: jsonAnswer('The folders that hold files.', list(folderSchema(d))),
        ...failuresOf(),
      },
    })
  }
  if (may('findOne'))
    addRead(d, paths, '/api/upload/files/{id}', {
      operationId: 'getFile',
      tags,
      summary: 'Get file',
      parameters: [FILE_ID, RELATED],
      responses: { 200: jsonAnswer('The file.', file()), ...failuresOf(400, 404) },
    })
  if (may('destroy'))
    add(paths, '/api/upload/files/{id}', 'delete', {
      operationId: 'deleteFile',
      tags,
      summary: 'Delete file',
      parameters: [FILE_ID],
      responses: { 200: jsonAnswer('The file that was deleted.', file()), ...failuresOf(404) },
    })
}

const uploadedFile = (d: Drawing): Schema =>
  d.shared('UploadedFile', () => ({
    allOf: [
      documentSchema(d, typeOf(d.model, FILE)),
      open({
        isUrlSigned: { ...boolean, description: 'Whether its addresses expire.' },
        related: list({ type: 'object' }, 'The documents that have the file, when they are populated.'),
      }),
    ],
  }))

const folderSchema = (d: Drawing): Schema =>
  d.shared('Folder', () => open({ path: text, files: integer }, ['path', 'files']))

const fileInfo = (d: Drawing): Schema =>
  d.shared('FileInfo', () =>
    closed({
      name: text,
      alternativeText: nullable(text),
      caption: nullable(text),
      focalPoint: nullable(closed({ x: number, y: number }, ['x', 'y'])),
      folder: text,
    }),
  )

function uploadBody(d: Drawing): NonNullable<Operation['requestBody']> {
  const { maxFiles, maxFileSize } = d.config.upload
  const bytes: Schema = { type: 'string', format: 'binary' }
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: open({
          files: list(bytes, `At most ${maxFiles} files of at most ${maxFileSize} bytes.`),
          fileInfo: {
            ...anyOf(fileInfo(d), list(fileInfo(d), 'One for each file, in order.')),
            examples: [{}],
          },
          path: { ...text, description: 'A folder for all files.' },
          ref: {
            ...text,
            description: 'The uid of a content-type, to attach the files to a document of it.',
          },
          refId: { ...text, description: 'The id or documentId of that document.' },
          field: { ...text, description: 'Its media attribute.' },
        }),
      },
    },
  }
}

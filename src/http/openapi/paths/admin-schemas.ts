/** The paths of the admin API that read and change content-types and components. */
import type { DocumentBuilder } from '../document-builder.ts'
import { headerParameter, pathParameter, queryParameter } from '../operation.ts'
import {
  arrayOf,
  boolean,
  closedObject,
  integer,
  nullable,
  nullSchema,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from './admin-operation.ts'
import { errorResponses } from './error-responses.ts'

const dryRun = queryParameter('dryRun', 'Return the changes without applying them.', boolean)
const confirm = queryParameter('confirm', 'Apply changes that delete content too. A backup is kept.', boolean)

const changeSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminChange', () =>
    openObject(
      {
        kind: string,
        uid: { ...string, description: 'The content-type or component that changes.' },
        effect: { type: 'string', enum: ['safe', 'notice', 'empty', 'lossy', 'blocked'] },
        words: { ...string, description: 'A description of the change.' },
        rows: { ...integer, description: 'The number of affected rows.' },
        affected: {
          ...integer,
          description: 'The number of documents that lose content or block the change.',
        },
        documents: arrayOf(string, 'The ids of the first of these documents.'),
        hint: { ...string, description: 'How to avoid losing content, if there is a way.' },
      },
      ['kind', 'uid', 'effect', 'words', 'rows', 'affected', 'documents'],
    ),
  )

const clientChangeSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminClientChange', () =>
    openObject(
      {
        kind: { type: 'string', enum: ['path', 'field', 'input'] },
        breaking: { ...boolean, description: 'Whether a client that works today may fail.' },
        uid: string,
        words: { ...string, description: 'What clients of the content API notice.' },
      },
      ['kind', 'breaking', 'uid', 'words'],
    ),
  )

const ifMatch = headerParameter(
  'If-Match',
  'The version of the schema that the change was made for, such as "12". If it is another, the change fails with 412.',
)

export function addSchemaPaths(builder: DocumentBuilder, add: AddAdminOperation): void {
  const unwritten = {
    ...string,
    description: 'Why the schema files could not be written, if the change was applied without them.',
  }
  const changes = builder.sharedSchema('AdminPlan', () =>
    openObject(
      { changes: arrayOf(changeSchema(builder)), clients: arrayOf(clientChangeSchema(builder)), unwritten },
      ['changes', 'clients'],
    ),
  )
  const flags = [dryRun, confirm]
  const object: Schema = { type: 'object' }
  const attributes: Schema = { type: 'object', additionalProperties: openObject({ type: string }, ['type']) }
  const contentType = builder.sharedSchema('AdminContentType', () =>
    openObject(
      {
        uid: { ...string, examples: ['api::book.book'] },
        kind: { type: 'string', enum: ['collectionType', 'singleType'] },
        ...{
          collectionName: string,
          renamedFrom: string,
          info: object,
          options: object,
          pluginOptions: object,
        },
        attributes,
      },
      ['attributes'],
    ),
  )
  const component = builder.sharedSchema('AdminComponent', () =>
    openObject(
      {
        uid: { ...string, examples: ['shared.seo'] },
        collectionName: string,
        renamedFrom: string,
        info: object,
        attributes,
      },
      ['attributes'],
    ),
  )

  const addPathsOf = (path: string, noun: string, name: string, schema: Schema) => {
    const uid = pathParameter(
      'uid',
      `The uid, such as ${name === 'Component' ? 'shared.seo' : 'api::book.book'}.`,
    )
    const planned = adminResponse('The planned changes, with dryRun.', nullSchema, changes)
    const deleted = adminResponse(
      'The planned changes, with dryRun; or the changes made, if the schema files could not be written.',
      nullSchema,
      changes,
    )
    add(path, 'get', {
      operationId: `list${name}s`,
      summary: `List ${noun}s`,
      responses: {
        200: adminResponse('The contents of the schema files, with uids.', arrayOf(schema)),
        ...errorResponses(),
      },
    })
    add(path, 'post', {
      operationId: `create${name}`,
      summary: `Create a ${noun}`,
      parameters: [dryRun],
      requestBody: adminBody(schema),
      responses: {
        200: planned,
        201: adminResponse('The created schema.', schema, changes),
        ...errorResponses(400),
      },
    })
    add(`${path}/{uid}`, 'get', {
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      parameters: [uid],
      responses: {
        200: adminResponse('The contents of the schema file, with the uid.', schema),
        ...errorResponses(404),
      },
    })
    add(`${path}/{uid}`, 'put', {
      operationId: `update${name}`,
      summary: `Update a ${noun}`,
      description:
        'Send the complete schema. A different uid renames it and keeps its content and the relations to it.',
      parameters: [uid, ...flags],
      requestBody: adminBody(schema),
      responses: {
        200: adminResponse('The updated schema; null with dryRun.', nullable(schema), changes),
        ...errorResponses(400, 404),
      },
    })
    add(`${path}/{uid}`, 'delete', {
      operationId: `delete${name}`,
      summary: `Delete a ${noun}`,
      parameters: [uid, ...flags],
      responses: { 200: deleted, 204: DONE, ...errorResponses(400, 404) },
    })
  }
  addPathsOf('/content-types', 'content-type', 'ContentType', contentType)
  addPathsOf('/components', 'component', 'Component', component)

  const lists = { contentTypes: arrayOf(contentType), components: arrayOf(component) }
  const edit = adminBody(
    closedObject({
      ...lists,
      rename: arrayOf(
        closedObject({ from: string, to: string }),
        'The uids to rename; references are updated.',
      ),
      remove: arrayOf(string, 'The uids to delete.'),
    }),
  )
  add('/schema', 'get', {
    operationId: 'getSchema',
    summary: 'Get all content-types and components',
    responses: {
      200: adminResponse(
        'The contents of the schema files, with uids.',
        openObject(lists, ['contentTypes', 'components']),
        openObject(
          {
            version: integer,
            editable: boolean,
            reason: { ...nullable(string), description: 'Why they cannot be changed.' },
          },
          ['version', 'editable', 'reason'],
        ),
      ),
      ...errorResponses(),
    },
  })
  add('/schema/check', 'post', {
    operationId: 'checkSchema',
    summary: 'Check a change of content-types and components without planning it',
    requestBody: edit,
    responses: { 204: DONE, ...errorResponses(400) },
  })
  add('/schema-version', 'get', {
    operationId: 'getSchemaVersion',
    summary: 'Get the version of the content-types, without a session',
    responses: {
      200: adminResponse('The version.', openObject({ version: integer }, ['version'])),
      ...errorResponses(),
    },
  })
  add('/schema', 'put', {
    operationId: 'updateSchema',
    summary: 'Change several content-types and components together',
    parameters: [...flags, ifMatch],
    requestBody: edit,
    responses: {
      200: adminResponse(
        'All content-types and components; null with dryRun.',
        nullable(openObject(lists, ['contentTypes', 'components'])),
        changes,
      ),
      ...errorResponses(400, 412),
    },
  })
}

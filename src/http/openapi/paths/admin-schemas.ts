/** The paths of the admin interface that change content-types and components. */

import type { DocumentBuilder } from '../document-builder.ts'
import { pathParameter, queryParameter } from '../operation.ts'
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

const dryRun = queryParameter('dryRun', 'Only say what would happen.', boolean)
const confirm = queryParameter('confirm', 'Also do what takes content away; a backup is kept.', boolean)

const changeSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminChange', () =>
    openObject(
      {
        kind: string,
        effect: { type: 'string', enum: ['safe', 'notice', 'empty', 'lossy', 'blocked'] },
        words: { ...string, description: 'One sentence for people.' },
        rows: { ...integer, description: 'Rows that it is about.' },
        affected: { ...integer, description: 'Documents that lose content or are in the way.' },
        documents: arrayOf(string, 'The first of them.'),
        hint: { ...string, description: 'How it could lose nothing, where something can be said.' },
      },
      ['kind', 'effect', 'words', 'rows', 'affected', 'documents'],
    ),
  )

/** Adds `/content-types`, `/components` and `/schema`. */
export function addSchemaPaths(builder: DocumentBuilder, tell: AddAdminOperation): void {
  const unwritten = { ...string, description: 'Why the schema files do not say yet what was done.' }
  const changes = openObject({ changes: arrayOf(changeSchema(builder)), unwritten }, ['changes'])
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

  const told = (path: string, noun: string, name: string, schema: Schema) => {
    const uid = pathParameter(
      'uid',
      `Its uid, such as ${name === 'Component' ? 'shared.seo' : 'api::book.book'}.`,
    )
    const planned = adminResponse('What would happen, with dryRun.', nullSchema, changes)
    const untold = adminResponse(
      'What would happen, with dryRun; or what has, but for the files.',
      nullSchema,
      changes,
    )
    tell(path, 'get', {
      operationId: `list${name}s`,
      summary: `List ${noun}s`,
      responses: {
        200: adminResponse('In the JSON of their schema files, with their uids.', arrayOf(schema)),
        ...errorResponses(),
      },
    })
    tell(path, 'post', {
      operationId: `create${name}`,
      summary: `Make a ${noun}`,
      parameters: [dryRun],
      requestBody: adminBody(schema),
      responses: {
        200: planned,
        201: adminResponse('It is there, and answers.', schema, changes),
        ...errorResponses(400),
      },
    })
    tell(`${path}/{uid}`, 'get', {
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      parameters: [uid],
      responses: {
        200: adminResponse('In the JSON of its schema file, with its uid.', schema),
        ...errorResponses(404),
      },
    })
    tell(`${path}/{uid}`, 'put', {
      operationId: `update${name}`,
      summary: `Change a ${noun}`,
      description:
        'The whole schema is sent. Another uid renames it, with its content and what points at it.',
      parameters: [uid, ...flags],
      requestBody: adminBody(schema),
      responses: {
        200: adminResponse('As it is now; null with dryRun.', nullable(schema), changes),
        ...errorResponses(400, 404),
      },
    })
    tell(`${path}/{uid}`, 'delete', {
      operationId: `delete${name}`,
      summary: `Drop a ${noun}`,
      parameters: [uid, ...flags],
      responses: { 200: untold, 204: DONE, ...errorResponses(400, 404) },
    })
  }
  told('/content-types', 'content-type', 'ContentType', contentType)
  told('/components', 'component', 'Component', component)

  const lists = { contentTypes: arrayOf(contentType), components: arrayOf(component) }
  tell('/schema', 'put', {
    operationId: 'updateSchema',
    summary: 'Change several content-types and components at once',
    parameters: flags,
    requestBody: adminBody(closedObject({ ...lists, remove: arrayOf(string, 'Uids of those to drop.') })),
    responses: {
      200: adminResponse('All there are; null with dryRun.', nullable(openObject(lists)), changes),
      ...errorResponses(400),
    },
  })
}

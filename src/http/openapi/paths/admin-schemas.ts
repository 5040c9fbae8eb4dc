/** The paths of the admin interface that change content-types and components. */

import type { Drawing } from '../document-builder.ts'
import { inPath, inQuery } from '../operation.ts'
import {
  boolean,
  closed,
  integer,
  list,
  nothing,
  nullable,
  open,
  type Schema,
  text,
} from '../schemas/schema.ts'
import { answer, body, DONE, type Tell } from './admin-shapes.ts'
import { failuresOf } from './failures.ts'

const dryRun = inQuery('dryRun', 'Only say what would happen.', boolean)
const confirm = inQuery('confirm', 'Also do what takes content away; a backup is kept.', boolean)

const changeSchema = (d: Drawing): Schema =>
  d.shared('AdminChange', () =>
    open(
      {
        kind: text,
        effect: { type: 'string', enum: ['safe', 'notice', 'empty', 'lossy', 'blocked'] },
        words: { ...text, description: 'One sentence for people.' },
        rows: { ...integer, description: 'Rows that it is about.' },
        affected: { ...integer, description: 'Documents that lose content or are in the way.' },
        documents: list(text, 'The first of them.'),
        hint: { ...text, description: 'How it could lose nothing, where something can be said.' },
      },
      ['kind', 'effect', 'words', 'rows', 'affected', 'documents'],
    ),
  )

/** Adds `/content-types`, `/components` and `/schema`. */
export function addSchemaPaths(d: Drawing, tell: Tell): void {
  const unwritten = { ...text, description: 'Why the schema files do not say yet what was done.' }
  const changes = open({ changes: list(changeSchema(d)), unwritten }, ['changes'])
  const flags = [dryRun, confirm]
  const object: Schema = { type: 'object' }
  const attributes: Schema = { type: 'object', additionalProperties: open({ type: text }, ['type']) }
  const contentType = d.shared('AdminContentType', () =>
    open(
      {
        uid: { ...text, examples: ['api::book.book'] },
        kind: { type: 'string', enum: ['collectionType', 'singleType'] },
        ...{ collectionName: text, renamedFrom: text, info: object, options: object, pluginOptions: object },
        attributes,
      },
      ['attributes'],
    ),
  )
  const component = d.shared('AdminComponent', () =>
    open(
      {
        uid: { ...text, examples: ['shared.seo'] },
        collectionName: text,
        renamedFrom: text,
        info: object,
        attributes,
      },
      ['attributes'],
    ),
  )

  const told = (path: string, noun: string, name: string, schema: Schema) => {
    const uid = inPath('uid', `Its uid, such as ${name === 'Component' ? 'shared.seo' : 'api::book.book'}.`)
    const planned = answer('What would happen, with dryRun.', nothing, changes)
    const untold = answer('What would happen, with dryRun; or what has, but for the files.', nothing, changes)
    tell(path, 'get', {
      operationId: `list${name}s`,
      summary: `List ${noun}s`,
      responses: {
        200: answer('In the JSON of their schema files, with their uids.', list(schema)),
        ...failuresOf(),
      },
    })
    tell(path, 'post', {
      operationId: `create${name}`,
      summary: `Make a ${noun}`,
      parameters: [dryRun],
      requestBody: body(schema),
      responses: {
        200: planned,
        201: answer('It is there, and answers.', schema, changes),
        ...failuresOf(400),
      },
    })
    tell(`${path}/{uid}`, 'get', {
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      parameters: [uid],
      responses: { 200: answer('In the JSON of its schema file, with its uid.', schema), ...failuresOf(404) },
    })
    tell(`${path}/{uid}`, 'put', {
      operationId: `update${name}`,
      summary: `Change a ${noun}`,
      description:
        'The whole schema is sent. Another uid renames it, with its content and what points at it.',
      parameters: [uid, ...flags],
      requestBody: body(schema),
      responses: {
        200: answer('As it is now; null with dryRun.', nullable(schema), changes),
        ...failuresOf(400, 404),
      },
    })
    tell(`${path}/{uid}`, 'delete', {
      operationId: `delete${name}`,
      summary: `Drop a ${noun}`,
      parameters: [uid, ...flags],
      responses: { 200: untold, 204: DONE, ...failuresOf(400, 404) },
    })
  }
  told('/content-types', 'content-type', 'ContentType', contentType)
  told('/components', 'component', 'Component', component)

  const lists = { contentTypes: list(contentType), components: list(component) }
  tell('/schema', 'put', {
    operationId: 'updateSchema',
    summary: 'Change several content-types and components at once',
    parameters: flags,
    requestBody: body(closed({ ...lists, remove: list(text, 'Uids of those to drop.') })),
    responses: {
      200: answer('All there are; null with dryRun.', nullable(open(lists)), changes),
      ...failuresOf(400),
    },
  })
}

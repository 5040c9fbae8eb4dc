/** The paths of releases. */
import { MAX_ENTRIES } from '../../../../documents/releases/entries.ts'
import { RELEASE_STATES } from '../../../../documents/releases/releases.ts'
import { SCHEDULED_ACTIONS } from '../../../../documents/schedules/schedules.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import { pathParameter, queryParameter } from '../../operation.ts'
import {
  anyOf,
  arrayOf,
  boolean,
  closedObject,
  dateTime,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from '../admin-operation.ts'
import { errorResponses } from '../error-responses.ts'
import { authorSchema, LISTED, PERIOD } from '../schedules.ts'

const ID = pathParameter('id', 'The id of the release.')
const OPENED_META: Schema = openObject(
  {
    omitted: { ...integer, description: 'The number of documents that you may not find.' },
    mayChange: { ...boolean, description: 'Whether you have the permission for each of its documents.' },
    notRestored: arrayOf(
      openObject({ message: string }, ['message']),
      'What could not be restored, after a revert.',
    ),
  },
  ['omitted', 'mayChange'],
)
const NAME: Schema = { type: 'string', minLength: 1, maxLength: 255 }

export function addReleasePaths(builder: DocumentBuilder, add: AddAdminOperation): void {
  if (!builder.config.releases.enabled) return
  const opened = adminResponse('The release with its documents.', openedSchema(builder), OPENED_META)
  const entry = newEntry(builder)
  add('/releases', 'get', {
    operationId: 'listReleases',
    summary: 'List releases',
    description: 'The newest first, or those of a period in the order of their publication; up to 1000.',
    parameters: [
      ...PERIOD,
      queryParameter('state', 'Only in this state.', { type: 'string', enum: RELEASE_STATES }),
    ],
    responses: {
      200: adminResponse('The releases.', arrayOf(releaseSchema(builder)), LISTED),
      ...errorResponses(400),
    },
  })
  add('/releases', 'post', {
    operationId: 'createRelease',
    summary: 'Create a release',
    requestBody: adminBody(
      closedObject(
        { name: NAME, entries: { ...arrayOf(entry), maxItems: MAX_ENTRIES }, publishAt: nullable(dateTime) },
        ['name'],
      ),
    ),
    responses: { 201: opened, ...errorResponses(400) },
  })
  add('/releases/{id}', 'get', {
    operationId: 'getRelease',
    summary: 'Get a release',
    description: 'Says for each document whether it could be published now, and why not.',
    parameters: [ID],
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}', 'put', {
    operationId: 'renameRelease',
    summary: 'Rename a release',
    parameters: [ID],
    requestBody: adminBody(closedObject({ name: NAME }, ['name'])),
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}', 'delete', {
    operationId: 'deleteRelease',
    summary: 'Delete a release',
    description: 'Its documents stay as they are.',
    parameters: [ID],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
  add('/releases/{id}/entries', 'post', {
    operationId: 'addReleaseEntries',
    summary: 'Add documents to a release',
    parameters: [ID],
    requestBody: adminBody(anyOf(entry, { ...arrayOf(entry), maxItems: MAX_ENTRIES })),
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}/entries/{entry}', 'delete', {
    operationId: 'removeReleaseEntry',
    summary: 'Remove a document from a release',
    parameters: [ID, pathParameter('entry', 'The id of the entry.')],
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}/actions/publish', 'post', {
    operationId: 'publishRelease',
    summary: 'Publish a release',
    description: 'Publishes and unpublishes all of its documents in one transaction, or none.',
    parameters: [ID],
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}/actions/schedule', 'post', {
    operationId: 'scheduleRelease',
    summary: 'Publish a release at a time',
    parameters: [ID],
    requestBody: adminBody(closedObject({ publishAt: dateTime }, ['publishAt'])),
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}/actions/cancel', 'post', {
    operationId: 'cancelRelease',
    summary: 'Cancel the time of a release',
    parameters: [ID],
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
  add('/releases/{id}/actions/revert', 'post', {
    operationId: 'revertRelease',
    summary: 'Revert a published release',
    description:
      'Unpublishes what it published first, and publishes again what it replaced, from the history.',
    parameters: [ID],
    responses: { 200: opened, ...errorResponses(400, 404) },
  })
}

const RELEASE_KEYS = [
  ...['id', 'name', 'state', 'publishAt', 'error', 'createdAt', 'publishedAt'],
  ...['createdBy', 'scheduledBy', 'publishedBy', 'entryCount'],
]

const releaseProperties = (builder: DocumentBuilder) => ({
  id: integer,
  name: string,
  state: { type: 'string', enum: RELEASE_STATES } satisfies Schema,
  publishAt: nullable(dateTime),
  error: nullable(string),
  createdAt: dateTime,
  publishedAt: nullable(dateTime),
  createdBy: authorSchema(builder),
  scheduledBy: nullable(authorSchema(builder)),
  publishedBy: nullable(authorSchema(builder)),
  entryCount: integer,
})

const releaseSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminRelease', () => openObject(releaseProperties(builder), RELEASE_KEYS))

const openedSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminOpenedRelease', () =>
    openObject({ ...releaseProperties(builder), valid: boolean, entries: arrayOf(entrySchema(builder)) }, [
      ...[...RELEASE_KEYS, 'valid', 'entries'],
    ]),
  )

const ACTION: Schema = { type: 'string', enum: SCHEDULED_ACTIONS }

const newEntry = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminNewReleaseEntry', () =>
    closedObject(
      {
        type: { ...string, description: 'The uid of the content-type, or its name in routes.' },
        documentId: string,
        locale: nullable(string),
        action: { ...ACTION, default: 'publish' },
      },
      ['type', 'documentId'],
    ),
  )

const entrySchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminReleaseEntry', () =>
    openObject(
      {
        ...{ id: integer, type: string, documentId: string, locale: nullable(string), action: ACTION },
        ...{ title: nullable(string), valid: boolean },
        problems: arrayOf(openObject({ path: arrayOf(string), message: string }, ['path', 'message'])),
      },
      ['id', 'type', 'documentId', 'locale', 'action', 'title', 'valid', 'problems'],
    ),
  )

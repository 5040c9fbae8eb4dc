/** The paths of the admin API for those who operate a server: the audit log, background jobs and indexes. */
import { JOB_STATES } from '../../../jobs/list.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import { pathParameter, queryParameter } from '../operation.ts'
import {
  arrayOf,
  boolean,
  dateTime,
  integer,
  nullable,
  number,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import type { AddTo } from './admin-content.ts'
import { type AddAdminOperation, adminResponse, DONE } from './admin-operation.ts'
import { errorResponses } from './error-responses.ts'

export function addOperationPaths(builder: DocumentBuilder, addTo: AddTo): void {
  if (builder.config.audit.enabled) addAudit(builder, addTo('Admin: audit log'))
  addJobs(builder, addTo('Admin: jobs'))
  if (builder.config.database.autoIndex !== 'off') addIndexes(builder, addTo('Admin: indexes'))
}

function addIndexes(builder: DocumentBuilder, add: AddAdminOperation): void {
  const on = arrayOf(string, 'The attributes of the index, in order.')
  const served = openObject(
    {
      example: { ...string, description: 'A read without its values.' },
      ...{ reads: integer, rowsRead: integer, rowsReturned: integer, milliseconds: number, lastAt: dateTime },
    },
    ['example', 'reads', 'rowsRead', 'rowsReturned', 'milliseconds', 'lastAt'],
  )
  const suggested = builder.sharedSchema('AdminSuggestedIndex', () =>
    openObject(
      {
        ...{ contentType: string, on, reads: integer },
        serves: arrayOf(served, 'The reads that it would serve.'),
        bytes: { ...integer, description: 'Its estimated size.' },
        bytesPerWrite: integer,
        declare: { type: ['object', 'null'], description: 'What to declare in the schema.' },
      },
      ['contentType', 'on', 'reads', 'serves', 'bytes', 'bytesPerWrite', 'declare'],
    ),
  )
  const existing = builder.sharedSchema('AdminExistingIndex', () =>
    openObject(
      {
        ...{ name: string, contentType: string, on, automatic: boolean, isReady: boolean },
        ...{ createdAt: nullable(dateTime), lastUsedAt: nullable(dateTime), bytes: integer },
      },
      ['name', 'contentType', 'on', 'automatic', 'isReady', 'createdAt', 'lastUsedAt', 'bytes'],
    ),
  )
  const data = openObject({ suggested: arrayOf(suggested), existing: arrayOf(existing) }, [
    'suggested',
    'existing',
  ])
  add('/indexes', 'get', {
    operationId: 'listIndexes',
    summary: 'List the indexes that would help, and those that exist',
    responses: {
      200: adminResponse('The indexes.', data, openObject({ autoIndex: string }, ['autoIndex'])),
    },
  })
}

function addAudit(builder: DocumentBuilder, add: AddAdminOperation): void {
  const record = auditRecord(builder)
  const pagination = openObject({ pageSize: integer, nextCursor: nullable(string) }, [
    'pageSize',
    'nextCursor',
  ])
  const page = adminResponse(
    'A page of records, the newest first.',
    arrayOf(record),
    openObject({ pagination }, ['pagination']),
  )
  add('/audit', 'get', {
    operationId: 'listAuditRecords',
    summary: 'Read the audit log',
    description:
      'With `format=jsonl`, or `Accept: application/jsonl`, all selected records are streamed as JSON lines, the oldest first; with `format=csv` as CSV.',
    parameters: [
      queryParameter('by', '`user:<documentId>`, `token:<id>`, `public` or `system`.', string),
      queryParameter('action', 'Such as `document.update` or `token.create`.', string),
      queryParameter('type', 'The uid of a content-type.', string),
      queryParameter('documentId', 'Only records about this document.', string),
      queryParameter('from', 'Only records from this time on.', dateTime),
      queryParameter('to', 'Only records before this time.', dateTime),
      queryParameter('pagination[cursor]', '`nextCursor` of the page before.', string),
      queryParameter('pagination[pageSize]', 'The number of records on a page.', integer),
      queryParameter('format', 'The format of the response.', {
        type: 'string',
        enum: ['json', 'jsonl', 'csv'],
      }),
    ],
    responses: {
      200: {
        ...page,
        content: {
          ...page.content,
          'application/jsonl': { schema: record },
          'text/csv': { schema: string },
        },
      },
      ...errorResponses(400),
    },
  })
}

const auditRecord = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminAuditRecord', () =>
    openObject(
      {
        seq: integer,
        at: dateTime,
        action: string,
        by: openObject(
          {
            kind: { type: 'string', enum: ['user', 'token', 'public', 'system'] },
            id: string,
            name: { ...nullable(string), description: 'The current name; not in JSON lines.' },
          },
          ['kind'],
        ),
        ...{ type: nullable(string), documentId: nullable(string), locale: nullable(string) },
        fields: arrayOf(string, 'The names of what has changed.'),
        details: { type: ['object', 'null'] },
        ...{ address: nullable(string), userAgent: nullable(string), requestId: nullable(string) },
        hash: string,
      },
      [
        ...['seq', 'at', 'action', 'by', 'type', 'documentId', 'locale', 'fields', 'details'],
        ...['address', 'userAgent', 'requestId', 'hash'],
      ],
    ),
  )

function addJobs(builder: DocumentBuilder, add: AddAdminOperation): void {
  const state: Schema = { type: 'string', enum: JOB_STATES }
  const job = builder.sharedSchema('AdminJob', () =>
    openObject(
      {
        ...{ id: integer, kind: string, key: nullable(string), state },
        ...{ runAt: dateTime, dueAt: dateTime, attempts: integer, error: nullable(string) },
      },
      ['id', 'kind', 'key', 'state', 'runAt', 'dueAt', 'attempts', 'error'],
    ),
  )
  const count = openObject({ kind: string, state, count: integer }, ['kind', 'state', 'count'])
  const id = pathParameter('id', 'The id of the job.')
  add('/jobs', 'get', {
    operationId: 'listJobs',
    summary: 'List background jobs',
    parameters: [
      queryParameter('state', 'Only jobs in this state.', state),
      queryParameter('limit', 'The maximum number of jobs.', integer),
    ],
    responses: {
      200: adminResponse(
        'Jobs in the order in which they are due.',
        arrayOf(job),
        openObject({ counts: arrayOf(count) }, ['counts']),
      ),
      ...errorResponses(400),
    },
  })
  add('/jobs/{id}', 'delete', {
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(404) },
  })
  add('/jobs/{id}/retry', 'post', {
    operationId: 'retryJob',
    summary: 'Run a job now',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(404) },
  })
}

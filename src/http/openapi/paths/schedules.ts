/** The paths of schedules and notices. */
import { SCHEDULED_ACTIONS } from '../../../documents/schedules/schedules.ts'
import { hasNotices } from '../../../events/sinks.ts'
import type { ContentType } from '../../../model/model.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import {
  addOperation,
  jsonBody,
  jsonResponse,
  type Operation,
  type Paths,
  pathParameter,
  queryParameter,
  type Reference,
} from '../operation.ts'
import {
  arrayOf,
  closedObject,
  dateTime,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { type AddAdminOperation, adminResponse, DONE } from './admin-operation.ts'
import { errorResponses } from './error-responses.ts'
import { locale } from './parameters.ts'

/** `…/actions/schedule` of a content-type, for callers who may publish or unpublish. */
export function addScheduleAction(
  builder: DocumentBuilder,
  paths: Paths,
  type: ContentType,
  one: string,
  tags: Operation['tags'],
  pathParameters: readonly Reference[],
): void {
  const may = SCHEDULED_ACTIONS.some((action) => builder.scope.may(type.uid, action))
  if (!builder.config.schedules.enabled || !may) return
  const path = `${one}/actions/schedule`
  const name = builder.schemaName(type.uid)
  const singular = type.singular.replace(/[-_]+/g, ' ')
  const parameters = [...pathParameters, ...locale(builder, type, 'Schedule')]
  const response = jsonResponse(
    'The schedule.',
    openObject({ data: scheduleSchema(builder), meta: { type: 'object' } }, ['data', 'meta']),
  )
  addOperation(paths, path, 'get', {
    operationId: `getScheduleOf${name}`,
    tags,
    summary: `Get the schedule of ${singular}`,
    parameters,
    responses: { 200: response, ...errorResponses(400, 404) },
  })
  addOperation(paths, path, 'post', {
    operationId: `schedule${name}`,
    tags,
    summary: `Schedule ${singular}`,
    description:
      'Sets when the draft is published and when the published version is removed. Null cancels; a time that you do not send stays as it is.',
    parameters,
    requestBody: jsonBody(
      closedObject({
        publishAt: nullable(dateTime),
        unpublishAt: nullable(dateTime),
        ...(type.localized && { locale: string }),
      }),
      { publishAt: '2030-01-31T09:00:00Z' },
    ),
    responses: { 200: response, ...errorResponses(400, 404, 413, 415) },
  })
}

const scheduleSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('DocumentSchedule', () =>
    closedObject(
      {
        documentId: string,
        locale: nullable(string),
        publishAt: nullable(dateTime),
        unpublishAt: nullable(dateTime),
      },
      ['documentId', 'locale', 'publishAt', 'unpublishAt'],
    ),
  )

/** Who did something. */
export const authorSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('ChangeAuthor', () =>
    openObject(
      {
        kind: { type: 'string', enum: ['user', 'token', 'public', 'system'] },
        id: string,
        name: { ...nullable(string), description: 'The current name, where it is known.' },
      },
      ['kind'],
    ),
  )

export const LISTED: Schema = openObject({ total: integer }, ['total'])

/** The parameters of a list for a calendar. */
export const PERIOD = [
  queryParameter('from', 'Only from this time on.', dateTime),
  queryParameter('to', 'Only before this time.', dateTime),
]

export function addSchedulePaths(builder: DocumentBuilder, add: AddAdminOperation): void {
  const { config } = builder
  if (config.schedules.enabled) addSchedules(builder, add)
  if (hasNotices(config)) addNotices(builder, add)
}

function addSchedules(builder: DocumentBuilder, add: AddAdminOperation): void {
  const schedule = builder.sharedSchema('AdminSchedule', () =>
    openObject(
      {
        ...{ id: integer, type: string, documentId: string, locale: nullable(string) },
        action: { type: 'string', enum: SCHEDULED_ACTIONS },
        ...{ runAt: dateTime, by: authorSchema(builder), title: nullable(string) },
      },
      ['id', 'type', 'documentId', 'locale', 'action', 'runAt', 'by', 'title'],
    ),
  )
  add('/schedules', 'get', {
    operationId: 'listSchedules',
    summary: 'List schedules',
    description: 'The schedules of documents that you may find, in the order of their times; up to 1000.',
    parameters: [
      ...PERIOD,
      queryParameter('type', 'Only documents of the content-type with this uid.'),
      queryParameter('documentId', 'Only this document.'),
    ],
    responses: { 200: adminResponse('The schedules.', arrayOf(schedule), LISTED), ...errorResponses(400) },
  })
  add('/schedules/{id}', 'delete', {
    operationId: 'cancelSchedule',
    summary: 'Cancel a schedule',
    parameters: [pathParameter('id', 'The id of the schedule.')],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

function addNotices(builder: DocumentBuilder, add: AddAdminOperation): void {
  const notice = builder.sharedSchema('AdminNotice', () =>
    openObject(
      {
        ...{ id: integer, kind: string, message: string, at: dateTime, details: { type: 'object' } },
        subject: nullable(
          openObject({ type: string, documentId: string, locale: nullable(string) }, [
            'type',
            'documentId',
            'locale',
          ]),
        ),
      },
      ['id', 'kind', 'message', 'at', 'details', 'subject'],
    ),
  )
  add('/notices', 'get', {
    operationId: 'listNotices',
    summary: 'List notices',
    description: 'What has gone wrong in the background, such as a document that could not be published.',
    responses: {
      200: adminResponse('The newest notices first.', arrayOf(notice), LISTED),
      ...errorResponses(),
    },
  })
  add('/notices/{id}', 'delete', {
    operationId: 'dismissNotice',
    summary: 'Dismiss a notice',
    parameters: [pathParameter('id', 'The id of the notice.')],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

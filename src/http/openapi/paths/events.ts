/** The path of the live feed. */
import { EVENT_NAMES } from '../../../events/event.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import { addOperation, headerParameter, type Paths, queryParameter } from '../operation.ts'
import { arrayOf, dateTime, integer, openObject, type Schema, string } from '../schemas/schema.ts'
import { errorResponses } from './error-responses.ts'

const PATH = '/api/events'
const LIST: Schema = arrayOf(string)

/** Left out for callers who may find nothing, and where a content-type has the path. */
export function addEventPath(builder: DocumentBuilder, paths: Paths): void {
  const { model, scope, config } = builder
  const mayFind = [...model.types.keys()].some((uid) => scope.may(uid, 'find'))
  if (!config.events.enabled || !mayFind || paths[PATH]) return
  const list = (name: string, description: string) => ({
    ...queryParameter(name, description, LIST),
    style: 'form' as const,
    explode: false,
  })
  addOperation(paths, PATH, 'get', {
    operationId: 'streamEvents',
    tags: ['Events'],
    summary: 'Follow changes of content',
    description:
      'A stream of server-sent events: one for each change of a document that you may find. The `id` of an event is its sequence number. `reset` says that events were missed.',
    parameters: [
      list('types', 'Names or uids of content-types.'),
      list('documentIds', 'Only these documents.'),
      list('actions', 'Only these actions, such as `publish`.'),
      queryParameter('include', '`document` adds the document to each event.', {
        type: 'string',
        enum: ['document'],
      }),
      queryParameter('lastEventId', 'The same as `Last-Event-ID`, for clients that cannot send it.', integer),
      headerParameter('Last-Event-ID', 'Continues after this event.', integer),
    ],
    responses: {
      200: {
        description: 'The stream. The `data` of each event is JSON.',
        content: { 'text/event-stream': { schema: eventSchema(builder) } },
      },
      ...errorResponses(400, 503),
    },
  })
}

const eventSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Event', () =>
    openObject(
      {
        seq: integer,
        event: { type: 'string', enum: [...EVENT_NAMES, 'reset'] },
        at: dateTime,
        type: { ...string, description: 'The uid of the content-type.' },
        documentId: string,
        locale: { type: ['string', 'null'] },
        by: openObject(
          { kind: { type: 'string', enum: ['user', 'token', 'public', 'system'] }, id: string },
          ['kind'],
        ),
        document: { type: ['object', 'null'] },
      },
      ['seq', 'event'],
    ),
  )

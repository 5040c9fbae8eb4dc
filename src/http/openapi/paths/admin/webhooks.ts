/** The paths of webhooks in the admin API. */
import { EVENT_NAMES } from '../../../../events/event.ts'
import { hasWebhooks } from '../../../../events/sinks.ts'
import { DELIVERY_STATUSES } from '../../../../events/webhooks/delivery-list.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import { pathParameter, queryParameter } from '../../operation.ts'
import {
  arrayOf,
  boolean,
  dateTime,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from '../admin-operation.ts'
import { errorResponses } from '../error-responses.ts'

/** Left out if webhooks are off. */
export function addWebhookPaths(builder: DocumentBuilder, add: AddAdminOperation): void {
  if (!hasWebhooks(builder.config)) return
  const webhook = builder.sharedSchema('AdminWebhook', webhookSchema)
  const delivery = builder.sharedSchema('AdminWebhookDelivery', deliverySchema)
  const withSecret = { allOf: [webhook, openObject({ secret: string }, ['secret'])] }
  const id = pathParameter('id', 'The id or name of the webhook.')
  const deliveryId = pathParameter('delivery', 'The id of the delivery.')

  add('/webhooks', 'get', {
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    responses: {
      200: adminResponse('All webhooks, without their secrets.', arrayOf(webhook)),
      ...errorResponses(),
    },
  })
  add('/webhooks', 'post', {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    requestBody: adminBody(openObject(settings, ['name', 'url'])),
    responses: {
      201: adminResponse('The webhook with its secret, which is not shown again.', withSecret),
      ...errorResponses(400),
    },
  })
  add('/webhooks/{id}', 'get', {
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    parameters: [id],
    responses: { 200: adminResponse('The webhook.', webhook), ...errorResponses(404) },
  })
  add('/webhooks/{id}', 'put', {
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description: 'Settings that are not sent stay as they are.',
    parameters: [id],
    requestBody: adminBody(openObject(settings)),
    responses: { 200: adminResponse('The webhook.', webhook), ...errorResponses(400, 404) },
  })
  add('/webhooks/{id}', 'delete', {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook with its deliveries',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
  add('/webhooks/{id}/test', 'post', {
    operationId: 'testWebhook',
    summary: 'Send a sample, and return what happened',
    parameters: [id],
    responses: { 200: adminResponse('The delivery.', delivery), ...errorResponses(404) },
  })
  add('/webhooks/{id}/rotate', 'post', {
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret; for a day, deliveries are signed with both',
    parameters: [id],
    responses: {
      200: adminResponse('The webhook with its new secret, which is not shown again.', withSecret),
      ...errorResponses(400, 404),
    },
  })
  add('/webhooks/{id}/retry', 'post', {
    operationId: 'retryWebhookDeliveries',
    summary: 'Send all deliveries since a time again that have failed so far',
    parameters: [id],
    requestBody: adminBody(openObject({ since: dateTime }, ['since'])),
    responses: {
      200: adminResponse('Their number.', openObject({ retried: integer }, ['retried'])),
      ...errorResponses(400, 404),
    },
  })
  add('/webhooks/{id}/deliveries', 'get', {
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    parameters: [
      id,
      queryParameter('status', 'Only deliveries in this state.', {
        type: 'string',
        enum: DELIVERY_STATUSES,
      }),
      queryParameter('pagination[page]', 'The page, starting with 1.', integer),
      queryParameter('pagination[pageSize]', 'The number of deliveries on a page.', integer),
    ],
    responses: {
      200: adminResponse(
        'The deliveries with their attempts.',
        arrayOf(delivery),
        openObject({ pagination }, ['pagination']),
      ),
      ...errorResponses(400, 404),
    },
  })
  add('/webhooks/deliveries/{delivery}', 'get', {
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery with the body that is sent',
    parameters: [deliveryId],
    responses: {
      200: adminResponse('The delivery.', { allOf: [delivery, openObject({ body: string }, ['body'])] }),
      ...errorResponses(404),
    },
  })
  add('/webhooks/deliveries/{delivery}/retry', 'post', {
    operationId: 'retryWebhookDelivery',
    summary: 'Send a delivery again',
    parameters: [deliveryId],
    responses: { 200: adminResponse('The delivery.', delivery), ...errorResponses(400, 404) },
  })
}

const settings: Readonly<Record<string, Schema>> = {
  name: string,
  url: { ...string, format: 'uri' },
  events: {
    ...nullable(arrayOf({ type: 'string', enum: EVENT_NAMES })),
    description: 'Only these events; null for all.',
  },
  types: {
    ...nullable(arrayOf(string)),
    description: 'Only these content-types, by uid or by their name in routes; null for all.',
  },
  filters: {
    type: ['object', 'null'],
    description: 'Only documents that these filters cover; requires types.',
  },
  headers: { type: 'object', additionalProperties: string, description: 'Sent with every delivery.' },
  enabled: boolean,
}

const webhookSchema = (): Schema =>
  openObject(
    {
      id: integer,
      ...settings,
      source: { type: 'string', enum: ['config', 'made'] },
      failingSince: {
        ...nullable(dateTime),
        description: 'The first failure since the last delivery that succeeded.',
      },
      disabledReason: {
        ...nullable(string),
        description: 'Why the server has turned the webhook off.',
      },
      disabledAt: nullable(dateTime),
      createdAt: dateTime,
      updatedAt: dateTime,
    },
    [
      ...['id', ...Object.keys(settings), 'source', 'failingSince', 'disabledReason', 'disabledAt'],
      ...['createdAt', 'updatedAt'],
    ],
  )

const attempt = openObject(
  {
    at: dateTime,
    status: { ...nullable(integer), description: 'Null if there was no response.' },
    durationMs: integer,
    response: { ...nullable(string), description: 'The beginning of the response.' },
    error: nullable(string),
  },
  ['at', 'status', 'durationMs', 'response', 'error'],
)

const deliverySchema = (): Schema =>
  openObject(
    {
      id: integer,
      webhookId: integer,
      messageId: { ...string, description: 'The header `webhook-id`.' },
      seq: { ...nullable(integer), description: 'The number of the event; null for a test.' },
      event: string,
      type: nullable(string),
      documentId: nullable(string),
      locale: nullable(string),
      status: { type: 'string', enum: DELIVERY_STATUSES },
      nextAttemptAt: nullable(dateTime),
      createdAt: dateTime,
      attempts: arrayOf(attempt),
    },
    [
      ...['id', 'webhookId', 'messageId', 'seq', 'event', 'type', 'documentId', 'locale', 'status'],
      ...['nextAttemptAt', 'createdAt', 'attempts'],
    ],
  )

const pagination = openObject({ page: integer, pageSize: integer, pageCount: integer, total: integer }, [
  ...['page', 'pageSize', 'pageCount', 'total'],
])

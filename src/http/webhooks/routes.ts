/** Routes of the admin API to manage webhooks, to inspect their deliveries, and to send them again. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryPage,
  listDeliveries,
  readDelivery,
  retryDelivery,
  retryFailedSince,
} from '../../events/webhooks/delivery-list.ts'
import type { Webhook } from '../../events/webhooks/webhook.ts'
import { formatInstant, parseInstant } from '../../model/scalars/shared/instants.ts'
import { isObject } from '../../project/values.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { dataOf } from '../request/fields.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { Server } from '../server.ts'
import { parseNewWebhook, parseWebhookChanges, WEBHOOK_KEYS } from './parse-webhook.ts'
import type { WebhookService } from './service.ts'

export function webhookRoutes(
  app: FastifyInstance,
  server: Server,
  { webhooks, deliveries }: Pick<WebhookService, 'webhooks' | 'deliveries'>,
): void {
  const { store } = server
  const context = () => ({
    model: server.layout().model,
    bounds: server.project.config.api.rest.bounds,
  })
  const named = (request: FastifyRequest) => pathParam(request, 'id')

  const list: Handler = async () => ({ data: await webhooks.list() })

  const create: Handler = async (request, reply) => {
    const settings = parseNewWebhook(context(), dataOf(request.body, WEBHOOK_KEYS))
    const { webhook, secret } = await webhooks.create(settings, await actorOf(server, request))
    return reply.code(201).send({ data: { ...webhook, secret } })
  }

  const one: Handler = async (request) => ({ data: await webhooks.get(named(request)) })

  const update: Handler = async (request) => {
    const current = await webhooks.get(named(request))
    const changes = parseWebhookChanges(context(), dataOf(request.body, WEBHOOK_KEYS), current)
    return { data: await webhooks.update(named(request), changes, await actorOf(server, request)) }
  }

  const remove: Handler = async (request, reply) => {
    await webhooks.remove(named(request), await actorOf(server, request))
    return reply.code(204).send()
  }

  const rotate: Handler = async (request) => {
    const { webhook, secret } = await webhooks.rotate(named(request), await actorOf(server, request))
    return { data: { ...webhook, secret } }
  }

  const record = async (
    request: FastifyRequest,
    action: 'test' | 'retry',
    { id, name }: Pick<Webhook, 'id' | 'name'>,
  ) =>
    server.access.audit.add(await actorOf(server, request), {
      action: `webhook.${action}`,
      details: { id, name },
    })

  const test: Handler = async (request) => {
    const webhook = await webhooks.stored(named(request))
    await record(request, 'test', webhook)
    return { data: await deliveries.sendTest(webhook) }
  }

  const listOfDeliveries: Handler = async (request) => {
    const { id } = await webhooks.get(named(request))
    const page = parsePage(server, request)
    const { deliveries: data, total } = await listDeliveries(store, id, page)
    const { limit: pageSize, start } = page
    const pagination = { page: start / pageSize + 1, pageSize, pageCount: Math.ceil(total / pageSize), total }
    return { data, meta: { pagination } }
  }

  const oneDelivery: Handler = async (request) => ({
    data: await readDelivery(store, deliveryId(request)),
  })

  const retryOne: Handler = async (request) => {
    const { webhookId } = await readDelivery(store, deliveryId(request))
    const webhook = await webhooks.get(String(webhookId))
    refuseIfOff(webhook)
    await record(request, 'retry', webhook)
    return { data: await retryDelivery(store, deliveryId(request)) }
  }

  const retryAll: Handler = async (request) => {
    const webhook = await webhooks.get(named(request))
    const since = parseSince(dataOf(request.body, ['since']).since)
    refuseIfOff(webhook)
    await record(request, 'retry', webhook)
    return { data: { retried: await retryFailedSince(store, webhook.id, since) } }
  }

  declareRoute(app, '/webhooks', { GET: list, POST: create })
  declareRoute(app, '/webhooks/:id', { GET: one, PUT: update, DELETE: remove })
  declareRoute(app, '/webhooks/:id/test', { POST: test })
  declareRoute(app, '/webhooks/:id/rotate', { POST: rotate })
  declareRoute(app, '/webhooks/:id/retry', { POST: retryAll })
  declareRoute(app, '/webhooks/:id/deliveries', { GET: listOfDeliveries })
  declareRoute(app, '/webhooks/deliveries/:delivery', { GET: oneDelivery })
  declareRoute(app, '/webhooks/deliveries/:delivery/retry', { POST: retryOne })
}

function refuseIfOff({ name, enabled }: { readonly name: string; readonly enabled: boolean }): void {
  if (!enabled) throw errors.application(`The webhook ${name} is off; turn it on before sending again`)
}

function deliveryId(request: FastifyRequest): number {
  const id = pathParam(request, 'delivery')
  if (!/^\d{1,15}$/.test(id)) throw errors.notFound(`There is no delivery ${id}`)
  return Number(id)
}

function parseSince(value: unknown): string {
  const time = typeof value === 'string' ? parseInstant(value) : null
  const instant = time === null ? null : formatInstant(time)
  if (instant === null)
    throw errors.invalidValues([{ path: ['since'], message: 'since must be an ISO 8601 date and time' }])
  return instant
}

/** `pagination[page]`, `pagination[pageSize]` and `status`. */
function parsePage(server: Server, request: FastifyRequest): DeliveryPage {
  const { defaultLimit, maxLimit } = server.project.config.api.rest
  const { pagination = {}, status } = server.parseQuery(rawQueryOf(request))
  if (!isObject(pagination))
    throw errors.invalidParameter('pagination', null, 'expected an object, such as pagination[page]=2')
  const numberOf = (key: string, otherwise: number) => {
    const value = pagination[key] ?? ''
    if (value === '') return otherwise
    if (typeof value !== 'string' || !/^\d{1,9}$/.test(value) || Number(value) < 1)
      throw errors.invalidParameter('pagination', key, 'expected a positive integer')
    return Number(value)
  }
  const known = DELIVERY_STATUSES.find((one) => one === status) ?? null
  if (status !== undefined && status !== '' && known === null)
    throw errors.invalidParameter('status', null, `expected one of ${DELIVERY_STATUSES.join(', ')}`)
  const limit = Math.min(numberOf('pageSize', defaultLimit), maxLimit)
  return { limit, start: (numberOf('page', 1) - 1) * limit, status: known }
}

/** Reads and changes webhooks, and their deliveries. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'

export type Webhook = Data<'GET /webhooks/{id}'>

export type WebhookSettings = Pick<
  Webhook,
  'name' | 'url' | 'events' | 'types' | 'filters' | 'headers' | 'enabled'
>

export type Delivery = Data<'POST /webhooks/{id}/test'>
export type DeliveryStatus = Delivery['status']
export type DeliveryAttempt = Delivery['attempts'][number]

/** The names of events, as the server knows them. */
export const EVENT_NAMES = [
  'document.create',
  'document.update',
  'document.publish',
  'document.unpublish',
  'document.discard',
  'document.delete',
  'file.upload',
  'file.update',
  'file.delete',
] as const

export const WEBHOOKS_KEY = ['webhooks']

export const webhooksQuery = queryOptions({
  queryKey: [...WEBHOOKS_KEY, 'list'],
  queryFn: async ({ signal }) => (await request<Responses['GET /webhooks']>('/webhooks', { signal })).data,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, id],
    queryFn: async ({ signal }) =>
      (await request<Responses['GET /webhooks/{id}']>(`/webhooks/${id}`, { signal })).data,
  })

export const createWebhook = async (settings: WebhookSettings) =>
  (
    await request<Responses['POST /webhooks']>('/webhooks', {
      method: 'POST',
      body: { data: settings },
    })
  ).data

export const changeWebhook = async (id: number, changes: Partial<WebhookSettings>) =>
  (
    await request<Responses['PUT /webhooks/{id}']>(`/webhooks/${id}`, {
      method: 'PUT',
      body: { data: changes },
    })
  ).data

export const deleteWebhook = (id: number) => request(`/webhooks/${id}`, { method: 'DELETE' })

export const rotateSecret = async (id: number) =>
  (await request<Responses['POST /webhooks/{id}/rotate']>(`/webhooks/${id}/rotate`, { method: 'POST' })).data
    .secret

/** Sends a sample, and waits for what happens. */
export const sendTest = async (id: number) =>
  (await request<Responses['POST /webhooks/{id}/test']>(`/webhooks/${id}/test`, { method: 'POST' })).data

/** While some wait, they are read again every few seconds. */
const REFRESH_MS = 5_000

/** The newest first. */
export const deliveriesQuery = (webhook: number, status: DeliveryStatus | null) =>
  infiniteQueryOptions({
    queryKey: [...WEBHOOKS_KEY, webhook, 'deliveries', status],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      request<Responses['GET /webhooks/{id}/deliveries']>(`/webhooks/${webhook}/deliveries`, {
        query: queryString({
          ...(status !== null && { status }),
          pagination: { page: pageParam, pageSize: 25 },
        }),
        signal,
      }),
    getNextPageParam: ({ meta: { pagination } }) =>
      pagination.page < pagination.pageCount ? pagination.page + 1 : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((one) => one.status === 'waiting')) ? REFRESH_MS : false,
  })

/** What was sent. */
export const deliveryBodyQuery = (id: number) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, 'delivery', id],
    queryFn: async ({ signal }) =>
      (
        await request<Responses['GET /webhooks/deliveries/{delivery}']>(`/webhooks/deliveries/${id}`, {
          signal,
        })
      ).data.body,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const retryDelivery = (id: number) => request(`/webhooks/deliveries/${id}/retry`, { method: 'POST' })

/** Sends all again that failed since a time; returns how many. */
export const retryFailed = async (webhook: number, since: string) =>
  (
    await request<Responses['POST /webhooks/{id}/retry']>(`/webhooks/${webhook}/retry`, {
      method: 'POST',
      body: { data: { since } },
    })
  ).data.retried

/** Reads and changes webhooks, and their deliveries. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'

export interface WebhookSettings {
  readonly name: string
  readonly url: string
  /** Null for all. */
  readonly events: readonly string[] | null
  /** uids of content-types; null for all. */
  readonly types: readonly string[] | null
  readonly filters: Readonly<Record<string, unknown>> | null
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
}

export interface Webhook extends WebhookSettings {
  readonly id: number
  /** One from the configuration of the project can only be turned on and off. */
  readonly source: 'config' | 'made'
  readonly failingSince: string | null
  readonly disabledReason: string | null
  readonly disabledAt: string | null
}

export type DeliveryStatus = 'waiting' | 'succeeded' | 'failed'

export interface DeliveryAttempt {
  readonly at: string
  readonly status: number | null
  readonly durationMs: number
  /** The beginning of the response. */
  readonly response: string | null
  readonly error: string | null
}

export interface Delivery {
  readonly id: number
  readonly messageId: string
  readonly event: string
  readonly type: string | null
  readonly documentId: string | null
  readonly locale: string | null
  readonly status: DeliveryStatus
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly attempts: readonly DeliveryAttempt[]
}

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
  queryFn: async ({ signal }) => (await request<{ data: readonly Webhook[] }>('/webhooks', { signal })).data,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, id],
    queryFn: async ({ signal }) => (await request<{ data: Webhook }>(`/webhooks/${id}`, { signal })).data,
  })

export const createWebhook = async (settings: WebhookSettings) =>
  (
    await request<{ data: Webhook & { secret: string } }>('/webhooks', {
      method: 'POST',
      body: { data: settings },
    })
  ).data

export const changeWebhook = async (id: number, changes: Partial<WebhookSettings>) =>
  (await request<{ data: Webhook }>(`/webhooks/${id}`, { method: 'PUT', body: { data: changes } })).data

export const deleteWebhook = (id: number) => request(`/webhooks/${id}`, { method: 'DELETE' })

export const rotateSecret = async (id: number) =>
  (await request<{ data: { secret: string } }>(`/webhooks/${id}/rotate`, { method: 'POST' })).data.secret

/** Sends a sample, and waits for what happens. */
export const sendTest = async (id: number) =>
  (await request<{ data: Delivery }>(`/webhooks/${id}/test`, { method: 'POST' })).data

interface DeliveryPage {
  readonly data: readonly Delivery[]
  readonly meta: {
    readonly pagination: { readonly page: number; readonly pageCount: number; readonly total: number }
  }
}

/** While some wait, they are read again every few seconds. */
const REFRESH_MS = 5_000

/** The newest first. */
export const deliveriesQuery = (webhook: number, status: DeliveryStatus | null) =>
  infiniteQueryOptions({
    queryKey: [...WEBHOOKS_KEY, webhook, 'deliveries', status],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      request<DeliveryPage>(`/webhooks/${webhook}/deliveries`, {
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
      (await request<{ data: { body: string } }>(`/webhooks/deliveries/${id}`, { signal })).data.body,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const retryDelivery = (id: number) => request(`/webhooks/deliveries/${id}/retry`, { method: 'POST' })

/** Sends all again that failed since a time; returns how many. */
export const retryFailed = async (webhook: number, since: string) =>
  (
    await request<{ data: { retried: number } }>(`/webhooks/${webhook}/retry`, {
      method: 'POST',
      body: { data: { since } },
    })
  ).data.retried

/** What the start page shows, in one request, and the notices of the server. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'

export type Home = Data<'GET /home'>
export type Planned = Home['planned'][number]
/** The last change of a document. */
export type RecentDocument = Home['mine'][number]

export const homeQuery = queryOptions({
  queryKey: ['recent'],
  queryFn: async ({ signal }) => (await request<Responses['GET /home']>('/home', { signal })).data,
})

/** What went wrong in the background. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: async ({ signal }) => (await request<Responses['GET /notices']>('/notices', { signal })).data,
})

export const dismissNotice = (id: number) => request(`/notices/${id}`, { method: 'DELETE' })

/** What runs the project, for admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: async () => (await request<Responses['GET /about']>('/about')).data,
  staleTime: Number.POSITIVE_INFINITY,
})

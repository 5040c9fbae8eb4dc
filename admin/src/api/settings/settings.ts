/** What runs the project, for admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'

export interface About {
  readonly version: string
  readonly node: string
  readonly database: 'sqlite' | 'postgres'
  readonly project: string | null
  readonly production: boolean
}

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: async () => (await request<{ data: About }>('/about')).data,
  staleTime: Number.POSITIVE_INFINITY,
})

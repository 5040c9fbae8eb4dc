/** Background jobs: what waits, runs, and failed. */
import { queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'

type JobList = Responses['GET /jobs']
export type Job = JobList['data'][number]
export type JobState = Job['state']

export const JOBS_KEY = ['jobs']

export const jobsQuery = (state: JobState | null) =>
  queryOptions({
    queryKey: [...JOBS_KEY, state],
    queryFn: ({ signal }) =>
      request<JobList>('/jobs', {
        query: queryString({ limit: 200, ...(state !== null && { state }) }),
        signal,
      }),
    refetchInterval: 10_000,
  })

export const retryJob = (id: number) => request(`/jobs/${id}/retry`, { method: 'POST' })

export const deleteJob = (id: number) => request(`/jobs/${id}`, { method: 'DELETE' })

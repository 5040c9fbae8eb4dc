/** Background jobs: what waits, runs, and failed. */
import { queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'

export type JobState = 'waiting' | 'running' | 'retrying' | 'failed'

export interface Job {
  readonly id: number
  readonly kind: string
  readonly key: string | null
  readonly state: JobState
  readonly runAt: string
  readonly dueAt: string
  readonly attempts: number
  readonly error: string | null
}

interface JobList {
  readonly data: readonly Job[]
  readonly meta: {
    readonly counts: readonly { readonly kind: string; readonly state: JobState; readonly count: number }[]
  }
}

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

/** Reads and changes releases: named sets of documents that are published together. */
import { queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'

export type Release = Data<'GET /releases'>[number]
export type ReleaseState = Release['state']
export type ReleaseAction = ReleaseEntry['action']

export interface NewReleaseEntry {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  readonly action: ReleaseAction
}

export type OpenedReleaseResponse = Responses['GET /releases/{id}']
export type OpenedRelease = OpenedReleaseResponse['data']
export type ReleaseEntry = OpenedRelease['entries'][number]

export const RELEASES_KEY = ['releases']

/** The newest first. */
export const releasesQuery = queryOptions({
  queryKey: [...RELEASES_KEY, 'list'],
  queryFn: async ({ signal }) => (await request<Responses['GET /releases']>('/releases', { signal })).data,
})

export const releaseQuery = (id: number) =>
  queryOptions({
    queryKey: [...RELEASES_KEY, id],
    queryFn: ({ signal }) => request<OpenedReleaseResponse>(`/releases/${id}`, { signal }),
    // Documents of the release may have been changed meanwhile.
    staleTime: 0,
  })

/** A schedule of a single document. */
export type DocumentSchedule = Data<'GET /schedules'>[number]

/** What happens, or has happened, in a period. */
export const plannedQuery = (from: string, to: string, includesSchedules: boolean) =>
  queryOptions({
    queryKey: [...RELEASES_KEY, 'period', from, to],
    queryFn: async ({ signal }) => {
      const query = queryString({ from, to })
      const [releases, schedules] = await Promise.all([
        request<Responses['GET /releases']>('/releases', { query, signal }),
        includesSchedules
          ? request<Responses['GET /schedules']>('/schedules', { query, signal })
          : { data: [] },
      ])
      return { releases: releases.data, schedules: schedules.data }
    },
  })

const change = (path: string, method: 'POST' | 'PUT' | 'DELETE', data?: unknown) =>
  request<OpenedReleaseResponse>(`/releases${path}`, {
    method,
    ...(data !== undefined && { body: { data } }),
  })

export const createRelease = (name: string, entries: readonly NewReleaseEntry[] = []) =>
  change('', 'POST', { name, ...(entries.length > 0 && { entries }) })

export const renameRelease = (id: number, name: string) => change(`/${id}`, 'PUT', { name })

/** Documents that the release has already get the new action. */
export const addEntries = (id: number, entries: readonly NewReleaseEntry[]) =>
  change(`/${id}/entries`, 'POST', entries)

export const removeEntry = (id: number, entry: number) => change(`/${id}/entries/${entry}`, 'DELETE')

export const publishRelease = (id: number) => change(`/${id}/actions/publish`, 'POST')

export const scheduleRelease = (id: number, publishAt: string) =>
  change(`/${id}/actions/schedule`, 'POST', { publishAt })

export const cancelRelease = (id: number) => change(`/${id}/actions/cancel`, 'POST')

export const revertRelease = (id: number) => change(`/${id}/actions/revert`, 'POST')

export const deleteRelease = (id: number) => request(`/releases/${id}`, { method: 'DELETE' })

/** Reads and changes releases: named sets of documents that are published together. */
import { queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'
import type { Author, ValueProblem } from '../types.ts'

export type ReleaseState = 'open' | 'scheduled' | 'failed' | 'published' | 'reverted'

export type ReleaseAction = 'publish' | 'unpublish'

export interface Release {
  readonly id: number
  readonly name: string
  readonly state: ReleaseState
  readonly publishAt: string | null
  readonly publishedAt: string | null
  /** Why it could not be published at its time. */
  readonly error: string | null
  readonly createdAt: string
  readonly createdBy: Author
  readonly scheduledBy: Author | null
  readonly publishedBy: Author | null
  readonly entryCount: number
}

export interface NewReleaseEntry {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  readonly action: ReleaseAction
}

export interface ReleaseEntry extends NewReleaseEntry {
  readonly id: number
  readonly title: string | null
  readonly valid: boolean
  readonly problems: readonly ValueProblem[]
}

export interface OpenedRelease extends Release {
  readonly valid: boolean
  readonly entries: readonly ReleaseEntry[]
}

export interface OpenedReleaseResponse {
  readonly data: OpenedRelease
  readonly meta: {
    /** The number of documents that the person may not find. */
    readonly omitted: number
    readonly mayChange: boolean
    /** After a revert: what could not be restored. */
    readonly notRestored?: readonly { readonly message: string }[]
  }
}

export const RELEASES_KEY = ['releases']

/** The newest first. */
export const releasesQuery = queryOptions({
  queryKey: [...RELEASES_KEY, 'list'],
  queryFn: async ({ signal }) => (await request<{ data: readonly Release[] }>('/releases', { signal })).data,
})

export const releaseQuery = (id: number) =>
  queryOptions({
    queryKey: [...RELEASES_KEY, id],
    queryFn: ({ signal }) => request<OpenedReleaseResponse>(`/releases/${id}`, { signal }),
    // Documents of the release may have been changed meanwhile.
    staleTime: 0,
  })

/** A schedule of a single document. */
export interface DocumentSchedule {
  readonly id: number
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  readonly action: ReleaseAction
  readonly runAt: string
  readonly title: string | null
}

/** What happens, or has happened, in a period. */
export const plannedQuery = (from: string, to: string, includesSchedules: boolean) =>
  queryOptions({
    queryKey: [...RELEASES_KEY, 'period', from, to],
    queryFn: async ({ signal }) => {
      const query = queryString({ from, to })
      const [releases, schedules] = await Promise.all([
        request<{ data: readonly Release[] }>('/releases', { query, signal }),
        includesSchedules
          ? request<{ data: readonly DocumentSchedule[] }>('/schedules', { query, signal })
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

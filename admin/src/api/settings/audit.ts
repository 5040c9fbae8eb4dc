/** Reads the audit log, and who and what it can be filtered by. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { appUrl, request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'

export type AuditRecord = Data<'GET /audit'>[number]

export interface AuditFilter {
  /** `user:<documentId>`, `token:<id>`, `public` or `system`. */
  readonly by?: string
  readonly action?: string
  readonly type?: string
  readonly documentId?: string
  /** Days such as `2026-11-17`, both included. */
  readonly from?: string
  readonly to?: string
}

const startOf = (day: string) => new Date(`${day}T00:00:00`)

/** Days in the time zone of the browser become instants; the server excludes the end. */
function parametersOf({ from, to, ...filter }: AuditFilter) {
  const end = to === undefined ? undefined : startOf(to)
  end?.setDate(end.getDate() + 1)
  return {
    ...filter,
    ...(from !== undefined && { from: startOf(from).toISOString() }),
    ...(end && { to: end.toISOString() }),
  }
}

/** The newest first. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    initialPageParam: 'start',
    queryFn: ({ pageParam, signal }) =>
      request<Responses['GET /audit']>('/audit', {
        query: queryString({ ...parametersOf(filter), pagination: { cursor: pageParam, pageSize: 50 } }),
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.pagination.nextCursor ?? undefined,
  })

/** All selected records as a file. */
export const auditExportUrl = (filter: AuditFilter, format: 'csv' | 'jsonl') =>
  new URL(`api/audit?${queryString({ ...parametersOf(filter), format })}`, appUrl).href

/** Those who may have done something: the people of the team, and the API tokens. */
export const auditAuthorsQuery = queryOptions({
  queryKey: ['audit', 'authors'],
  queryFn: async ({ signal }) => {
    const [team, tokens] = await Promise.all([
      request<Responses['GET /team']>('/team', { signal }),
      request<Responses['GET /tokens']>('/tokens', { signal }),
    ])
    return {
      people: team.data.map(({ documentId, username }) => ({
        value: `user:${documentId}`,
        label: username,
      })),
      tokens: tokens.data.map(({ id, name }) => ({ value: `token:${id}`, label: name })),
    }
  },
})

/** Reads content as the API serves it, and explains what a read costs. */
import { queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { ApiError, request } from '../request.ts'
import type { ContentTypeView } from '../types.ts'

export interface ApiResponse {
  readonly status: number
  /** The body, without what only the admin app receives. */
  readonly body: unknown
  readonly milliseconds: number
}

type Parameters = Readonly<Record<string, unknown>>

/** The admin app reads drafts unless it says otherwise; the API published versions. */
const asInApi = (parameters: Parameters) => ({ status: 'published', ...parameters })

/** The response to a read, even when it is an error. */
export const apiResponseQuery = (type: ContentTypeView, parameters: Parameters) =>
  queryOptions({
    queryKey: ['api-response', type.uid, parameters],
    queryFn: async ({ signal }): Promise<ApiResponse> => {
      const start = performance.now()
      const timed = (status: number, body: unknown): ApiResponse => ({
        status,
        body,
        milliseconds: Math.round(performance.now() - start),
      })
      try {
        const body = await request<unknown>(`/content/${type.path}`, {
          query: queryString(asInApi(parameters)),
          signal,
        })
        return timed(200, withoutMeta(body))
      } catch (error) {
        if (!(error instanceof ApiError) || error.isOffline) throw error
        return timed(error.status, { error: { message: error.message, details: error.details } })
      }
    },
  })

function withoutMeta(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMeta)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([key]) => key !== '__meta')
  return Object.fromEntries(members.map(([key, member]) => [key, withoutMeta(member)]))
}

export interface Explanation {
  readonly statement: string
  /** As the engine reports it: lines from SQLite, a tree from PostgreSQL. */
  readonly plan: unknown
  readonly indexes: {
    readonly suggested: readonly { readonly on: readonly string[]; readonly because: string }[]
  }
  readonly scans: readonly string[]
  readonly estimate: { readonly rows: number; readonly limit: number } | null
  /** What each role gets for the same read. */
  readonly roles: Readonly<Record<string, { readonly status: number; readonly omitted: readonly string[] }>>
}

/** How the server makes a read. Only for admins. */
export const explainQuery = (type: ContentTypeView, parameters: Parameters) =>
  queryOptions({
    queryKey: ['explain', type.uid, parameters],
    queryFn: async ({ signal }) =>
      (
        await request<{ data: Explanation }>(`/content/${type.path}`, {
          query: queryString({ ...asInApi(parameters), explain: true }),
          signal,
        })
      ).data,
    retry: false,
  })

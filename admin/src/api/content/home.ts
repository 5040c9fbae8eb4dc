/** What the start page shows, in one request, and the notices of the server. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Author, Status } from '../types.ts'

/** The last change of a document. */
export interface RecentDocument {
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  readonly action: string
  readonly at: string
  readonly by: Author
  readonly title: string | null
  /** Null on types without drafts. */
  readonly status: Status | null
}

export type Planned =
  | {
      readonly kind: 'document'
      readonly at: string
      readonly action: 'publish' | 'unpublish'
      readonly type: string
      readonly documentId: string
      readonly locale: string | null
      readonly title: string | null
    }
  | {
      readonly kind: 'release'
      readonly at: string
      readonly id: number
      readonly name: string
      readonly entryCount: number
    }

export interface Home {
  readonly mine: readonly RecentDocument[]
  readonly waiting: readonly RecentDocument[]
  readonly planned: readonly Planned[]
  readonly others: readonly RecentDocument[]
  /** Whether the project has hardly any documents. */
  readonly isNew: boolean
}

export const homeQuery = queryOptions({
  queryKey: ['recent'],
  queryFn: async ({ signal }) => (await request<{ data: Home }>('/home', { signal })).data,
})

/** What went wrong in the background. */
export interface Notice {
  readonly id: number
  readonly kind: string
  readonly message: string
  readonly at: string
  readonly subject: {
    readonly type: string
    readonly documentId: string
    readonly locale: string | null
  } | null
}

export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: async ({ signal }) => (await request<{ data: readonly Notice[] }>('/notices', { signal })).data,
})

export const dismissNotice = (id: number) => request(`/notices/${id}`, { method: 'DELETE' })

/** Reads the saved states of a document, and restores one. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'
import type { Author, ContentDocument, ContentTypeView } from '../types.ts'
import { type DocumentAddress, documentPath } from './content.ts'

export interface SavedState {
  readonly version: number
  readonly action: string
  readonly status: 'draft' | 'published'
  readonly at: string
  readonly by: Author
}

export interface StateChange {
  readonly path: readonly string[]
  readonly kind: 'changed' | 'added' | 'removed' | 'moved'
  readonly before?: unknown
  readonly after?: unknown
}

interface HistoryPage {
  readonly data: readonly SavedState[]
  readonly meta: { readonly pagination: { readonly page: number; readonly pageCount: number } }
}

const localeOf = ({ type, locale }: DocumentAddress) => (type.localized ? { locale } : {})

const keyOf = ({ type, documentId, locale }: DocumentAddress) => ['history', type.uid, documentId, locale]

/** The newest first. */
export const historyQuery = (address: DocumentAddress) =>
  infiniteQueryOptions({
    queryKey: keyOf(address),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      request<HistoryPage>(`${documentPath(address)}/history`, {
        query: queryString({ ...localeOf(address), pagination: { page: pageParam, pageSize: 30 } }),
        signal,
      }),
    getNextPageParam: ({ meta: { pagination } }) =>
      pagination.page < pagination.pageCount ? pagination.page + 1 : undefined,
  })

/** What a state changed against the one before it. */
export const changesQuery = (address: DocumentAddress, version: number) =>
  queryOptions({
    queryKey: [...keyOf(address), version],
    queryFn: ({ signal }) =>
      request<{ data: readonly StateChange[] }>(`${documentPath(address)}/history/${version}/changes`, {
        query: queryString(localeOf(address)),
        signal,
      }),
    // A saved state never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Makes a saved state the draft again. A deleted document then exists again. */
export const restoreState = (address: DocumentAddress, version: number) =>
  request<{ meta: { notRestored: readonly { readonly message: string }[] } }>(
    `${documentPath(address)}/history/${version}/restore`,
    {
      method: 'POST',
      query: queryString(localeOf(address)),
    },
  )

/** A document that was deleted, with its last state. */
export interface DeletedDocument extends SavedState {
  readonly documentId: string
  readonly locale: string | null
  readonly document: ContentDocument
}

interface DeletedPage {
  readonly data: readonly DeletedDocument[]
  readonly meta: {
    readonly pagination: { readonly page: number; readonly pageCount: number; readonly total: number }
  }
}

export const deletedKey = (type: ContentTypeView) => ['deleted', type.uid]

/** The latest deletion first, in all locales. */
export const deletedQuery = (type: ContentTypeView) =>
  infiniteQueryOptions({
    queryKey: deletedKey(type),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      request<DeletedPage>(`/content/${type.path}/deleted`, {
        query: queryString({
          ...(type.localized && { locale: '*' }),
          pagination: { page: pageParam, pageSize: 30 },
        }),
        signal,
      }),
    getNextPageParam: ({ meta: { pagination } }) =>
      pagination.page < pagination.pageCount ? pagination.page + 1 : undefined,
  })

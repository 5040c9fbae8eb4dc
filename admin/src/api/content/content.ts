/** Reads and writes documents. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request, send } from '../request.ts'
import type { ContentDocument, ContentTypeView, Page, Person } from '../types.ts'

export interface ListParameters {
  readonly fields?: readonly string[]
  readonly populate?: unknown
  readonly filters?: unknown
  readonly sort?: readonly string[]
  readonly locale?: string
  readonly _q?: string
  readonly publicationFilter?: string
}

/** The documents of a type, page by page, without their number: counting takes longer the more there are. */
export const listQuery = (type: ContentTypeView, parameters: ListParameters, pageSize: number) =>
  infiniteQueryOptions({
    queryKey: ['list', type.uid, parameters, pageSize],
    initialPageParam: 'start',
    queryFn: ({ pageParam, signal }) =>
      request<Page>(`/content/${type.path}`, {
        query: queryString({
          ...parameters,
          pagination: { cursor: pageParam, pageSize, withCount: false },
        }),
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.pagination.nextCursor ?? undefined,
  })

/** The number of documents in a list, which does not depend on its order and columns. */
export const countQuery = (
  type: ContentTypeView,
  { filters, locale, _q, publicationFilter }: ListParameters,
) => {
  const selection = { filters, locale, _q, publicationFilter }
  return queryOptions({
    queryKey: ['list', type.uid, 'count', selection],
    queryFn: async ({ signal }) => {
      const { meta } = await request<Page>(`/content/${type.path}`, {
        query: queryString({
          ...selection,
          fields: ['documentId'],
          pagination: { pageSize: 1, withCount: true },
        }),
        signal,
      })
      return meta.pagination.total ?? null
    },
  })
}

/** A few documents that match a search, the newest first, for pickers and the command palette. */
export const searchQuery = (type: ContentTypeView, term: string, locale: string | undefined, pageSize = 20) =>
  queryOptions({
    queryKey: ['search', type.uid, term, locale, pageSize],
    queryFn: ({ signal }) =>
      request<Page>(`/content/${type.path}`, {
        query: queryString({
          ...(term !== '' && { _q: term }),
          ...(isField(type, type.view.mainField) && { fields: [type.view.mainField] }),
          ...(type.localized && locale !== undefined && { locale }),
          // The best first, or what is meant may not be on the page. Without a term by id, for which every type has an index.
          sort: term === '' ? ['id:desc'] : ['_score', 'id:desc'],
          pagination: { pageSize, withCount: false },
        }),
        signal,
      }),
  })

const isField = (type: ContentTypeView, name: string) =>
  type.attributes.some((attribute) => attribute.name === name)

/** A document with the ETag of the version that was read. */
export interface VersionedDocument {
  readonly document: ContentDocument
  readonly etag: string | null
}

export interface DocumentAddress {
  readonly type: ContentTypeView
  /** Null for single types. */
  readonly documentId: string | null
  readonly locale: string | undefined
}

export const documentPath = ({ type, documentId }: DocumentAddress) =>
  `/content/${type.path}${documentId === null ? '' : `/${encodeURIComponent(documentId)}`}`

const documentQueryString = ({ type, locale }: DocumentAddress, populate?: unknown) =>
  queryString({ ...(type.localized && { locale }), populate })

export const documentKey = ({ type, documentId, locale }: DocumentAddress) => [
  'document',
  type.uid,
  documentId,
  type.localized ? locale : null,
]

export async function readDocument(address: DocumentAddress, populate: unknown): Promise<VersionedDocument> {
  const { body, etag } = await send<{ data: ContentDocument }>(documentPath(address), {
    query: documentQueryString(address, populate),
  })
  return { document: body.data, etag }
}

export async function createDocument(address: DocumentAddress, data: unknown, populate: unknown) {
  return write(address, {
    method: address.type.kind === 'single' ? 'PUT' : 'POST',
    data,
    populate,
    etag: null,
  })
}

/** Saves changes of a draft; fails with 412 if the document is no longer the version of the ETag. */
export async function updateDocument(
  address: DocumentAddress,
  data: unknown,
  populate: unknown,
  etag: string | null,
): Promise<VersionedDocument> {
  return write(address, { method: 'PUT', data, populate, etag })
}

interface Write {
  readonly method: 'POST' | 'PUT'
  readonly data: unknown
  readonly populate: unknown
  readonly etag: string | null
}

async function write(address: DocumentAddress, { method, data, populate, etag: version }: Write) {
  const { body, etag } = await send<{ data: ContentDocument }>(documentPath(address), {
    method,
    query: documentQueryString(address, populate),
    body: { data },
    ...(version !== null && { headers: { 'if-match': version } }),
  })
  return { document: body.data, etag }
}

/** Deletes one locale, or the whole document. */
export const deleteDocument = (address: DocumentAddress, locale: string | undefined) =>
  request(documentPath(address), { method: 'DELETE', query: queryString({ locale }) })

export type DocumentAction = 'publish' | 'unpublish' | 'discard'

/** Runs an action on one locale of a document. */
export const runAction = (address: DocumentAddress, action: DocumentAction, etag: string | null) =>
  request(`${documentPath(address)}/actions/${action}`, {
    method: 'POST',
    query: documentQueryString(address),
    ...(etag !== null && { headers: { 'if-match': etag } }),
  })

/** Makes a new document with the content of one locale. */
export const duplicateDocument = async (address: DocumentAddress): Promise<ContentDocument> =>
  (
    await request<{ data: ContentDocument }>(`${documentPath(address)}/actions/duplicate`, {
      method: 'POST',
      body: address.type.localized ? { locale: address.locale } : {},
    })
  ).data

export type BulkAction = DocumentAction | 'delete' | 'duplicate' | 'update'

export type BulkResult =
  | { readonly documentId: string; readonly ok: true }
  | { readonly documentId: string; readonly ok: false; readonly error: { readonly message: string } }

/** Runs an action on several documents; each succeeds or fails on its own. */
export const runBulkAction = async (
  type: ContentTypeView,
  action: BulkAction,
  documentIds: readonly string[],
  locale: string | undefined,
  data?: Readonly<Record<string, unknown>>,
): Promise<readonly BulkResult[]> =>
  (
    await request<{ data: readonly BulkResult[] }>(`/content/${type.path}/actions/bulk`, {
      method: 'POST',
      body: { action, documentIds, data, ...(type.localized && locale !== undefined && { locale }) },
    })
  ).data

export interface Use {
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  readonly title: string
}

export const usedByQuery = (address: DocumentAddress) =>
  queryOptions({
    queryKey: ['used-by', address.type.uid, address.documentId],
    queryFn: () =>
      request<{ data: readonly Use[]; meta: { total: number } }>(`${documentPath(address)}/used-by`),
  })

export interface Presence {
  readonly user: { readonly id: number; readonly name: string }
  readonly since: string
  readonly editing: boolean
}

/** Reports that this person has the document open; returns who else has. */
export const reportPresence = async (
  address: DocumentAddress,
  editing: boolean,
): Promise<readonly Presence[]> =>
  (
    await request<{ data: readonly Presence[] }>(`${documentPath(address)}/presence`, {
      method: 'PUT',
      body: { editing },
    })
  ).data

export const endPresence = (address: DocumentAddress) =>
  request(`${documentPath(address)}/presence`, { method: 'DELETE' })

export const nameOf = (person: Person): string => ('name' in person ? person.name : person.token)

/** The media library: finding, uploading and changing files, and folders. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { texts } from '../texts.ts'
import { queryString } from './query-string.ts'
import { ApiError, appUrl, errorOf, isSessionEnded, request, rootUrl } from './request.ts'
import type { Crop, MediaFile } from './types.ts'

const PAGE_SIZE = 60

/** The parameters of a list of files. */
export interface FileParameters {
  readonly sort: string
  readonly folder?: string
  readonly _q?: string
  readonly filters?: unknown
  readonly unused?: 'true'
  readonly kind?: string
}

interface FilePage {
  readonly data: readonly MediaFile[]
  readonly meta: {
    readonly pagination: {
      readonly page?: number
      readonly pageCount?: number
      readonly total?: number
      readonly nextCursor?: string | null
    }
  }
}

/** A search reads pages by number, which the search index serves; everything else reads by cursor. */
type PageParameter = { readonly page: number } | { readonly cursor: string }

/** Files page by page. The first page says how many there are. */
export const filesQuery = (parameters: FileParameters) =>
  infiniteQueryOptions({
    queryKey: ['files', parameters],
    initialPageParam: firstPage(parameters),
    queryFn: ({ pageParam, signal }) =>
      request<FilePage>('/upload/files/page', {
        query: queryString({
          ...parameters,
          pagination: { ...pageParam, pageSize: PAGE_SIZE, withCount: isFirst(pageParam) },
        }),
        signal,
      }),
    getNextPageParam: ({ data, meta: { pagination } }, _pages, current): PageParameter | undefined => {
      if ('page' in current) return data.length < PAGE_SIZE ? undefined : { page: current.page + 1 }
      return pagination.nextCursor ? { cursor: pagination.nextCursor } : undefined
    },
  })

const START = { cursor: 'start' }

const firstPage = ({ filters }: FileParameters): PageParameter => (hasText(filters) ? { page: 1 } : START)

const isFirst = (parameter: PageParameter) =>
  'page' in parameter ? parameter.page === 1 : parameter === START

/** Whether a part of a text is searched for. */
const hasText = (filters: unknown) => JSON.stringify(filters ?? null).includes('"$containsi"')

export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: ['file', id],
    queryFn: () => request<MediaFile>(`/upload/files/${encodeURIComponent(id)}`),
    retry: false,
  })

export interface Folder {
  readonly path: string
  readonly name: string
  /** Directly inside. */
  readonly files: number
  readonly folders: number
}

const FOLDER_PAGE_SIZE = 50

/** The folders directly in one. A full page means that there may be more. */
export const foldersQuery = (parent: string) =>
  infiniteQueryOptions({
    queryKey: ['folders', parent],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      request<readonly Folder[]>('/upload/folders', {
        query: queryString({ parent, start: pageParam, limit: FOLDER_PAGE_SIZE }),
        signal,
      }),
    getNextPageParam: (page, _pages, start) =>
      page.length < FOLDER_PAGE_SIZE ? undefined : start + FOLDER_PAGE_SIZE,
  })

export const createFolder = (path: string) =>
  request<Folder>('/upload/folders', { method: 'POST', body: { path } })

export const moveFolder = (from: string, path: string) =>
  request<Folder>('/upload/folders', { method: 'PUT', query: queryString({ path: from }), body: { path } })

/** Its files move to the folder above. */
export const deleteFolder = (path: string) =>
  request<Folder>('/upload/folders', { method: 'DELETE', query: queryString({ path, contents: 'move' }) })

/** Files in one request to move or delete. */
const BULK_SIZE = 100

async function inBulks(path: string, ids: readonly string[], more: object = {}): Promise<void> {
  for (let start = 0; start < ids.length; start += BULK_SIZE)
    await request(path, { method: 'POST', body: { files: ids.slice(start, start + BULK_SIZE), ...more } })
}

export const moveFiles = (ids: readonly string[], folder: string) =>
  inBulks('/upload/files/move', ids, { folder })

export const deleteFiles = (ids: readonly string[]) => inBulks('/upload/files/delete', ids)

export interface FileUse {
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
  readonly title: unknown
  readonly status: string | null
}

export const fileUsesQuery = (id: string) =>
  queryOptions({
    queryKey: ['file-uses', id],
    queryFn: async () =>
      (await request<{ data: readonly FileUse[] }>(`/upload/files/${encodeURIComponent(id)}/used-by`)).data,
  })

export interface FileChanges {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
  readonly focalPoint?: { readonly x: number; readonly y: number } | null
  readonly crop?: Crop | null
}

export const changeFile = (id: string, fileInfo: FileChanges) =>
  request<MediaFile>('/upload', { method: 'POST', query: queryString({ id }), body: { fileInfo } })

export interface UploadOptions {
  readonly folder?: string
  /** The documentId of the file whose contents are replaced. */
  readonly replaces?: string
  /** From 0 to 1. */
  readonly onProgress?: (progress: number) => void
  readonly signal?: AbortSignal
}

/** Uploads one file. A session that has ended is renewed once, like that of other requests. */
export async function uploadFile(file: File, options: UploadOptions = {}): Promise<MediaFile> {
  try {
    return await uploadOnce(file, options)
  } catch (error) {
    if (!(await isSessionEnded(error))) throw error
    await request('/me')
    return uploadOnce(file, options)
  }
}

/** Not with `fetch`, which does not report the progress of what it sends. */
function uploadOnce(file: File, { folder, replaces, onProgress, signal }: UploadOptions): Promise<MediaFile> {
  const form = new FormData()
  if (folder !== undefined) form.append('path', folder)
  form.append('files', file)
  const url = new URL(
    `api/upload${replaces === undefined ? '' : `?${queryString({ id: replaces })}`}`,
    appUrl,
  )
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest()
    sender.open('POST', url)
    sender.responseType = 'json'
    sender.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress?.(total === 0 ? 0 : loaded / total),
    )
    sender.addEventListener('error', () => reject(new ApiError(0, texts.errors.offline)))
    sender.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    sender.addEventListener('load', () => {
      const { status, response }: { status: number; response: unknown } = sender
      const headers = { get: (name: string) => sender.getResponseHeader(name) }
      const stored: unknown = Array.isArray(response) ? response[0] : response
      if (status >= 200 && status < 300 && isFile(stored)) resolve(stored)
      else reject(errorOf({ status, headers }, response))
    })
    if (signal?.aborted) return reject(new DOMException('Cancelled', 'AbortError'))
    signal?.addEventListener('abort', () => sender.abort())
    sender.send(form)
  })
}

const isFile = (value: unknown): value is MediaFile =>
  typeof value === 'object' && value !== null && 'documentId' in value && 'url' in value

/** The address of a file; stored files of this server have relative addresses. */
export const urlOf = (url: string) => new URL(url.replace(/^\//, ''), rootUrl).href

/** A small version of an image. */
export const thumbnailOf = (file: MediaFile) => urlOf(file.formats?.thumbnail?.url ?? file.url)

/** A version of an image that fills a panel. */
export const previewOf = ({ formats, url }: MediaFile) =>
  urlOf(formats?.medium?.url ?? formats?.small?.url ?? url)

/** The image before it was cropped. */
export const originalOf = ({ documentId, url, __meta }: MediaFile) =>
  __meta?.crop ? new URL(`api/upload/files/${documentId}/original`, appUrl).href : urlOf(url)

export const isImage = ({ mime }: Pick<MediaFile, 'mime'>) => mime.startsWith('image/')

/** The media library: finding and uploading files. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { queryString } from './query-string.ts'
import { request, rootUrl } from './request.ts'
import type { MediaFile } from './types.ts'

const PAGE_SIZE = 40

/** Files that match a search, newest first. The endpoint returns plain lists, so a full page means that there may be more. */
export const filesQuery = (term: string) =>
  infiniteQueryOptions({
    queryKey: ['files', term],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      request<readonly MediaFile[]>('/upload/files', {
        query: queryString({
          ...(term !== '' && { _q: term }),
          sort: 'createdAt:desc',
          pagination: { start: pageParam, limit: PAGE_SIZE },
        }),
        signal,
      }),
    getNextPageParam: (page, _pages, start) => (page.length < PAGE_SIZE ? undefined : start + PAGE_SIZE),
  })

export async function uploadFile(file: File): Promise<MediaFile> {
  const form = new FormData()
  form.append('files', file)
  const [stored] = await request<readonly MediaFile[]>('/upload', { method: 'POST', body: form })
  if (!stored) throw new Error('The server stored no file')
  return stored
}

/** The address of a file; stored files of this server have relative addresses. */
const urlOf = (url: string) => new URL(url.replace(/^\//, ''), rootUrl).href

/** A small version of an image. */
export const thumbnailOf = (file: MediaFile) => urlOf(file.formats?.thumbnail?.url ?? file.url)

export const isImage = ({ mime }: MediaFile) => mime.startsWith('image/')

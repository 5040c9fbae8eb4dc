/** The locales of the project. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'

export type ConfiguredLocale = Data<'GET /locales'>[number]

/** How many documents of a content-type have content in a locale. */
export interface LocaleContent {
  readonly uid: string
  readonly documents: number
}

export const localesQuery = queryOptions({
  queryKey: ['locales'],
  queryFn: () => request<Responses['GET /locales']>('/locales'),
})

export const localeContentQuery = (code: string) =>
  queryOptions({
    queryKey: ['locales', code, 'content'],
    queryFn: async () => {
      const options = { method: 'DELETE', query: 'dryRun=true' } as const
      return (await request<{ meta: { content: readonly LocaleContent[] } }>(pathOf(code), options)).meta
        .content
    },
    gcTime: 0,
  })

export const createLocale = (data: { code: string; name: string; isDefault: boolean }) =>
  request('/locales', { method: 'POST', body: { data } })

export const updateLocale = (code: string, data: { name?: string; isDefault?: true }) =>
  request(pathOf(code), { method: 'PUT', body: { data } })

export const deleteLocale = (code: string) =>
  request(pathOf(code), { method: 'DELETE', query: 'confirm=true' })

const pathOf = (code: string) => `/locales/${encodeURIComponent(code)}`

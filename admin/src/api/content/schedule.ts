/** Reads and changes when a document is published and unpublished. */
import { queryOptions } from '@tanstack/react-query'
import { queryString } from '../query-string.ts'
import { request } from '../request.ts'
import { type DocumentAddress, documentPath } from './content.ts'

export interface Schedule {
  readonly publishAt: string | null
  readonly unpublishAt: string | null
}

const pathOf = (address: DocumentAddress) => `${documentPath(address)}/actions/schedule`

const localeOf = ({ type, locale }: DocumentAddress) => (type.localized ? { locale } : {})

export const scheduleKey = ({ type, documentId, locale }: DocumentAddress) => [
  'schedule',
  type.uid,
  documentId,
  locale,
]

export const scheduleQuery = (address: DocumentAddress) =>
  queryOptions({
    queryKey: scheduleKey(address),
    queryFn: async ({ signal }) =>
      (await request<{ data: Schedule }>(pathOf(address), { query: queryString(localeOf(address)), signal }))
        .data,
  })

/** A time of null cancels what was scheduled. */
export const changeSchedule = async (address: DocumentAddress, times: Schedule): Promise<Schedule> =>
  (
    await request<{ data: Schedule }>(pathOf(address), {
      method: 'POST',
      body: { ...times, ...localeOf(address) },
    })
  ).data

/** The users who are not in the team: they use the content API. For admins. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { RoleWithPermissions } from './roles.ts'
import { teamQuery } from './team.ts'

export type EndUserPage = Responses['GET /end-users']
export type EndUser = EndUserPage['data'][number]

export const endUsersKey = ['end-users']

const PAGE_SIZE = 50

export interface EndUserSearch {
  readonly term: string
  readonly role: string | null
  readonly page: number
}

const readPage = ({ term, role, page }: EndUserSearch) =>
  request<EndUserPage>('/end-users', {
    query: new URLSearchParams({
      ...(term !== '' && { _q: term }),
      ...(role !== null && { 'filters[role][type][$eq]': role }),
      'pagination[page]': String(page),
      'pagination[pageSize]': String(PAGE_SIZE),
    }).toString(),
  })

export const endUsersQuery = (search: EndUserSearch) =>
  queryOptions({
    queryKey: [...endUsersKey, search],
    queryFn: () => readPage(search),
    placeholderData: keepPreviousData,
  })

/** Some users with a role, to choose one of them. */
export const roleUsersQuery = ({ type, access }: Pick<RoleWithPermissions, 'type' | 'access'>) =>
  queryOptions({
    queryKey: [...endUsersKey, 'with-role', type],
    queryFn: async ({ client }): Promise<readonly { readonly id: number; readonly username: string }[]> =>
      access === null
        ? (await readPage({ term: '', role: type, page: 1 })).data
        : (await client.fetchQuery(teamQuery)).filter(({ role }) => role.type === type),
  })

export interface EndUserValues {
  readonly username?: string
  readonly email?: string
  readonly password?: string
  readonly role?: string
  readonly blocked?: boolean
  readonly confirmed?: boolean
}

export const createEndUser = (data: EndUserValues) =>
  request('/end-users', { method: 'POST', body: { data } })

export const changeEndUser = (id: number, data: EndUserValues) =>
  request(`/end-users/${id}`, { method: 'PUT', body: { data } })

export const deleteEndUser = (id: number) => request(`/end-users/${id}`, { method: 'DELETE' })

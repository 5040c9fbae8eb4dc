/** Roles and their permissions. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { ContentDocument, Data } from '../types.ts'

export type RoleWithPermissions = Data<'GET /roles'>[number]

/** By content-type; `*` stands for every content-type of the project that is not listed. */
export type Permissions = RoleWithPermissions['permissions']

/** An action, a removed one such as `-publish`, or an action for some documents or attributes. */
export type Permission = Permissions[string][number]

export type RestrictedPermission = Exclude<Permission, string>

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await request<Responses['GET /roles']>('/roles')).data,
})

export const createRole = (data: { type: string; name: string; description: string | null }) =>
  request('/roles', { method: 'POST', body: { data } })

/** Null removes the permissions that a content-type has of its own. */
export type PermissionChanges = Readonly<Record<string, readonly Permission[] | null>>

interface RoleChanges {
  readonly name?: string
  readonly description?: string | null
  readonly permissions?: PermissionChanges
}

export const changeRole = (type: string, data: RoleChanges) =>
  request<Responses['PUT /roles/{type}']>(`/roles/${type}`, { method: 'PUT', body: { data } })

export const deleteRole = (type: string) => request(`/roles/${type}`, { method: 'DELETE' })

/** Fails with what is wrong with the permissions. */
export const checkPermissions = (permissions: Permissions) =>
  request('/permissions/check', { method: 'POST', body: { data: { permissions } } })

export interface RoleRead {
  readonly role: string
  /** The segment of the content-type in paths of the API. */
  readonly path: string
  /** The user that `$user.…` stands for. */
  readonly user: number | null
  readonly status: 'draft' | 'published'
}

interface SeenContent {
  readonly data: readonly ContentDocument[] | ContentDocument
  readonly meta: { readonly pagination?: { readonly total?: number } }
}

const SEEN_DOCUMENTS = 10

/** What a caller with a role sees of a content-type. */
export const readAsRoleQuery = ({ role, path, user, status }: RoleRead) =>
  queryOptions({
    queryKey: ['roles', role, 'content', path, user, status],
    queryFn: () => {
      const query = new URLSearchParams({
        ...(user !== null && { user: String(user) }),
        ...(status === 'draft' && { status }),
        'pagination[pageSize]': String(SEEN_DOCUMENTS),
      }).toString()
      return request<SeenContent>(`/roles/${role}/content/${path}`, { query })
    },
    retry: false,
    staleTime: 0,
  })

export interface BuiltInSchema {
  readonly uid: string
  readonly attributes: Readonly<Record<string, SchemaAttribute>>
}

export interface SchemaAttribute {
  readonly type: string
  readonly enum?: readonly string[]
}

/** Every content-type, those that are built in included. */
export const schemasQuery = queryOptions({
  queryKey: ['roles', 'schemas'],
  queryFn: async () => (await request<{ data: readonly BuiltInSchema[] }>('/content-types')).data,
  staleTime: 60_000,
})

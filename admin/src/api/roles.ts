/** Roles and their permissions. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export interface RestrictedPermission {
  readonly action: string
  readonly filters?: Readonly<Record<string, unknown>>
  readonly fields?: readonly string[]
}

/** An action, a removed one such as `-publish`, or an action for some documents or attributes. */
export type Permission = string | RestrictedPermission

/** By content-type; `*` stands for every content-type of the project that is not listed. */
export type Permissions = Readonly<Record<string, readonly Permission[]>>

export interface RoleWithPermissions {
  readonly documentId: string
  readonly type: string
  readonly name: string
  readonly description: string | null
  readonly users: number
  /** Where its users may sign in besides the content API. */
  readonly access: 'app' | 'admin' | null
  readonly builtIn: boolean
  /** The content-types whose permissions the configuration sets at each start. */
  readonly configured: readonly string[]
  readonly permissions: Permissions
}

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await request<{ data: readonly RoleWithPermissions[] }>('/roles')).data,
})

/** API tokens. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'
import type { Permissions } from './roles.ts'

export const TOKEN_KINDS = ['read-only', 'custom', 'full-access', 'admin'] as const

export type TokenKind = (typeof TOKEN_KINDS)[number]

export type Token = Data<'GET /tokens'>[number]
/** With the secret, which the server does not show again. */
export type CreatedToken = Data<'POST /tokens'>

export interface NewToken {
  readonly name: string
  readonly type: TokenKind
  readonly permissions?: Permissions
  readonly expiresAt: string | null
}

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async () => (await request<Responses['GET /tokens']>('/tokens')).data,
})

export const createToken = async (data: NewToken) =>
  (await request<{ data: CreatedToken }>('/tokens', { method: 'POST', body: { data } })).data

/** Without an expiry, the token is valid as long as before. */
export const regenerateToken = async (id: number, data: { readonly expiresAt?: string | null }) =>
  (await request<{ data: CreatedToken }>(`/tokens/${id}/regenerate`, { method: 'POST', body: { data } })).data

export const deleteToken = (id: number) => request(`/tokens/${id}`, { method: 'DELETE' })

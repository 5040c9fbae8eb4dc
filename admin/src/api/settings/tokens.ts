/** API tokens. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Permissions } from './roles.ts'

export const TOKEN_KINDS = ['read-only', 'custom', 'full-access', 'admin'] as const

export type TokenKind = (typeof TOKEN_KINDS)[number]

export interface Token {
  readonly id: number
  readonly name: string
  readonly type: TokenKind
  readonly permissions: Permissions | null
  /** Tokens of the configuration cannot be changed here. */
  readonly source: 'config' | 'made'
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** With the secret, which the server does not show again. */
export interface CreatedToken extends Token {
  readonly token: string
}

export interface NewToken {
  readonly name: string
  readonly type: TokenKind
  readonly permissions?: Permissions
  readonly expiresAt: string | null
}

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async () => (await request<{ data: readonly Token[] }>('/tokens')).data,
})

export const createToken = async (data: NewToken) =>
  (await request<{ data: CreatedToken }>('/tokens', { method: 'POST', body: { data } })).data

/** Without an expiry, the token is valid as long as before. */
export const regenerateToken = async (id: number, data: { readonly expiresAt?: string | null }) =>
  (await request<{ data: CreatedToken }>(`/tokens/${id}/regenerate`, { method: 'POST', body: { data } })).data

export const deleteToken = (id: number) => request(`/tokens/${id}`, { method: 'DELETE' })

/** The session of the person who uses the app. */
import { queryOptions } from '@tanstack/react-query'
import { type RequestOptions, request } from './request.ts'
import type { Responses } from './schema.ts'
import { announceSession } from './session-channel.ts'
import type { OpenSession, SessionState } from './types.ts'

const publicPost = async <Body>(path: string, body: unknown): Promise<Body> =>
  request<Body>(path, { method: 'POST', body, withoutSession: true })

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => request<SessionState>('/session', { withoutSession: true }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Who is signed in in this browser now; null for nobody. */
export const readPersonId = async (): Promise<number | null> =>
  (await request<SessionState>('/session', { withoutSession: true })).data?.user.id ?? null

/** What this person may see and do. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await request<Responses['GET /me']>('/me')).data,
  staleTime: 60_000,
})

export const openSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await request<Responses['GET /sessions']>('/sessions')).data,
})

export interface Credentials {
  readonly identifier: string
  readonly password: string
  readonly code?: string
}

export const signIn = async (credentials: Credentials) => {
  await publicPost<Responses['POST /session']>('/session', credentials)
  announceSession()
}

export const signOut = async () => {
  await request('/session', { method: 'DELETE', withoutSession: true })
  announceSession()
}

export const setUp = (body: { token: string; username: string; email: string; password: string }) =>
  publicPost<Responses['POST /setup']>('/setup', body)

export const requestPasswordReset = (email: string) => publicPost('/forgot-password', { email })

/** Ends the sessions of the account; the next sign-in asks for the second factor. */
export const resetPassword = (body: { code: string; password: string }) => publicPost('/reset-password', body)

export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ['invitation', code],
    queryFn: async () => {
      const query = new URLSearchParams({ code }).toString()
      return (await request<Responses['GET /invitation']>('/invitation', { query, withoutSession: true }))
        .data
    },
    retry: false,
  })

export const acceptInvitation = (body: { code: string; username: string; password: string }) =>
  publicPost<Responses['POST /invitation']>('/invitation', body)

const send = async <Body>(path: string, method: RequestOptions['method'], body?: unknown) =>
  request<Body>(path, { ...(method && { method }), ...(body !== undefined && { body }) })

export const changePassword = (body: { currentPassword: string; password: string }) =>
  send<Responses['POST /me/password']>('/me/password', 'POST', body)

export const changeAccount = (body: { username?: string; email?: string; currentPassword: string }) =>
  send<Responses['PUT /me/account']>('/me/account', 'PUT', body)

export const endOwnSession = (id: OpenSession['id']) => send(`/sessions/${id}`, 'DELETE')

export const endOtherSessions = () => send('/sessions', 'DELETE')

export const startSecondFactor = (currentPassword: string) =>
  send<Responses['POST /me/second-factor']>('/me/second-factor', 'POST', { currentPassword })

export const confirmSecondFactor = (code: string) =>
  send<Responses['POST /me/second-factor/confirm']>('/me/second-factor/confirm', 'POST', { code })

export const removeSecondFactor = (currentPassword: string) =>
  send('/me/second-factor', 'DELETE', { currentPassword })

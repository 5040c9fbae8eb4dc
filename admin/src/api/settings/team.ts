/** The people who may use the app, their invitations and sessions. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { OpenSession, User } from '../types.ts'

export interface TeamMember extends User {
  readonly blocked: boolean
  readonly lastSeenAt: string | null
}

export interface OpenInvitation {
  readonly id: string
  readonly email: string
  readonly role: { readonly type: string; readonly name: string }
  readonly createdAt: string
  readonly expiresAt: string
  readonly invitedBy: string | null
}

/** Has a link when the server could not mail it. */
export interface SentInvitation extends OpenInvitation {
  readonly link: string | null
  readonly mailed: boolean
}

export const teamKey = ['team']

export const teamQuery = queryOptions({
  queryKey: [...teamKey, 'members'],
  queryFn: async () => (await request<{ data: readonly TeamMember[] }>('/team')).data,
})

export const invitationsQuery = queryOptions({
  queryKey: [...teamKey, 'invitations'],
  queryFn: async () => (await request<{ data: readonly OpenInvitation[] }>('/invitations')).data,
})

export const invite = async (data: { email: string; role: string }) =>
  (await request<{ data: SentInvitation }>('/invitations', { method: 'POST', body: { data } })).data

export const revokeInvitation = (id: string) => request(`/invitations/${id}`, { method: 'DELETE' })

interface MemberChanges {
  readonly username?: string
  readonly email?: string
  readonly role?: string
  readonly blocked?: boolean
}

export const changeMember = (id: number, data: MemberChanges) =>
  request(`/team/${id}`, { method: 'PUT', body: { data } })

export const deleteMember = (id: number) => request(`/team/${id}`, { method: 'DELETE' })

export const removeMemberSecondFactor = (id: number) =>
  request(`/team/${id}/second-factor`, { method: 'DELETE' })

export const memberSessionsQuery = (id: number) =>
  queryOptions({
    queryKey: [...teamKey, 'sessions', id],
    queryFn: async () =>
      (await request<{ data: readonly Omit<OpenSession, 'current'>[] }>(`/team/${id}/sessions`)).data,
  })

export const endMemberSession = (id: number, session: string | number) =>
  request(`/team/${id}/sessions/${session}`, { method: 'DELETE' })

export const endMemberSessions = (id: number) => request(`/team/${id}/sessions`, { method: 'DELETE' })

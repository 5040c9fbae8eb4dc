/** The people who may use the app, their invitations and sessions. For admins. */
import { queryOptions } from '@tanstack/react-query'
import { request } from '../request.ts'
import type { Responses } from '../schema.ts'
import type { Data } from '../types.ts'

export type TeamMember = Data<'GET /team'>[number]
export type OpenInvitation = Data<'GET /invitations'>[number]
/** Has a link when the server could not mail it. */
export type SentInvitation = Data<'POST /invitations'>

export const teamKey = ['team']

export const teamQuery = queryOptions({
  queryKey: [...teamKey, 'members'],
  queryFn: async () => (await request<Responses['GET /team']>('/team')).data,
})

export const invitationsQuery = queryOptions({
  queryKey: [...teamKey, 'invitations'],
  queryFn: async () => (await request<Responses['GET /invitations']>('/invitations')).data,
})

export const invite = async (data: { email: string; role: string }) =>
  (await request<Responses['POST /invitations']>('/invitations', { method: 'POST', body: { data } })).data

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
    queryFn: async () => (await request<Responses['GET /team/{id}/sessions']>(`/team/${id}/sessions`)).data,
  })

export const endMemberSession = (id: number, session: string) =>
  request(`/team/${id}/sessions/${session}`, { method: 'DELETE' })

export const endMemberSessions = (id: number) => request(`/team/${id}/sessions`, { method: 'DELETE' })

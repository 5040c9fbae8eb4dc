/** The paths of the admin API for the team, and the schemas of its people and their sessions. */
import { pathParameter } from '../../operation.ts'
import {
  arrayOf,
  boolean,
  dateTime,
  integer,
  nullable,
  openObject,
  type Properties,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from '../admin-operation.ts'
import { errorResponses } from '../error-responses.ts'

export const ROLE_NAME = openObject({ type: string, name: string }, ['type', 'name'])

const OPEN_SESSION = {
  ...{ id: string, createdAt: dateTime, lastUsedAt: dateTime, expiresAt: dateTime },
  ...{ address: nullable(string), userAgent: nullable(string) },
}

/** A session in a list. */
export const openSession = (more: Properties = {}) => {
  const properties = { ...OPEN_SESSION, ...more }
  return openObject(properties, Object.keys(properties))
}

export function addTeamPaths(add: AddAdminOperation, person: Schema): void {
  const id = pathParameter('id', 'The id of the user.', integer)
  const member: Schema = {
    allOf: [
      person,
      openObject({ blocked: boolean, lastSeenAt: nullable(dateTime) }, ['blocked', 'lastSeenAt']),
    ],
  }
  const invitation = openObject(
    {
      ...{ id: string, email: string, role: ROLE_NAME, createdAt: dateTime, expiresAt: dateTime },
      invitedBy: nullable(string),
    },
    ['id', 'email', 'role', 'createdAt', 'expiresAt', 'invitedBy'],
  )
  add('/team', 'get', {
    operationId: 'listTeam',
    summary: 'List the users who may use the admin app',
    responses: { 200: adminResponse('Oldest first.', arrayOf(member)), ...errorResponses() },
  })
  add('/team/{id}', 'put', {
    operationId: 'changeTeamMember',
    summary: 'Change the name, address or role of someone in the team, or block them',
    parameters: [id],
    requestBody: adminBody(openObject({ username: string, email: string, role: string, blocked: boolean })),
    responses: { 200: adminResponse('The user.', member), ...errorResponses(400, 404) },
  })
  const operations = [
    ['', 'deleteTeamMember', 'Delete the account of someone in the team'],
    ['/sessions', 'endTeamMemberSessions', 'End all sessions of someone in the team'],
    ['/second-factor', 'removeTeamMemberSecondFactor', 'Remove the second factor of someone in the team'],
  ] as const
  for (const [path, operationId, summary] of operations)
    add(`/team/{id}${path}`, 'delete', {
      ...{ operationId, summary, parameters: [id] },
      responses: { 204: DONE, ...errorResponses(400, 404) },
    })
  add('/team/{id}/sessions', 'get', {
    operationId: 'listTeamMemberSessions',
    summary: 'List the sessions of someone in the team',
    parameters: [id],
    responses: {
      200: adminResponse('The last used first.', arrayOf(openSession())),
      ...errorResponses(404),
    },
  })
  add('/team/{id}/sessions/{session}', 'delete', {
    operationId: 'endTeamMemberSession',
    summary: 'End one session of someone in the team',
    parameters: [id, pathParameter('session', 'The id of the session.')],
    responses: { 204: DONE, ...errorResponses(404) },
  })
  add('/invitations', 'get', {
    operationId: 'listInvitations',
    summary: 'List open invitations',
    responses: { 200: adminResponse('The newest first.', arrayOf(invitation)), ...errorResponses() },
  })
  add('/invitations', 'post', {
    operationId: 'invite',
    summary: 'Invite someone to the team',
    requestBody: adminBody(openObject({ email: string, role: string }, ['email', 'role'])),
    responses: {
      201: adminResponse('With the link, unless it was mailed.', {
        allOf: [invitation, openObject({ link: nullable(string), mailed: boolean }, ['link', 'mailed'])],
      }),
      ...errorResponses(400),
    },
  })
  add('/invitations/{id}', 'delete', {
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    parameters: [pathParameter('id', 'The id of the invitation.')],
    responses: { 204: DONE, ...errorResponses(404) },
  })
}

/** The paths of the admin API for people: signing in, the own account and the team. */
import type { DocumentBuilder } from '../document-builder.ts'
import { jsonBody, jsonResponse, pathParameter, queryParameter } from '../operation.ts'
import {
  arrayOf,
  boolean,
  dateTime,
  integer,
  nullable,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { homeSchema } from './admin/home.ts'
import { meSchema } from './admin/me.ts'
import { addTeamPaths, openSession, ROLE_NAME } from './admin/team.ts'
import { type AddTo, addAdminContentPaths } from './admin-content.ts'
import { type AddAdminOperation, adminResponse, DONE } from './admin-operation.ts'
import { errorResponses } from './error-responses.ts'

/** A body without `data`, with strings that are all required. */
const strings = (...names: readonly string[]) =>
  jsonBody(openObject(Object.fromEntries(names.map((name) => [name, string])), names))

const OK = jsonResponse('Done.', openObject({ ok: boolean }, ['ok']))

export function addAdminAppPaths(builder: DocumentBuilder, addTo: AddTo): void {
  const person = builder.sharedSchema('AdminPerson', () =>
    openObject(
      {
        ...{ id: integer, documentId: string, username: string, email: string },
        role: openObject({ type: string, name: string, access: { type: 'string', enum: ['app', 'admin'] } }, [
          'type',
          'name',
          'access',
        ]),
        secondFactor: boolean,
      },
      ['id', 'documentId', 'username', 'email', 'role', 'secondFactor'],
    ),
  )
  const session = builder.sharedSchema('AdminSession', () =>
    openObject({ id: string, createdAt: dateTime, expiresAt: dateTime, user: person }, [
      ...['id', 'createdAt', 'expiresAt', 'user'],
    ]),
  )
  addSessions(addTo('Admin: session'), session)
  addAccount(builder, addTo('Admin: own account'), person, session)
  addAdminContentPaths(builder, addTo)
  addTeamPaths(addTo('Admin: team'), person)
}

const COOKIE = 'The response sets the cookie of the session.'

function addSessions(add: AddAdminOperation, session: Schema): void {
  const meta = openObject({ needsSetup: boolean, passwordMinLength: integer, mail: boolean }, [
    ...['needsSetup', 'passwordMinLength', 'mail'],
  ])
  add('/session', 'get', {
    operationId: 'getSession',
    summary: 'Who is signed in',
    responses: { 200: adminResponse('Null when nobody is.', nullable(session), meta), ...errorResponses() },
  })
  add('/session', 'post', {
    operationId: 'startSession',
    summary: 'Sign in to the admin app',
    description: `${COOKIE} Accounts with a second factor get a 401 with \`details.secondFactor\` until \`code\` is sent.`,
    requestBody: jsonBody(
      openObject({ identifier: string, password: string, code: string }, ['identifier', 'password']),
    ),
    responses: { 200: adminResponse('The new session.', session), ...errorResponses(400) },
  })
  add('/session', 'delete', {
    operationId: 'endOwnSession',
    summary: 'Sign out',
    responses: { 204: DONE, ...errorResponses() },
  })
  add('/setup', 'post', {
    operationId: 'createFirstAdmin',
    summary: 'Create the first admin with the token that the server printed',
    description: COOKIE,
    requestBody: strings('token', 'username', 'email', 'password'),
    responses: { 201: adminResponse('The session of the admin.', session), ...errorResponses(400) },
  })
  add('/forgot-password', 'post', {
    operationId: 'requestAdminPasswordReset',
    summary: 'Send a link for a new password',
    requestBody: strings('email'),
    responses: { 200: OK, ...errorResponses(400) },
  })
  add('/reset-password', 'post', {
    operationId: 'resetAdminPassword',
    summary: 'Set a new password with the code of an e-mail',
    requestBody: strings('code', 'password'),
    responses: { 204: DONE, ...errorResponses(400) },
  })
  const invited = openObject({ email: string, role: ROLE_NAME }, ['email', 'role'])
  add('/invitation', 'get', {
    operationId: 'getInvitation',
    summary: 'Whom an invitation is for',
    parameters: [queryParameter('code', 'The code of the link.')],
    responses: { 200: adminResponse('The address and the role.', invited), ...errorResponses(400) },
  })
  add('/invitation', 'post', {
    operationId: 'acceptInvitation',
    summary: 'Create an account with an invitation',
    description: COOKIE,
    requestBody: strings('code', 'username', 'password'),
    responses: { 201: adminResponse('The new session.', session), ...errorResponses(400) },
  })
}

function addAccount(builder: DocumentBuilder, add: AddAdminOperation, person: Schema, session: Schema): void {
  add('/sessions', 'get', {
    operationId: 'listSessions',
    summary: 'List the own sessions',
    responses: {
      200: adminResponse('The last used first.', arrayOf(openSession({ current: boolean }))),
      ...errorResponses(),
    },
  })
  add('/sessions', 'delete', {
    operationId: 'endOtherSessions',
    summary: 'End all own sessions except this one',
    responses: { 204: DONE, ...errorResponses() },
  })
  add('/sessions/{id}', 'delete', {
    operationId: 'endSession',
    summary: 'End one of the own sessions',
    parameters: [pathParameter('id', 'The id of the session.')],
    responses: { 204: DONE, ...errorResponses(404) },
  })
  add('/me', 'get', {
    operationId: 'getTeamMe',
    summary: 'What the person who is signed in may see and do',
    responses: {
      200: adminResponse(
        'The model, with permitted actions and attributes, and the views.',
        meSchema(builder, person),
      ),
      ...errorResponses(),
    },
  })
  add('/home', 'get', {
    operationId: 'getHome',
    summary: 'What the person was working on, what waits to be published, and what happens next',
    responses: {
      200: adminResponse('Up to six of each, from recent changes.', homeSchema(builder)),
      ...errorResponses(),
    },
  })
  add('/me/account', 'put', {
    operationId: 'changeAccount',
    summary: 'Change the own user name or e-mail address',
    requestBody: jsonBody(
      openObject({ currentPassword: string, username: string, email: string }, ['currentPassword']),
    ),
    responses: { 200: adminResponse('The account.', person), ...errorResponses(400) },
  })
  add('/me/password', 'post', {
    operationId: 'changeAdminPassword',
    summary: 'Change the own password; ends all sessions and starts a new one',
    description: COOKIE,
    requestBody: strings('currentPassword', 'password'),
    responses: { 200: adminResponse('The new session.', session), ...errorResponses(400) },
  })
  add('/me/second-factor', 'post', {
    operationId: 'beginSecondFactor',
    summary: 'Start to set up a second factor',
    requestBody: strings('currentPassword'),
    responses: {
      200: adminResponse(
        'For an authenticator app.',
        openObject({ secret: string, uri: string }, ['secret', 'uri']),
      ),
      ...errorResponses(400),
    },
  })
  add('/me/second-factor', 'delete', {
    operationId: 'removeSecondFactor',
    summary: 'Remove the second factor',
    requestBody: strings('currentPassword'),
    responses: { 204: DONE, ...errorResponses(400) },
  })
  add('/me/second-factor/confirm', 'post', {
    operationId: 'confirmSecondFactor',
    summary: 'Make the second factor required',
    requestBody: strings('code'),
    responses: {
      200: adminResponse(
        'Shown only once.',
        openObject({ recoveryCodes: arrayOf(string) }, ['recoveryCodes']),
      ),
      ...errorResponses(400),
    },
  })
}

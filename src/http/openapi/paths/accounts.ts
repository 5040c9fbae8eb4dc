/** The paths of signing in, users and roles, as far as the caller may use them. Their answers have no envelope. */
import { ROLE, typeOf, USER } from '../../../model/model.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import {
  addOperation,
  jsonBody,
  jsonResponse,
  type Operation,
  type Paths,
  pathParameter,
  queryParameter,
} from '../operation.ts'
import { documentSchema } from '../schemas/documents.ts'
import { userInput } from '../schemas/inputs.ts'
import {
  arrayOf,
  closedObject,
  integer,
  openObject,
  type Properties,
  type Schema,
  string,
} from '../schemas/schema.ts'
import { errorResponses } from './error-responses.ts'
import { addReadOperation } from './explain.ts'
import { fields, filters, populate } from './parameters.ts'

/** Signing in and out; open to everyone, and to the signed-in where it says so. */
export function addAuthPaths(builder: DocumentBuilder, paths: Paths): void {
  const { sessions, registration, confirmEmail } = builder.config.auth
  const signedIn = jsonResponse('The credential to send along, and the user.', signedInSchema(builder))
  const post = (path: string, operation: Omit<Operation, 'tags'>) =>
    addOperation(paths, `/api/auth/${path}`, 'post', { tags: ['Auth'], ...operation })
  const isUser = builder.scope.principal.kind === 'user' || builder.scope.principal.kind === 'system'

  post('local', {
    operationId: 'signIn',
    summary: 'Sign in',
    requestBody: texts({ identifier: 'The user name or the e-mail address.', password: '' }),
    responses: { 200: signedIn, ...errorResponses(400) },
  })
  if (registration.enabled)
    post('local/register', {
      operationId: 'register',
      summary: 'Register a new user',
      requestBody: jsonBody(registrationSchema(builder)),
      responses: {
        200: confirmEmail
          ? jsonResponse(
              'The user, who must confirm the address before signing in.',
              openObject({ user: ownUser(builder) }),
            )
          : signedIn,
        ...errorResponses(400),
      },
    })
  post('forgot-password', {
    operationId: 'forgotPassword',
    summary: 'Ask for a code to set a new password',
    requestBody: texts({ email: '' }),
    responses: { 200: DONE, ...errorResponses(400) },
  })
  post('reset-password', {
    operationId: 'resetPassword',
    summary: 'Set a new password with a code',
    requestBody: texts({ code: 'As it came by e-mail.', password: '', passwordConfirmation: '' }),
    responses: { 200: signedIn, ...errorResponses(400) },
  })
  if (isUser)
    post('change-password', {
      operationId: 'changePassword',
      summary: 'Change your password',
      requestBody: texts({ currentPassword: '', password: '', passwordConfirmation: '' }),
      responses: { 200: signedIn, ...errorResponses(400) },
    })
  addOperation(paths, '/api/auth/email-confirmation', 'get', {
    operationId: 'confirmEmail',
    tags: ['Auth'],
    summary: 'Confirm an e-mail address',
    parameters: [{ ...queryParameter('confirmation', 'The code as it came by e-mail.'), required: true }],
    responses: {
      200: DONE,
      302: { description: 'To the page that the configuration names.' },
      ...errorResponses(400),
    },
  })
  post('send-email-confirmation', {
    operationId: 'sendEmailConfirmation',
    summary: 'Ask for the confirmation e-mail again',
    requestBody: texts({ email: '' }),
    responses: {
      200: jsonResponse(
        'Whether or not there is such a user.',
        openObject({ email: string, sent: { const: true } }),
      ),
      ...errorResponses(400),
    },
  })
  if (sessions === 'long-lived') return
  post('refresh', {
    operationId: 'refresh',
    summary: 'Get a new credential',
    requestBody: texts({ refreshToken: '' }),
    responses: { 200: signedIn, ...errorResponses(400) },
  })
  if (isUser)
    post('logout', {
      operationId: 'signOut',
      summary: 'Sign out',
      responses: { 200: DONE, ...errorResponses() },
    })
}

const DONE = jsonResponse('Done.', openObject({ ok: { const: true } }, ['ok']))

/** A body of texts, all of them required. */
const texts = (descriptions: Readonly<Record<string, string>>) => {
  const properties = Object.entries(descriptions).map(([name, description]): [string, Schema] => [
    name,
    {
      ...string,
      ...(/password/i.test(name) ? { format: 'password' } : {}),
      ...(description ? { description } : {}),
    },
  ])
  return jsonBody(openObject(Object.fromEntries(properties), Object.keys(descriptions)))
}

/** The user as they see themselves: whatever their role may see of others. */
const ownUser = (builder: DocumentBuilder): Schema => documentSchema(builder, typeOf(builder.model, USER))

const signedInSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('SignedIn', () =>
    openObject(
      {
        jwt: { ...string, description: 'To be sent as `Authorization: Bearer …`.' },
        ...(builder.config.auth.sessions === 'refresh' ? { refreshToken: string } : {}),
        user: ownUser(builder),
      },
      ['jwt', 'user'],
    ),
  )

function registrationSchema(builder: DocumentBuilder): Schema {
  const { fields: more } = builder.config.auth.registration
  const own: Properties = {
    username: { ...string, minLength: 3 },
    email: { ...string, format: 'email' },
    password: { ...string, format: 'password', minLength: builder.config.auth.passwordMinLength },
  }
  const added = Object.fromEntries(
    Object.entries(userInput(builder, 'create').properties ?? {}).filter(([name]) => more.includes(name)),
  )
  return closedObject({ ...added, ...own }, ['username', 'email', 'password'])
}

/** Users and roles. A user is named by number. */
export function addUserPaths(builder: DocumentBuilder, paths: Paths): void {
  const may = (action: string) => builder.scope.may(USER, action)
  const type = typeOf(builder.model, USER)
  const tags = ['Users']
  const user = () => documentSchema(builder, type)
  const shown = () => [fields(builder, type), ...populate(builder, type)]
  const isUser = builder.scope.principal.kind === 'user' || builder.scope.principal.kind === 'system'

  if (isUser)
    addReadOperation(builder, paths, '/api/users/me', {
      operationId: 'getMe',
      tags,
      summary: 'Get the user who is signed in',
      parameters: shown(),
      responses: { 200: jsonResponse('You.', user()), ...errorResponses(400) },
    })
  if (may('find')) {
    addReadOperation(builder, paths, '/api/users', {
      operationId: 'listUsers',
      tags,
      summary: 'List users',
      parameters: [filters(builder, type), queryParameter('sort', 'Fields to sort by.'), ...shown(), ...PAGE],
      responses: { 200: jsonResponse('The users.', arrayOf(user())), ...errorResponses(400) },
    })
    addReadOperation(builder, paths, '/api/users/count', {
      operationId: 'countUsers',
      tags,
      summary: 'Count users',
      parameters: [filters(builder, type)],
      responses: { 200: jsonResponse('How many there are.', integer), ...errorResponses(400) },
    })
  }
  if (may('findOne'))
    addReadOperation(builder, paths, '/api/users/{id}', {
      operationId: 'getUser',
      tags,
      summary: 'Get user',
      parameters: [USER_ID, ...shown()],
      responses: { 200: jsonResponse('The user.', user()), ...errorResponses(400, 404) },
    })
  if (may('create'))
    addOperation(paths, '/api/users', 'post', {
      operationId: 'createUser',
      tags,
      summary: 'Create user',
      parameters: shown(),
      requestBody: jsonBody(userInput(builder, 'create')),
      responses: { 201: jsonResponse('The user that was made.', user()), ...errorResponses(400, 413, 415) },
    })
  if (may('update'))
    addOperation(paths, '/api/users/{id}', 'put', {
      operationId: 'updateUser',
      tags,
      summary: 'Change user',
      parameters: [USER_ID, ...shown()],
      requestBody: jsonBody(userInput(builder, 'update')),
      responses: { 200: jsonResponse('The user.', user()), ...errorResponses(400, 404, 413, 415) },
    })
  if (may('delete'))
    addOperation(paths, '/api/users/{id}', 'delete', {
      operationId: 'deleteUser',
      tags,
      summary: 'Delete user',
      parameters: [USER_ID],
      responses: {
        200: jsonResponse('The user that was deleted.', user()),
        204: { description: 'There was no such user.' },
        ...errorResponses(),
      },
    })
  if (builder.scope.may(ROLE, 'find')) addRoles(builder, paths)
}

function addRoles(builder: DocumentBuilder, paths: Paths): void {
  const counted = {
    allOf: [documentSchema(builder, typeOf(builder.model, ROLE)), openObject({ nb_users: integer })],
  }
  addReadOperation(builder, paths, '/api/users-permissions/roles', {
    operationId: 'listRoles',
    tags: ['Users'],
    summary: 'List roles',
    responses: {
      200: jsonResponse(
        'The roles, and how many users have each.',
        openObject({ roles: arrayOf(counted) }, ['roles']),
      ),
      ...errorResponses(),
    },
  })
}

const PAGE = [
  queryParameter('start', 'How many users to skip.', integer),
  queryParameter('limit', 'How many users to show.', integer),
]

const USER_ID = pathParameter('id', 'The numeric id of the user.', integer)

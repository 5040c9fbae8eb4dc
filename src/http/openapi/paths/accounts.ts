/** The paths of signing in, users and roles, as far as the caller may use them. Their answers have no envelope. */
import { ROLE, typeOf, USER } from '../../../model/model.ts'
import type { Drawing } from '../document-builder.ts'
import { add, inPath, inQuery, jsonAnswer, jsonBody, type Operation, type Paths } from '../operation.ts'
import { documentSchema } from '../schemas/documents.ts'
import { userInput } from '../schemas/inputs.ts'
import { closed, integer, list, open, type Properties, type Schema, text } from '../schemas/schema.ts'
import { addRead } from './explain.ts'
import { failuresOf } from './failures.ts'
import { fields, filters, populate } from './parameters.ts'

/** Signing in and out; open to everyone, and to the signed-in where it says so. */
export function addAuthPaths(d: Drawing, paths: Paths): void {
  const { sessions, registration, confirmEmail } = d.config.auth
  const signedIn = jsonAnswer('The credential to send along, and the user.', signedInSchema(d))
  const post = (path: string, operation: Omit<Operation, 'tags'>) =>
    add(paths, `/api/auth/${path}`, 'post', { tags: ['Auth'], ...operation })
  const isUser = d.scope.principal.kind === 'user' || d.scope.principal.kind === 'system'

  post('local', {
    operationId: 'signIn',
    summary: 'Sign in',
    requestBody: texts({ identifier: 'The user name or the e-mail address.', password: '' }),
    responses: { 200: signedIn, ...failuresOf(400) },
  })
  if (registration.enabled)
    post('local/register', {
      operationId: 'register',
      summary: 'Register a new user',
      requestBody: jsonBody(registrationSchema(d)),
      responses: {
        200: confirmEmail
          ? jsonAnswer(
              'The user, who must confirm the address before signing in.',
              open({ user: ownUser(d) }),
            )
          : signedIn,
        ...failuresOf(400),
      },
    })
  post('forgot-password', {
    operationId: 'forgotPassword',
    summary: 'Ask for a code to set a new password',
    requestBody: texts({ email: '' }),
    responses: { 200: DONE, ...failuresOf(400) },
  })
  post('reset-password', {
    operationId: 'resetPassword',
    summary: 'Set a new password with a code',
    requestBody: texts({ code: 'As it came by e-mail.', password: '', passwordConfirmation: '' }),
    responses: { 200: signedIn, ...failuresOf(400) },
  })
  if (isUser)
    post('change-password', {
      operationId: 'changePassword',
      summary: 'Change your password',
      requestBody: texts({ currentPassword: '', password: '', passwordConfirmation: '' }),
      responses: { 200: signedIn, ...failuresOf(400) },
    })
  add(paths, '/api/auth/email-confirmation', 'get', {
    operationId: 'confirmEmail',
    tags: ['Auth'],
    summary: 'Confirm an e-mail address',
    parameters: [{ ...inQuery('confirmation', 'The code as it came by e-mail.'), required: true }],
    responses: {
      200: DONE,
      302: { description: 'To the page that the configuration names.' },
      ...failuresOf(400),
    },
  })
  post('send-email-confirmation', {
    operationId: 'sendEmailConfirmation',
    summary: 'Ask for the confirmation e-mail again',
    requestBody: texts({ email: '' }),
    responses: {
      200: jsonAnswer('Whether or not there is such a user.', open({ email: text, sent: { const: true } })),
      ...failuresOf(400),
    },
  })
  if (sessions === 'long-lived') return
  post('refresh', {
    operationId: 'refresh',
    summary: 'Get a new credential',
    requestBody: texts({ refreshToken: '' }),
    responses: { 200: signedIn, ...failuresOf(400) },
  })
  if (isUser)
    post('logout', {
      operationId: 'signOut',
      summary: 'Sign out',
      responses: { 200: DONE, ...failuresOf() },
    })
}

const DONE = jsonAnswer('Done.', open({ ok: { const: true } }, ['ok']))

/** A body of texts, all of them required. */
const texts = (descriptions: Readonly<Record<string, string>>) => {
  const properties = Object.entries(descriptions).map(([name, description]): [string, Schema] => [
    name,
    {
      ...text,
      ...(/password/i.test(name) ? { format: 'password' } : {}),
      ...(description ? { description } : {}),
    },
  ])
  return jsonBody(open(Object.fromEntries(properties), Object.keys(descriptions)))
}

/** The user as they see themselves: whatever their role may see of others. */
const ownUser = (d: Drawing): Schema => documentSchema(d, typeOf(d.model, USER))

const signedInSchema = (d: Drawing): Schema =>
  d.shared('SignedIn', () =>
    open(
      {
        jwt: { ...text, description: 'To be sent as `Authorization: Bearer …`.' },
        ...(d.config.auth.sessions === 'refresh' ? { refreshToken: text } : {}),
        user: ownUser(d),
      },
      ['jwt', 'user'],
    ),
  )

function registrationSchema(d: Drawing): Schema {
  const { fields: more } = d.config.auth.registration
  const own: Properties = {
    username: { ...text, minLength: 3 },
    email: { ...text, format: 'email' },
    password: { ...text, format: 'password', minLength: d.config.auth.passwordMinLength },
  }
  const added = Object.fromEntries(
    Object.entries(userInput(d, 'create').properties ?? {}).filter(([name]) => more.includes(name)),
  )
  return closed({ ...added, ...own }, ['username', 'email', 'password'])
}

/** Users and roles. A user is named by number. */
export function addUserPaths(d: Drawing, paths: Paths): void {
  const may = (action: string) => d.scope.may(USER, action)
  const type = typeOf(d.model, USER)
  const tags = ['Users']
  const user = () => documentSchema(d, type)
  const shown = () => [fields(d, type), ...populate(d, type)]
  const isUser = d.scope.principal.kind === 'user' || d.scope.principal.kind === 'system'

  if (isUser)
    addRead(d, paths, '/api/users/me', {
      operationId: 'getMe',
      tags,
      summary: 'Get the user who is signed in',
      parameters: shown(),
      responses: { 200: jsonAnswer('You.', user()), ...failuresOf(400) },
    })
  if (may('find')) {
    addRead(d, paths, '/api/users', {
      operationId: 'listUsers',
      tags,
      summary: 'List users',
      parameters: [filters(d, type), inQuery('sort', 'Fields to sort by.'), ...shown(), ...PAGE],
      responses: { 200: jsonAnswer('The users.', list(user())), ...failuresOf(400) },
    })
    addRead(d, paths, '/api/users/count', {
      operationId: 'countUsers',
      tags,
      summary: 'Count users',
      parameters: [filters(d, type)],
      responses: { 200: jsonAnswer('How many there are.', integer), ...failuresOf(400) },
    })
  }
  if (may('findOne'))
    addRead(d, paths, '/api/users/{id}', {
      operationId: 'getUser',
      tags,
      summary: 'Get user',
      parameters: [USER_ID, ...shown()],
      responses: { 200: jsonAnswer('The user.', user()), ...failuresOf(400, 404) },
    })
  if (may('create'))
    add(paths, '/api/users', 'post', {
      operationId: 'createUser',
      tags,
      summary: 'Create user',
      parameters: shown(),
      requestBody: jsonBody(userInput(d, 'create')),
      responses: { 201: jsonAnswer('The user that was made.', user()), ...failuresOf(400, 413, 415) },
    })
  if (may('update'))
    add(paths, '/api/users/{id}', 'put', {
      operationId: 'updateUser',
      tags,
      summary: 'Change user',
      parameters: [USER_ID, ...shown()],
      requestBody: jsonBody(userInput(d, 'update')),
      responses: { 200: jsonAnswer('The user.', user()), ...failuresOf(400, 404, 413, 415) },
    })
  if (may('delete'))
    add(paths, '/api/users/{id}', 'delete', {
      operationId: 'deleteUser',
      tags,
      summary: 'Delete user',
      parameters: [USER_ID],
      responses: {
        200: jsonAnswer('The user that was deleted.', user()),
        204: { description: 'There was no such user.' },
        ...failuresOf(),
      },
    })
  if (d.scope.may(ROLE, 'find')) addRoles(d, paths)
}

function addRoles(d: Drawing, paths: Paths): void {
  const counted = { allOf: [documentSchema(d, typeOf(d.model, ROLE)), open({ nb_users: integer })] }
  addRead(d, paths, '/api/users-permissions/roles', {
    operationId: 'listRoles',
    tags: ['Users'],
    summary: 'List roles',
    responses: {
      200: jsonAnswer('The roles, and how many users have each.', open({ roles: list(counted) }, ['roles'])),
      ...failuresOf(),
    },
  })
}

const PAGE = [
  inQuery('start', 'How many users to skip.', integer),
  inQuery('limit', 'How many users to show.', integer),
]

const USER_ID = inPath('id', 'The numeric id of the user.', integer)

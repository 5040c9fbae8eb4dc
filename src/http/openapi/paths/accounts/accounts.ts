/** The paths of authentication, users and roles that the caller may use. Their responses have no envelope. */
import { typeOf, USER } from '../../../../model/model.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import {
  addOperation,
  jsonBody,
  jsonResponse,
  type Operation,
  type Paths,
  pathParameter,
  queryParameter,
} from '../../operation.ts'
import { documentSchema } from '../../schemas/documents.ts'
import { userInput } from '../../schemas/inputs.ts'
import {
  arrayOf,
  closedObject,
  integer,
  openObject,
  type Properties,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { errorResponses } from '../error-responses.ts'
import { addReadOperation } from '../explain.ts'
import { fields, filters, populate } from '../parameters.ts'

export function addAuthPaths(builder: DocumentBuilder, paths: Paths): void {
  const { sessions, registration, confirmEmail } = builder.config.auth
  const signedIn = jsonResponse('The credential, and the user.', signedInSchema(builder))
  const post = (path: string, operation: Omit<Operation, 'tags'>) =>
    addOperation(paths, `/api/auth/${path}`, 'post', { tags: ['Auth'], ...operation })
  const isUser = builder.scope.principal.kind === 'user' || builder.scope.principal.kind === 'system'

  post('local', {
    operationId: 'signIn',
    summary: 'Sign in',
    requestBody: stringBody(
      { identifier: 'The user name or e-mail address.', password: '' },
      { code: 'Of the second factor, for users of the admin app who have one.' },
    ),
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
              'The user, who must confirm the e-mail address before signing in.',
              openObject({ user: ownUser(builder) }),
            )
          : signedIn,
        ...errorResponses(400),
      },
    })
  post('forgot-password', {
    operationId: 'forgotPassword',
    summary: 'Request a code to set a new password',
    requestBody: stringBody({ email: '' }),
    responses: { 200: DONE, ...errorResponses(400) },
  })
  post('reset-password', {
    operationId: 'resetPassword',
    summary: 'Set a new password with a code',
    requestBody: stringBody({ code: 'The code from the e-mail.', password: '', passwordConfirmation: '' }),
    responses: {
      200: jsonResponse(
        'The credential, and the user. Without the credential if the user has a second factor.',
        { anyOf: [signedInSchema(builder), openObject({ user: ownUser(builder) }, ['user'])] },
      ),
      ...errorResponses(400),
    },
  })
  if (isUser)
    post('change-password', {
      operationId: 'changePassword',
      summary: 'Change your password',
      requestBody: stringBody({ currentPassword: '', password: '', passwordConfirmation: '' }),
      responses: { 200: signedIn, ...errorResponses(400) },
    })
  addOperation(paths, '/api/auth/email-confirmation', 'get', {
    operationId: 'confirmEmail',
    tags: ['Auth'],
    summary: 'Confirm an e-mail address',
    description: 'The link in the e-mail. Browsers, which accept `text/html`, get a page instead of JSON.',
    parameters: [{ ...queryParameter('confirmation', 'The code from the e-mail.'), required: true }],
    responses: {
      200: DONE,
      302: { description: 'Redirects to the configured page.' },
      ...errorResponses(400),
    },
  })
  post('send-email-confirmation', {
    operationId: 'sendEmailConfirmation',
    summary: 'Request the confirmation e-mail again',
    requestBody: stringBody({ email: '' }),
    responses: {
      200: jsonResponse(
        'The same response whether the user exists or not.',
        openObject({ email: string, sent: { const: true } }),
      ),
      ...errorResponses(400),
    },
  })
  if (sessions === 'long-lived') return
  post('refresh', {
    operationId: 'refresh',
    summary: 'Get a new credential with a refresh token',
    requestBody: stringBody({ refreshToken: '' }),
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

/** A body of strings, required and optional ones with their descriptions. */
const stringBody = (
  required: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
) => {
  const descriptions = Object.entries({ ...required, ...optional })
  const properties = descriptions.map(([name, description]): [string, Schema] => [
    name,
    {
      ...string,
      ...(/password/i.test(name) ? { format: 'password' } : {}),
      ...(description ? { description } : {}),
    },
  ])
  return jsonBody(openObject(Object.fromEntries(properties), Object.keys(required)))
}

/** Users see the same attributes of themselves as of others. */
const ownUser = (builder: DocumentBuilder): Schema => documentSchema(builder, typeOf(builder.model, USER))

const signedInSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('SignedIn', () =>
    openObject(
      {
        jwt: { ...string, description: 'Send it as `Authorization: Bearer …`.' },
        ...(builder.config.auth.sessions === 'refresh' ? { refreshToken: string } : {}),
        user: ownUser(builder),
      },
      ['jwt', 'user'],
    ),
  )

function registrationSchema(builder: DocumentBuilder): Schema {
  const { fields: extraFields } = builder.config.auth.registration
  const own: Properties = {
    username: { ...string, minLength: 3 },
    email: { ...string, format: 'email' },
    password: { ...string, format: 'password', minLength: builder.config.auth.password.minLength },
  }
  const extra = Object.fromEntries(
    Object.entries(userInput(builder, 'create').properties ?? {}).filter(([name]) =>
      extraFields.includes(name),
    ),
  )
  return closedObject({ ...extra, ...own }, ['username', 'email', 'password'])
}

export function addUserPaths(builder: DocumentBuilder, paths: Paths): void {
  const may = (action: string) => builder.scope.may(USER, action)
  const type = typeOf(builder.model, USER)
  const tags = ['Users']
  const user = () => documentSchema(builder, type)
  const responseParameters = () => [fields(builder, type), ...populate(builder, type)]
  const isUser = builder.scope.principal.kind === 'user' || builder.scope.principal.kind === 'system'

  if (isUser)
    addReadOperation(builder, paths, '/api/users/me', {
      operationId: 'getMe',
      tags,
      summary: 'Get the signed-in user',
      parameters: responseParameters(),
      responses: { 200: jsonResponse('The signed-in user.', user()), ...errorResponses(400) },
    })
  if (may('find')) {
    addReadOperation(builder, paths, '/api/users', {
      operationId: 'listUsers',
      tags,
      summary: 'List users',
      parameters: [
        filters(builder, type),
        queryParameter('sort', 'Fields to sort by.'),
        ...responseParameters(),
        ...PAGE,
      ],
      responses: { 200: jsonResponse('The users.', arrayOf(user())), ...errorResponses(400) },
    })
    addReadOperation(builder, paths, '/api/users/count', {
      operationId: 'countUsers',
      tags,
      summary: 'Count users',
      parameters: [filters(builder, type)],
      responses: { 200: jsonResponse('The number of users.', integer), ...errorResponses(400) },
    })
  }
  if (may('findOne'))
    addReadOperation(builder, paths, '/api/users/{id}', {
      operationId: 'getUser',
      tags,
      summary: 'Get user',
      parameters: [USER_ID, ...responseParameters()],
      responses: { 200: jsonResponse('The user.', user()), ...errorResponses(400, 404) },
    })
  if (may('create'))
    addOperation(paths, '/api/users', 'post', {
      operationId: 'createUser',
      tags,
      summary: 'Create user',
      parameters: responseParameters(),
      requestBody: jsonBody(userInput(builder, 'create')),
      responses: { 201: jsonResponse('The created user.', user()), ...errorResponses(400, 413, 415) },
    })
  if (may('update'))
    addOperation(paths, '/api/users/{id}', 'put', {
      operationId: 'updateUser',
      tags,
      summary: 'Update user',
      parameters: [USER_ID, ...responseParameters()],
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
        200: jsonResponse('The deleted user.', user()),
        204: { description: 'The user did not exist.' },
        ...errorResponses(),
      },
    })
}

const PAGE = [
  queryParameter('start', 'The number of users to skip.', integer),
  queryParameter('limit', 'The number of users to return.', integer),
]

const USER_ID = pathParameter('id', 'The numeric id of the user.', integer)

/** The paths of the admin API for the users who are not in the team. */
import type { DocumentBuilder } from '../../document-builder.ts'
import { pathParameter, queryParameter } from '../../operation.ts'
import { arrayOf, boolean, dateTime, integer, nullable, openObject, string } from '../../schemas/schema.ts'
import { type AddAdminOperation, adminBody, adminResponse, DONE } from '../admin-operation.ts'
import { errorResponses } from '../error-responses.ts'
import { pagination } from '../parameters.ts'

const PAGE = openObject({ page: integer, pageSize: integer, pageCount: integer, total: integer }, [
  ...['page', 'pageSize', 'pageCount', 'total'],
])

export function addEndUserPaths(builder: DocumentBuilder, add: AddAdminOperation): void {
  const values = {
    ...{ username: string, email: { ...string, format: 'email' }, confirmed: boolean, blocked: boolean },
  }
  const user = builder.sharedSchema('AdminEndUser', () =>
    openObject(
      {
        ...{ id: integer, documentId: string, ...values, createdAt: dateTime },
        role: nullable(openObject({ type: string, name: string }, ['type', 'name'])),
      },
      ['id', 'documentId', 'username', 'email', 'confirmed', 'blocked', 'createdAt', 'role'],
    ),
  )
  const input = {
    ...values,
    password: { ...string, format: 'password', writeOnly: true },
    role: {
      ...string,
      description: 'The type of the role. A role of the admin app makes the user part of the team.',
    },
  }
  const id = pathParameter('id', 'The id of the user.', integer)
  add('/end-users', 'get', {
    operationId: 'listEndUsers',
    summary: 'List the users who are not in the team',
    parameters: [
      queryParameter('_q', 'Search for users whose name or e-mail address contains this.', string),
      ...pagination(builder),
    ],
    responses: {
      200: adminResponse(
        'The newest first.',
        arrayOf(user),
        openObject({ pagination: PAGE }, ['pagination']),
      ),
      ...errorResponses(400),
    },
  })
  add('/end-users', 'post', {
    operationId: 'createEndUser',
    summary: 'Create a user; the e-mail address counts as confirmed unless the values say otherwise',
    requestBody: adminBody(openObject(input, ['username', 'email', 'password', 'role'])),
    responses: { 201: adminResponse('The user.', user), ...errorResponses(400) },
  })
  add('/end-users/{id}', 'put', {
    operationId: 'updateEndUser',
    summary: 'Change a user. Blocking or a new password ends their sessions',
    parameters: [id],
    requestBody: adminBody(openObject(input)),
    responses: { 200: adminResponse('The user.', user), ...errorResponses(400, 404) },
  })
  add('/end-users/{id}', 'delete', {
    operationId: 'deleteEndUser',
    summary: 'Delete a user',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

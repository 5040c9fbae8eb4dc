/** The paths of roles, permissions and the model under `/api/users-permissions` and `/api/content-type-builder`. */
import { COMPONENTS, CONTENT_TYPES } from '../../../../access/roles/permissions.ts'
import { ROLE, typeOf } from '../../../../model/model.ts'
import type { DocumentBuilder } from '../../document-builder.ts'
import { addOperation, jsonBody, jsonResponse, type Paths, pathParameter } from '../../operation.ts'
import { documentSchema } from '../../schemas/documents.ts'
import {
  arrayOf,
  boolean,
  closedObject,
  integer,
  openObject,
  type Schema,
  string,
} from '../../schemas/schema.ts'
import { errorResponses } from '../error-responses.ts'
import { addReadOperation } from '../explain.ts'

const ROLES = '/api/users-permissions/roles'
const tags = ['Users']

export function addRolePaths(builder: DocumentBuilder, paths: Paths): void {
  const may = (action: string) => builder.scope.may(ROLE, action)
  const role = (more: Readonly<Record<string, Schema>>) => ({
    allOf: [documentSchema(builder, typeOf(builder.model, ROLE)), openObject(more)],
  })
  const done = jsonResponse('The change was made.', openObject({ ok: boolean }, ['ok']))
  if (may('find'))
    addReadOperation(builder, paths, ROLES, {
      operationId: 'listRoles',
      tags,
      summary: 'List roles',
      responses: {
        200: jsonResponse(
          'The roles, each with its number of users.',
          openObject({ roles: arrayOf(role({ nb_users: integer })) }, ['roles']),
        ),
        ...errorResponses(),
      },
    })
  if (may('findOne'))
    addOperation(paths, `${ROLES}/{id}`, 'get', {
      operationId: 'getUserRole',
      tags,
      summary: 'Get role',
      parameters: [ROLE_ID],
      responses: {
        200: jsonResponse(
          'The role with its permissions.',
          openObject({ role: role({ permissions: TREE }) }, ['role']),
        ),
        ...errorResponses(404),
      },
    })
  if (may('create'))
    addOperation(paths, ROLES, 'post', {
      operationId: 'createUserRole',
      tags,
      summary: 'Create role',
      requestBody: jsonBody(closedObject(INPUT, ['name'])),
      responses: { 200: done, ...errorResponses(400, 413, 415) },
    })
  if (may('update'))
    addOperation(paths, `${ROLES}/{id}`, 'put', {
      operationId: 'updateUserRole',
      tags,
      summary: 'Update role',
      parameters: [ROLE_ID],
      requestBody: jsonBody(closedObject(INPUT)),
      responses: { 200: done, ...errorResponses(400, 404, 413, 415) },
    })
  if (may('delete'))
    addOperation(paths, `${ROLES}/{id}`, 'delete', {
      operationId: 'deleteUserRole',
      tags,
      summary: 'Delete role',
      description: 'Its users get the public role.',
      parameters: [ROLE_ID],
      responses: { 200: done, ...errorResponses(400, 404) },
    })
  if (may('getPermissions'))
    addOperation(paths, '/api/users-permissions/permissions', 'get', {
      operationId: 'getOwnPermissions',
      tags,
      summary: 'Get your own permissions',
      responses: {
        200: jsonResponse('What you may do.', openObject({ permissions: TREE }, ['permissions'])),
        ...errorResponses(),
      },
    })
  addModelPaths(builder, paths, CONTENT_TYPES, 'content-types', 'content-type')
  addModelPaths(builder, paths, COMPONENTS, 'components', 'component')
}

function addModelPaths(
  { scope }: DocumentBuilder,
  paths: Paths,
  permission: string,
  path: string,
  name: string,
): void {
  const schema = openObject({ uid: string, schema: { type: 'object' } }, ['uid', 'schema'])
  const title = name === 'component' ? 'Component' : 'ContentType'
  if (scope.may(permission, 'find'))
    addOperation(paths, `/api/content-type-builder/${path}`, 'get', {
      operationId: `listModel${title}s`,
      tags: ['Content-types'],
      summary: `List ${name}s`,
      responses: {
        200: jsonResponse(
          `The ${name}s with their attributes.`,
          openObject({ data: arrayOf(schema) }, ['data']),
        ),
        ...errorResponses(),
      },
    })
  if (scope.may(permission, 'findOne'))
    addOperation(paths, `/api/content-type-builder/${path}/{uid}`, 'get', {
      operationId: `getModel${title}`,
      tags: ['Content-types'],
      summary: `Get ${name}`,
      parameters: [pathParameter('uid', `The uid of the ${name}.`)],
      responses: {
        200: jsonResponse(`The ${name}.`, openObject({ data: schema }, ['data'])),
        ...errorResponses(404),
      },
    })
}

const TREE: Schema = {
  type: 'object',
  description:
    'Groups, such as `api::note`, with `controllers`, their actions, and `enabled` for each action.',
}

const INPUT = {
  name: string,
  description: string,
  permissions: {
    ...TREE,
    type: ['object', 'array'],
    description: `${TREE.description} Replaces all permissions of the role that have a name.`,
  },
}

const ROLE_ID = pathParameter('id', 'The numeric id or the documentId of the role.')

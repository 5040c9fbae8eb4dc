/** The paths of the admin API, except those that change content-types. */
import { TOKEN_KINDS } from '../../../access/tokens/token.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import { addOperation, type Method, type Paths, pathParameter } from '../operation.ts'
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
import { addEndUserPaths } from './admin/end-users.ts'
import { addLocalePaths } from './admin/locales.ts'
import { addReleasePaths } from './admin/releases.ts'
import { addRoleCheckPaths } from './admin/role-checks.ts'
import { addWebhookPaths } from './admin/webhooks.ts'
import { addAdminAppPaths } from './admin-app.ts'
import {
  type AddAdminOperation,
  type AdminOperation,
  adminBody,
  adminResponse,
  DONE,
} from './admin-operation.ts'
import { addOperationPaths } from './admin-operations.ts'
import { addSchemaPaths } from './admin-schemas.ts'
import { errorResponses } from './error-responses.ts'
import { withExplain } from './explain.ts'
import { addSchedulePaths } from './schedules.ts'

export function addAdminPaths(builder: DocumentBuilder, paths: Paths): void {
  const addTo = (tag: string) => (path: string, method: Method, operation: AdminOperation) =>
    addOperation(paths, `${builder.config.admin.path}/api${path}`, method, { tags: [tag], ...operation })
  addTokens(builder, addTo('Admin: tokens'))
  addRoles(builder, addTo('Admin: roles'))
  addRoleCheckPaths(builder, addTo('Admin: roles'), permissions(builder))
  addAdmins(builder, addTo('Admin: admins'))
  addEndUserPaths(builder, addTo('Admin: end users'))
  addSchemaPaths(builder, addTo('Admin: content-types'))
  addLocalePaths(addTo('Admin: locales'))
  addProject(addTo('Admin: project'))
  addSchedulePaths(builder, addTo('Admin: schedules'))
  addWebhookPaths(builder, addTo('Admin: webhooks'))
  addOperationPaths(builder, addTo)
  addReleasePaths(builder, addTo('Admin: releases'))
  if (builder.config.admin.enabled) addAdminAppPaths(builder, addTo)
}

function addTokens(builder: DocumentBuilder, add: AddAdminOperation): void {
  const token = builder.sharedSchema('AdminToken', () =>
    openObject(
      {
        id: integer,
        name: string,
        type: { type: 'string', enum: TOKEN_KINDS },
        permissions: nullable(permissions(builder)),
        source: { type: 'string', enum: ['config', 'made'] },
        createdAt: dateTime,
        expiresAt: nullable(dateTime),
        lastUsedAt: nullable(dateTime),
      },
      ['id', 'name', 'type', 'permissions', 'source', 'createdAt', 'expiresAt', 'lastUsedAt'],
    ),
  )
  const withSecret = { allOf: [token, openObject({ token: string }, ['token'])] }
  add('/tokens', 'get', {
    operationId: 'listTokens',
    summary: 'List API tokens',
    responses: {
      200: adminResponse('The tokens that are not revoked, without their secrets.', arrayOf(token)),
      ...errorResponses(),
    },
  })
  add('/tokens', 'post', {
    operationId: 'createToken',
    summary: 'Create an API token',
    requestBody: adminBody(
      openObject(
        {
          name: string,
          type: { type: 'string', enum: TOKEN_KINDS },
          permissions: { ...permissions(builder), description: 'For tokens of type custom.' },
          expiresAt: nullable(dateTime),
        },
        ['name', 'type'],
      ),
    ),
    responses: {
      201: adminResponse('The token with its secret, which is not shown again.', withSecret),
      ...errorResponses(400),
    },
  })
  add('/tokens/{id}/regenerate', 'post', {
    operationId: 'regenerateToken',
    summary: 'Replace the secret of an API token',
    description:
      'The former secret is refused immediately. Without expiresAt, the token is valid as long as before.',
    parameters: [pathParameter('id', 'The id of the token.')],
    requestBody: { ...adminBody(openObject({ expiresAt: nullable(dateTime) })), required: false },
    responses: {
      200: adminResponse('The token with its new secret, which is not shown again.', withSecret),
      ...errorResponses(400, 404),
    },
  })
  add('/tokens/{id}', 'delete', {
    operationId: 'revokeToken',
    summary: 'Revoke an API token',
    parameters: [pathParameter('id', 'The id or name of the token.')],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

/** Actions by content-type, optionally restricted to some documents and fields. */
const permissions = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminPermissions', () => ({
    type: 'object',
    additionalProperties: permissionList(),
  }))

function permissionList(): Schema {
  const restricted = openObject({ action: string, filters: { type: 'object' }, fields: arrayOf(string) }, [
    'action',
  ])
  return arrayOf({ anyOf: [string, restricted] })
}

function addRoles(builder: DocumentBuilder, add: AddAdminOperation): void {
  const role = builder.sharedSchema('AdminRole', () =>
    openObject(
      {
        ...{ id: integer, documentId: string, name: string, description: nullable(string), type: string },
        ...{ createdAt: dateTime, updatedAt: dateTime, publishedAt: nullable(dateTime) },
        users: { ...integer, description: 'The number of users with this role.' },
        access: {
          ...nullable({ type: 'string', enum: ['app', 'admin'] }),
          description: 'Whether its users may sign in to the admin app, and whether they are admins.',
        },
        builtIn: { ...boolean, description: 'Built-in roles cannot be deleted.' },
        configured: arrayOf(
          string,
          'The content-types whose permissions the configuration sets at each start.',
        ),
        permissions: permissions(builder),
      },
      [
        'id',
        'documentId',
        'name',
        'description',
        'type',
        'users',
        'access',
        'builtIn',
        'configured',
        'permissions',
      ],
    ),
  )
  const type = pathParameter('type', 'The type of the role, such as `authenticated`.')
  add(
    '/roles',
    'get',
    withExplain(builder, {
      operationId: 'listRolesWithPermissions',
      summary: 'List roles with their permissions',
      responses: { 200: adminResponse('All roles.', arrayOf(role)), ...errorResponses() },
    }),
  )
  add('/roles', 'post', {
    operationId: 'createRole',
    summary: 'Create a role',
    requestBody: adminBody(
      openObject({ type: string, name: string, description: nullable(string) }, ['type', 'name']),
    ),
    responses: { 201: adminResponse('The role, without permissions.', role), ...errorResponses(400) },
  })
  add(
    '/roles/{type}',
    'get',
    withExplain(builder, {
      operationId: 'getRoleWithPermissions',
      summary: 'Get a role',
      parameters: [type],
      responses: { 200: adminResponse('The role.', role), ...errorResponses(404) },
    }),
  )
  const untilRestart = arrayOf(
    string,
    'Content-types whose permissions are set in the configuration, which applies again at the next start.',
  )
  add('/roles/{type}', 'put', {
    operationId: 'updateRole',
    summary: 'Rename a role, or set its permissions for the given content-types',
    parameters: [type],
    requestBody: adminBody(
      openObject({
        name: string,
        description: nullable(string),
        permissions: {
          type: 'object',
          additionalProperties: nullable(permissionList()),
          description: 'null removes the permissions of a content-type, so that those of `*` apply to it.',
        },
      }),
    ),
    responses: {
      200: adminResponse('The updated role.', role, openObject({ untilRestart }, ['untilRestart'])),
      ...errorResponses(400, 404),
    },
  })
  add('/roles/{type}', 'delete', {
    operationId: 'deleteRole',
    summary: 'Delete a role',
    parameters: [type],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

function addAdmins(builder: DocumentBuilder, add: AddAdminOperation): void {
  const values = {
    ...{ username: string, email: { ...string, format: 'email' }, confirmed: boolean, blocked: boolean },
  }
  const admin = builder.sharedSchema('Admin', () =>
    openObject({ id: integer, documentId: string, ...values, role: nullable(string) }, [
      'id',
      'documentId',
      'username',
    ]),
  )
  const input = { ...values, password: { ...string, format: 'password', writeOnly: true } }
  const id = pathParameter('id', 'The numeric id of the admin.')
  add('/users', 'get', {
    operationId: 'listAdmins',
    summary: 'List admins',
    responses: { 200: adminResponse('All admins.', arrayOf(admin)), ...errorResponses() },
  })
  add('/users', 'post', {
    operationId: 'createAdmin',
    summary: 'Create an admin',
    requestBody: adminBody(openObject(input, ['username', 'email', 'password'])),
    responses: { 201: adminResponse('The admin.', admin), ...errorResponses(400) },
  })
  add('/users/{id}', 'put', {
    operationId: 'updateAdmin',
    summary: 'Update an admin',
    parameters: [id],
    requestBody: adminBody(openObject(input)),
    responses: { 200: adminResponse('The admin.', admin), ...errorResponses(400, 404) },
  })
  add('/users/{id}', 'delete', {
    operationId: 'deleteAdmin',
    summary: 'Delete an admin',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
  add('/users/{id}/demote', 'post', {
    operationId: 'demoteAdmin',
    summary: 'Remove admin rights from a user',
    parameters: [id],
    responses: { 200: adminResponse('The user.', admin), ...errorResponses(400, 404) },
  })
}

function addProject(add: AddAdminOperation): void {
  add('/settings', 'get', {
    operationId: 'getSettings',
    summary: 'Get the settings of the project',
    responses: {
      200: adminResponse('The settings, without secrets.', { type: 'object' }),
      ...errorResponses(),
    },
  })
  const about = openObject(
    {
      ...{ version: string, node: string, database: { type: 'string', enum: ['sqlite', 'postgres'] } },
      ...{ project: nullable(string), production: boolean },
    },
    ['version', 'node', 'database', 'project', 'production'],
  )
  add('/about', 'get', {
    operationId: 'getAbout',
    summary: 'Get the versions of the server, and its database engine',
    responses: { 200: adminResponse('What runs the project.', about), ...errorResponses() },
  })
}

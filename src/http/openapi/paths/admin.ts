/** The paths of the admin interface. Only the document of somebody who may use it has them. */
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
import {
  type AddAdminOperation,
  type AdminOperation,
  adminBody,
  adminResponse,
  DONE,
} from './admin-operation.ts'
import { addSchemaPaths } from './admin-schemas.ts'
import { errorResponses } from './error-responses.ts'
import { withExplain } from './explain.ts'

export function addAdminPaths(builder: DocumentBuilder, paths: Paths): void {
  const tell = (tag: string) => (path: string, method: Method, operation: AdminOperation) =>
    addOperation(paths, `/admin/api${path}`, method, { tags: [tag], ...operation })
  addTokens(builder, tell('Admin: tokens'))
  addRoles(builder, tell('Admin: roles'))
  addAdmins(builder, tell('Admin: admins'))
  addSchemaPaths(builder, tell('Admin: content-types'))
  addProject(tell('Admin: project'))
}

function addTokens(builder: DocumentBuilder, tell: AddAdminOperation): void {
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
      ['id', 'name', 'type'],
    ),
  )
  tell('/tokens', 'get', {
    operationId: 'listTokens',
    summary: 'List API tokens',
    responses: {
      200: adminResponse('Those that are not revoked, without the tokens themselves.', arrayOf(token)),
      ...errorResponses(),
    },
  })
  tell('/tokens', 'post', {
    operationId: 'createToken',
    summary: 'Make an API token',
    requestBody: adminBody(
      openObject(
        {
          name: string,
          type: { type: 'string', enum: TOKEN_KINDS },
          permissions: { ...permissions(builder), description: 'For the type custom.' },
          expiresAt: nullable(dateTime),
        },
        ['name', 'type'],
      ),
    ),
    responses: {
      201: adminResponse('The token; this answer is the only one that shows it.', {
        allOf: [token, openObject({ token: string }, ['token'])],
      }),
      ...errorResponses(400),
    },
  })
  tell('/tokens/{id}', 'delete', {
    operationId: 'revokeToken',
    summary: 'Revoke an API token',
    parameters: [pathParameter('id', 'Its id or its name.')],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

/** Actions by content-type, each plain or narrowed to some documents and fields. */
const permissions = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('AdminPermissions', () => {
    const narrowed = openObject({ action: string, filters: { type: 'object' }, fields: arrayOf(string) }, [
      'action',
    ])
    return { type: 'object', additionalProperties: arrayOf({ anyOf: [string, narrowed] }) }
  })

function addRoles(builder: DocumentBuilder, tell: AddAdminOperation): void {
  const role = builder.sharedSchema('AdminRole', () =>
    openObject(
      {
        ...{ id: integer, documentId: string, name: string, description: nullable(string), type: string },
        users: { ...integer, description: 'How many have it.' },
        permissions: permissions(builder),
      },
      ['documentId', 'name', 'type', 'users', 'permissions'],
    ),
  )
  const type = pathParameter('type', 'By what the configuration and permissions know the role.')
  tell(
    '/roles',
    'get',
    withExplain(builder, {
      operationId: 'listRolesWithPermissions',
      summary: 'List roles with what they may do',
      responses: { 200: adminResponse('All roles.', arrayOf(role)), ...errorResponses() },
    }),
  )
  tell('/roles', 'post', {
    operationId: 'createRole',
    summary: 'Make a role',
    requestBody: adminBody(
      openObject({ type: string, name: string, description: nullable(string) }, ['type', 'name']),
    ),
    responses: { 201: adminResponse('The role, which may do nothing yet.', role), ...errorResponses(400) },
  })
  tell(
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
    'Content-types that the configuration governs: there it holds until the next start.',
  )
  tell('/roles/{type}', 'put', {
    operationId: 'updateRole',
    summary: 'Change what a role may do with the content-types named',
    parameters: [type],
    requestBody: adminBody(openObject({ permissions: permissions(builder) }, ['permissions'])),
    responses: {
      200: adminResponse('The role as it is now.', role, openObject({ untilRestart }, ['untilRestart'])),
      ...errorResponses(400, 404),
    },
  })
  tell('/roles/{type}', 'delete', {
    operationId: 'deleteRole',
    summary: 'Remove a role',
    parameters: [type],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
}

function addAdmins(builder: DocumentBuilder, tell: AddAdminOperation): void {
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
  const written = { ...values, password: { ...string, format: 'password', writeOnly: true } }
  const id = pathParameter('id', 'The numeric id of the admin.')
  tell('/users', 'get', {
    operationId: 'listAdmins',
    summary: 'List admins',
    responses: { 200: adminResponse('All admins.', arrayOf(admin)), ...errorResponses() },
  })
  tell('/users', 'post', {
    operationId: 'createAdmin',
    summary: 'Make an admin',
    requestBody: adminBody(openObject(written, ['username', 'email', 'password'])),
    responses: { 201: adminResponse('The admin.', admin), ...errorResponses(400) },
  })
  tell('/users/{id}', 'put', {
    operationId: 'updateAdmin',
    summary: 'Change an admin',
    parameters: [id],
    requestBody: adminBody(openObject(written)),
    responses: { 200: adminResponse('The admin.', admin), ...errorResponses(400, 404) },
  })
  tell('/users/{id}', 'delete', {
    operationId: 'deleteAdmin',
    summary: 'Remove an admin',
    parameters: [id],
    responses: { 204: DONE, ...errorResponses(400, 404) },
  })
  tell('/users/{id}/demote', 'post', {
    operationId: 'demoteAdmin',
    summary: 'Make an admin a user like others',
    parameters: [id],
    responses: { 200: adminResponse('The user.', admin), ...errorResponses(400, 404) },
  })
}

function addProject(tell: AddAdminOperation): void {
  const locale = openObject({ code: string, isDefault: boolean }, ['code', 'isDefault'])
  tell('/locales', 'get', {
    operationId: 'listConfiguredLocales',
    summary: 'List the locales of the project',
    responses: { 200: adminResponse('The locales.', arrayOf(locale)), ...errorResponses() },
  })
  tell('/settings', 'get', {
    operationId: 'getSettings',
    summary: 'Get the settings of the project',
    responses: {
      200: adminResponse('Without the secrets among them.', { type: 'object' }),
      ...errorResponses(),
    },
  })
}

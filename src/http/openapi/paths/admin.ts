/** The paths of the admin interface. Only the document of somebody who may use it has them. */
import { TOKEN_KINDS } from '../../../access/tokens/token.ts'
import type { Drawing } from '../document-builder.ts'
import { add, inPath, type Method, type Paths } from '../operation.ts'
import { boolean, instant, integer, list, nullable, open, type Schema, text } from '../schemas/schema.ts'
import { addSchemaPaths } from './admin-schemas.ts'
import { answer, body, DONE, type Tell, type Told } from './admin-shapes.ts'
import { explainable } from './explain.ts'
import { failuresOf } from './failures.ts'

export function addAdminPaths(d: Drawing, paths: Paths): void {
  const tell = (tag: string) => (path: string, method: Method, operation: Told) =>
    add(paths, `/admin/api${path}`, method, { tags: [tag], ...operation })
  addTokens(d, tell('Admin: tokens'))
  addRoles(d, tell('Admin: roles'))
  addAdmins(d, tell('Admin: admins'))
  addSchemaPaths(d, tell('Admin: content-types'))
  addProject(tell('Admin: project'))
}

function addTokens(d: Drawing, tell: Tell): void {
  const token = d.shared('AdminToken', () =>
    open(
      {
        id: integer,
        name: text,
        type: { type: 'string', enum: TOKEN_KINDS },
        permissions: nullable(permissions(d)),
        source: { type: 'string', enum: ['config', 'made'] },
        createdAt: instant,
        expiresAt: nullable(instant),
        lastUsedAt: nullable(instant),
      },
      ['id', 'name', 'type'],
    ),
  )
  tell('/tokens', 'get', {
    operationId: 'listTokens',
    summary: 'List API tokens',
    responses: {
      200: answer('Those that are not revoked, without the tokens themselves.', list(token)),
      ...failuresOf(),
    },
  })
  tell('/tokens', 'post', {
    operationId: 'createToken',
    summary: 'Make an API token',
    requestBody: body(
      open(
        {
          name: text,
          type: { type: 'string', enum: TOKEN_KINDS },
          permissions: { ...permissions(d), description: 'For the type custom.' },
          expiresAt: nullable(instant),
        },
        ['name', 'type'],
      ),
    ),
    responses: {
      201: answer('The token; this answer is the only one that shows it.', {
        allOf: [token, open({ token: text }, ['token'])],
      }),
      ...failuresOf(400),
    },
  })
  tell('/tokens/{id}', 'delete', {
    operationId: 'revokeToken',
    summary: 'Revoke an API token',
    parameters: [inPath('id', 'Its id or its name.')],
    responses: { 204: DONE, ...failuresOf(400, 404) },
  })
}

/** Actions by content-type, each plain or narrowed to some documents and fields. */
const permissions = (d: Drawing): Schema =>
  d.shared('AdminPermissions', () => {
    const narrowed = open({ action: text, filters: { type: 'object' }, fields: list(text) }, ['action'])
    return { type: 'object', additionalProperties: list({ anyOf: [text, narrowed] }) }
  })

function addRoles(d: Drawing, tell: Tell): void {
  const role = d.shared('AdminRole', () =>
    open(
      {
        ...{ id: integer, documentId: text, name: text, description: nullable(text), type: text },
        users: { ...integer, description: 'How many have it.' },
        permissions: permissions(d),
      },
      ['documentId', 'name', 'type', 'users', 'permissions'],
    ),
  )
  const type = inPath('type', 'By what the configuration and permissions know the role.')
  tell(
    '/roles',
    'get',
    explainable(d, {
      operationId: 'listRolesWithPermissions',
      summary: 'List roles with what they may do',
      responses: { 200: answer('All roles.', list(role)), ...failuresOf() },
    }),
  )
  tell('/roles', 'post', {
    operationId: 'createRole',
    summary: 'Make a role',
    requestBody: body(open({ type: text, name: text, description: nullable(text) }, ['type', 'name'])),
    responses: { 201: answer('The role, which may do nothing yet.', role), ...failuresOf(400) },
  })
  tell(
    '/roles/{type}',
    'get',
    explainable(d, {
      operationId: 'getRoleWithPermissions',
      summary: 'Get a role',
      parameters: [type],
      responses: { 200: answer('The role.', role), ...failuresOf(404) },
    }),
  )
  const untilRestart = list(
    text,
    'Content-types that the configuration governs: there it holds until the next start.',
  )
  tell('/roles/{type}', 'put', {
    operationId: 'updateRole',
    summary: 'Change what a role may do with the content-types named',
    parameters: [type],
    requestBody: body(open({ permissions: permissions(d) }, ['permissions'])),
    responses: {
      200: answer('The role as it is now.', role, open({ untilRestart }, ['untilRestart'])),
      ...failuresOf(400, 404),
    },
  })
  tell('/roles/{type}', 'delete', {
    operationId: 'deleteRole',
    summary: 'Remove a role',
    parameters: [type],
    responses: { 204: DONE, ...failuresOf(400, 404) },
  })
}

function addAdmins(d: Drawing, tell: Tell): void {
  const values = {
    ...{ username: text, email: { ...text, format: 'email' }, confirmed: boolean, blocked: boolean },
  }
  const admin = d.shared('Admin', () =>
    open({ id: integer, documentId: text, ...values, role: nullable(text) }, [
      'id',
      'documentId',
      'username',
    ]),
  )
  const written = { ...values, password: { ...text, format: 'password', writeOnly: true } }
  const id = inPath('id', 'The numeric id of the admin.')
  tell('/users', 'get', {
    operationId: 'listAdmins',
    summary: 'List admins',
    responses: { 200: answer('All admins.', list(admin)), ...failuresOf() },
  })
  tell('/users', 'post', {
    operationId: 'createAdmin',
    summary: 'Make an admin',
    requestBody: body(open(written, ['username', 'email', 'password'])),
    responses: { 201: answer('The admin.', admin), ...failuresOf(400) },
  })
  tell('/users/{id}', 'put', {
    operationId: 'updateAdmin',
    summary: 'Change an admin',
    parameters: [id],
    requestBody: body(open(written)),
    responses: { 200: answer('The admin.', admin), ...failuresOf(400, 404) },
  })
  tell('/users/{id}', 'delete', {
    operationId: 'deleteAdmin',
    summary: 'Remove an admin',
    parameters: [id],
    responses: { 204: DONE, ...failuresOf(400, 404) },
  })
  tell('/users/{id}/demote', 'post', {
    operationId: 'demoteAdmin',
    summary: 'Make an admin a user like others',
    parameters: [id],
    responses: { 200: answer('The user.', admin), ...failuresOf(400, 404) },
  })
}

function addProject(tell: Tell): void {
  const locale = open({ code: text, isDefault: boolean }, ['code', 'isDefault'])
  tell('/locales', 'get', {
    operationId: 'listConfiguredLocales',
    summary: 'List the locales of the project',
    responses: { 200: answer('The locales.', list(locale)), ...failuresOf() },
  })
  tell('/settings', 'get', {
    operationId: 'getSettings',
    summary: 'Get the settings of the project',
    responses: { 200: answer('Without the secrets among them.', { type: 'object' }), ...failuresOf() },
  })
}

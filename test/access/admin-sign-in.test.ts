/** Signed-in admins: what they may do, and that only admins can create or change admins. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { StartError } from '../../src/store/errors.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import {
  giveRole,
  type Method,
  type RequestOptions,
  request,
  sentCodes,
  signIn,
  signUp,
  type TestUser,
} from './client.ts'
import { PROJECT, ROLES, TOKENS } from './project.ts'

const USER = 'plugin::users-permissions.user'
const EVERYTHING = ['role', 'username', 'email', 'password', 'blocked', 'confirmed', 'provider', 'nickname']

/** The project, with a role that has every permission on users that a role can have. */
const WITH_STAFF = new Map(PROJECT).set('config/roles.json', {
  ...ROLES,
  staff: {
    'plugin::users-permissions.role': ['find'],
    [USER]: [
      ...['find', 'findOne', 'delete'],
      { action: 'create', fields: EVERYTHING },
      { action: 'update', fields: EVERYTHING },
    ],
  },
})

onEachEngine((engine) => {
  let url: string
  let running: TestServer
  let token: string
  let adminRole: string
  let chief: TestUser
  let staff: TestUser

  const send = (method: Method, path: string, options: RequestOptions = {}) =>
    request(running.server, method, path, options)
  const status = async (method: Method, path: string, options: RequestOptions = {}) =>
    (await send(method, path, options)).status
  const adminStatus = (as: string) => status('GET', '/admin/api/tokens', { as })
  const roleOf = async ({ documentId }: TestUser) =>
    (await running.server.access.accounts.byDocumentId(documentId))?.role

  /** Creates an admin and signs them in. */
  async function newAdmin(username: string): Promise<TestUser> {
    const email = `${username}@example.test`
    const password = `${username}-Passw0rd`
    const body = { data: { username, email, password } }
    const made = await send('POST', '/admin/api/users', { as: token, body })
    assert.equal(made.status, 201, made.text)
    const response = await signIn(running.server, username, password)
    return {
      ...{ username, email, password, refreshToken: '' },
      jwt: String(response.at('jwt')),
      id: Number(made.at('data', 'id')),
      documentId: String(made.at('data', 'documentId')),
    }
  }

  before(async () => {
    url = await engine.freshUrl()
    running = await serve(WITH_STAFF, url, {
      rateLimit: { signIn: { perIdentifier: 1_000_000, perAddress: 1_000_000 } },
    })
    const { access } = running.server
    token = (await access.tokens.create({ name: 'the admin', kind: 'admin' })).secret
    adminRole = String(await access.roles.documentIdOf('admin'))
    chief = await newAdmin('chief')
    staff = await signUp(running.server, 'staffer')
    await giveRole(running.server, staff, 'staff', TOKENS.full)
  })
  after(() => running?.close())

  it('only signed-in admins can use the admin API', async () => {
    const user = await signUp(running.server, 'ordinary')
    for (const path of ['tokens', 'roles', 'users', 'content-types', 'locales', 'settings']) {
      assert.equal(await status('GET', `/admin/api/${path}`, { as: chief.jwt }), 200, path)
      for (const as of [undefined, user.jwt, staff.jwt, TOKENS.full])
        assert.equal(await status('GET', `/admin/api/${path}`, { as }), 403, path)
    }
  })

  it('in the content API an admin has only the permissions of the role', async () => {
    assert.equal(await status('GET', '/api/topics', { as: chief.jwt }), 403)
    assert.equal(await status('GET', '/api/users', { as: chief.jwt }), 403)
    assert.equal(await status('PUT', `/api/users/${chief.id}`, { as: chief.jwt, body: {} }), 403)
    assert.equal(await status('GET', '/api/users/me', { as: chief.jwt }), 200)
    const permissions = { 'api::topic.topic': ['find'] }
    const granted = { as: chief.jwt, body: { data: { permissions } } }
    assert.equal(await status('PUT', '/admin/api/roles/admin', granted), 200)
    assert.equal(await status('GET', '/api/topics', { as: chief.jwt }), 200)
    assert.equal(await status('GET', '/api/vaults', { as: chief.jwt }), 403)
  })

  it('the content API does not list the role admin, nor delete it', async () => {
    const roles = await send('GET', '/api/users-permissions/roles', { as: TOKENS.full })
    assert.ok(roles.text.includes('authenticated') && !roles.text.includes('"admin"'))
    assert.equal(await status('DELETE', '/admin/api/roles/admin', { as: token }), 400)
    const again = { data: { type: 'admin', name: 'Another' } }
    assert.equal(await status('POST', '/admin/api/roles', { as: token, body: again }), 400)
  })

  it('full-access tokens and users who may write users cannot create admins', async () => {
    const victim = await signUp(running.server, 'riser')
    const { server } = running
    const listed = await send('GET', '/admin/api/roles/admin', { as: token })
    const id = Number(listed.at('data', 'id'))
    const references: unknown[] = [
      ...[adminRole, id, String(id), { id }, { documentId: adminRole }, [adminRole], [{ id }]],
      ...['connect', 'set'].flatMap((verb) => [
        { [verb]: [adminRole] },
        { [verb]: [{ documentId: adminRole }] },
      ]),
      { connect: [{ id }], disconnect: [] },
    ]
    for (const as of [TOKENS.full, staff.jwt]) {
      for (const [index, role] of references.entries()) {
        const where = `${JSON.stringify(role)} for ${as.slice(0, 8)}`
        const changed = await status('PUT', `/api/users/${victim.id}`, { as, body: { role } })
        assert.equal(changed, 403, where)
        const username = `made-${index}`
        const body = { username, email: `${username}@example.test`, password: 'made-Passw0rd', role }
        const made = await status('POST', '/api/users', { as, body })
        assert.equal(made, 403, where)
        assert.equal(await server.access.accounts.byIdentifier(username), null, where)
      }
      const plain = { as, body: { role: adminRole } }
      assert.equal(await status('PUT', `/api/users/${victim.id}`, plain), 403)
      assert.equal(await status('PUT', `/api/users/${staff.id}`, plain), 403)
    }
    assert.equal(await roleOf(victim), 'authenticated')
    assert.equal(await roleOf(staff), 'staff')
    assert.equal(await adminStatus(victim.jwt), 403)
    // Other changes are still allowed.
    assert.equal(
      await status('PUT', `/api/users/${victim.id}`, { as: staff.jwt, body: { nickname: 'R' } }),
      200,
    )
  })

  it('full-access tokens and users who may write users cannot change or delete admins', async () => {
    const before = await running.server.access.accounts.byId(chief.id)
    const authenticated = await running.server.access.roles.documentIdOf('authenticated')
    const changes: Record<string, unknown>[] = [
      { password: 'taken-over-1' },
      { email: 'taken-over@example.test' },
      { username: 'taken-over' },
      ...[{ blocked: true }, { blocked: false }, { confirmed: false }, { provider: 'elsewhere' }],
      ...[
        { role: authenticated },
        { role: null },
        { role: adminRole },
        { role: { disconnect: [adminRole] } },
      ],
      { nickname: 'Chief' },
      {},
    ]
    for (const as of [TOKENS.full, staff.jwt]) {
      for (const body of changes)
        assert.equal(await status('PUT', `/api/users/${chief.id}`, { as, body }), 403, JSON.stringify(body))
      assert.equal(await status('DELETE', `/api/users/${chief.id}`, { as }), 403)
    }
    assert.deepEqual(await running.server.access.accounts.byId(chief.id), before)
    assert.equal(await adminStatus(chief.jwt), 200)
  })

  it('batches, uploads and relations give no other access to users and roles', async () => {
    const as = TOKENS.full
    const operations = [
      { method: 'PUT', path: `/api/users/${staff.id}`, body: { role: adminRole } },
      { method: 'PUT', path: `/api/users/${staff.id}`, body: { data: { role: adminRole } } },
      { method: 'POST', path: '/api/roles', body: { data: { name: 'Other', type: 'admin' } } },
      {
        method: 'PUT',
        path: `/api/users-permissions/roles/${adminRole}`,
        body: { data: { users: [staff.id] } },
      },
      { method: 'DELETE', path: `/api/users/${chief.id}` },
    ]
    for (const operation of operations) {
      const response = await send('POST', '/api/batch', { as, body: { operations: [operation] } })
      assert.ok([404, 405].includes(response.status), `${response.status} ${operation.path}`)
    }
    for (const [method, path] of [
      ['PUT', `/api/roles/${adminRole}`],
      ['PUT', `/api/users-permissions/roles/${adminRole}`],
      ['DELETE', `/api/users-permissions/roles/${adminRole}`],
    ] as const)
      assert.ok(
        [404, 405].includes(await status(method, path, { as, body: { data: { users: [staff.id] } } })),
        path,
      )

    for (const [ref, refId, field] of [
      [USER, staff.id, 'role'],
      ['plugin::users-permissions.role', adminRole, 'users'],
    ] as const) {
      const form = new FormData()
      form.set('ref', ref)
      form.set('refId', String(refId))
      form.set('field', field)
      form.set('files', new Blob(['text']), 'file.txt')
      const encoded = new Response(form)
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
      const response = await send('POST', '/api/upload', { as, headers, body: await encoded.text() })
      assert.equal(response.status, 400)
      assert.match(response.text, /ref is not a content-type/)
    }

    const note = await send('POST', '/api/notes', {
      as,
      body: { data: { title: 'Of the chief', owner: chief.id } },
    })
    assert.equal(note.status, 201)
    for (const owner of [{ id: chief.id, role: adminRole }, { connect: [{ id: staff.id, role: adminRole }] }])
      await send('PUT', `/api/notes/${note.at('data', 'documentId')}`, { as, body: { data: { owner } } })
    const notes = { connect: [note.at('data', 'documentId')] }
    assert.equal(await status('PUT', `/api/users/${staff.id}`, { as, body: { notes } }), 200)
    assert.deepEqual([await roleOf(staff), await roleOf(chief)], ['staff', 'admin'])
  })

  it('does not start with a schema that redefines roles', async () => {
    const relation = { type: 'relation', target: USER, relation: 'oneToMany', mappedBy: 'role' }
    const club = {
      kind: 'collectionType',
      info: { singularName: 'club', pluralName: 'clubs', displayName: 'Club' },
      attributes: { members: relation },
    }
    const file = 'src/api/club/content-types/club/schema.json'
    await assert.rejects(async () => serve(new Map(PROJECT).set(file, club), await engine.freshUrl()))
    const other = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role' }
    const extension = 'src/extensions/users-permissions/content-types/user/schema.json'
    const second = { attributes: { deputy: { ...other, inversedBy: 'users' } } }
    await assert.rejects(async () => serve(new Map(PROJECT).set(extension, second), await engine.freshUrl()))
  })

  it('a second relation from users to roles grants nothing', async () => {
    const extension = 'src/extensions/users-permissions/content-types/user/schema.json'
    const deputy = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role' }
    const project = new Map(PROJECT).set(extension, { attributes: { deputy, notes: NOTES } })
    const { server, close } = await serve(project, await engine.freshUrl(), {
      auth: { registration: { fields: ['deputy', 'role'] } },
    })
    try {
      const admin = await server.access.roles.documentIdOf('admin')
      const body = { username: 'deputy', email: 'deputy@example.test', password: 'deputy-Passw0rd' }
      const made = await request(server, 'POST', '/api/auth/local/register', {
        body: { ...body, deputy: admin, role: admin },
      })
      assert.equal(made.status, 200)
      assert.equal(
        (await request(server, 'GET', '/admin/api/tokens', { as: String(made.at('jwt')) })).status,
        403,
      )
    } finally {
      await close()
    }
  })

  it('registration never creates an admin', async () => {
    const body = {
      username: 'sneak',
      email: 'sneak@example.test',
      password: 'sneak-Passw0rd',
      role: adminRole,
    }
    assert.equal(await status('POST', '/api/auth/local/register', { body }), 400)
    await assert.rejects(
      async () => serve(PROJECT, await engine.freshUrl(), { auth: { registration: { role: 'admin' } } }),
      StartError,
    )
  })

  it('blocking, demoting, deleting or changing the password of an admin ends their access immediately', async () => {
    const ends: Record<string, (admin: TestUser) => Promise<number>> = {
      blocked: ({ id }) =>
        status('PUT', `/admin/api/users/${id}`, { as: token, body: { data: { blocked: true } } }),
      changed: ({ jwt, password }) =>
        status('POST', '/api/auth/change-password', {
          as: jwt,
          body: { currentPassword: password, password: 'another-1', passwordConfirmation: 'another-1' },
        }),
      given: ({ id }) =>
        status('PUT', `/admin/api/users/${id}`, { as: token, body: { data: { password: 'another-1' } } }),
      demoted: ({ id }) => status('POST', `/admin/api/users/${id}/demote`, { as: token }),
      deleted: ({ id }) => status('DELETE', `/admin/api/users/${id}`, { as: chief.jwt }),
    }
    for (const [name, end] of Object.entries(ends)) {
      const admin = await newAdmin(`ends-${name}`)
      assert.equal(await adminStatus(admin.jwt), 200, name)
      assert.ok([200, 204].includes(await end(admin)), name)
      assert.equal(await adminStatus(admin.jwt), 401, name)
    }
    const demoted = await signIn(running.server, 'ends-demoted', 'ends-demoted-Passw0rd')
    assert.equal(await adminStatus(String(demoted.at('jwt'))), 403)
    const changed = await signIn(running.server, 'ends-changed', 'another-1')
    assert.equal(await adminStatus(String(changed.at('jwt'))), 200)
  })

  it('an admin can reset a forgotten password by e-mail', async () => {
    const admin = await newAdmin('forgetful')
    await send('POST', '/api/auth/forgot-password', { body: { email: admin.email } })
    const code = (await sentCodes(running.server)).at(-1)
    const body = { code, password: 'remembered-1', passwordConfirmation: 'remembered-1' }
    const reset = await send('POST', '/api/auth/reset-password', { body })
    assert.equal(reset.status, 200, reset.text)
    assert.equal(await adminStatus(admin.jwt), 401)
    assert.equal(await adminStatus(String(reset.at('jwt'))), 200)
  })

  it('an admin token can make a user an admin, who must sign in again', async () => {
    const user = await signUp(running.server, 'promoted')
    await send('POST', '/api/auth/forgot-password', { body: { email: user.email } })
    const code = (await sentCodes(running.server)).at(-1)
    await giveRole(running.server, user, 'admin', token)
    assert.equal(await adminStatus(user.jwt), 401)
    const body = { code, password: 'old-code-1', passwordConfirmation: 'old-code-1' }
    assert.equal(await status('POST', '/api/auth/reset-password', { body }), 400)
    const again = await signIn(running.server, user.username, user.password)
    assert.equal(await adminStatus(String(again.at('jwt'))), 200)
  })

  it('lists, creates and changes admins without showing secrets', async () => {
    const admin = await newAdmin('listed')
    const listed = await send('GET', '/admin/api/users', { as: chief.jwt })
    assert.ok(listed.text.includes('listed@example.test') && !listed.text.includes('staffer'))
    assert.ok(!/password|argon|stamp/i.test(listed.text))
    const put = (id: number, data: unknown) =>
      send('PUT', `/admin/api/users/${id}`, { as: chief.jwt, body: { data } })
    const changed = await put(admin.id, { email: 'Moved@example.test' })
    assert.deepEqual([changed.status, changed.at('data', 'email')], [200, 'moved@example.test'])
    assert.equal((await put(admin.id, { email: chief.email })).status, 400)
    assert.equal((await put(admin.id, { password: 'no' })).status, 400)
    assert.equal((await put(admin.id, { role: adminRole })).status, 400)
    assert.equal((await put(staff.id, { blocked: true })).status, 404)
    const body = { data: { username: 'nobody', email: 'nobody@example.test' } }
    assert.equal(await status('POST', '/admin/api/users', { as: chief.jwt, body }), 400)
  })

  function admin(password: string, ...args: string[]) {
    const options = ['--project', running.server.project.dir, '--database', url]
    return octavo(['admin', ...args, ...options], { input: password })
  }

  it('the command line creates, lists and demotes admins while the server runs', async () => {
    const who = ['--username', 'shell', '--email', 'shell@example.test']
    const made = await admin('from the shell\n', 'create', ...who, '--password-stdin')
    assert.equal(made.code, 0, made.err)
    const signedIn = async () => String((await signIn(running.server, 'shell', 'from the shell')).at('jwt'))
    const jwt = await signedIn()
    assert.equal(await adminStatus(jwt), 200)
    assert.match((await admin('', 'list')).out, /shell {2}shell@example\.test/)
    assert.equal((await admin('', 'demote', 'shell@example.test')).code, 0)
    assert.equal(await adminStatus(jwt), 401)
    assert.equal(await adminStatus(await signedIn()), 403)
    assert.doesNotMatch((await admin('', 'list')).out, /shell/)
  })

  it('the command line reports errors in one line, and takes no password as an argument', async () => {
    const other = ['--username', 'other', '--email', 'other@example.test']
    const taken = ['--username', 'staffer', '--email', 'other@example.test']
    for (const [password, args, message] of [
      ['right-Passw0rd', ['create', ...taken, '--password-stdin'], /already taken/],
      ['no', ['create', ...other, '--password-stdin'], /at least 8 characters/],
      ['Password1!', ['create', ...other, '--password-stdin'], /too common/],
      ['', ['create', ...other], /--password-stdin/],
      ['', ['create', ...other, '--password', 'right-Passw0rd'], /unknown option/],
      ['', ['demote', 'staffer'], /Unknown admin: staffer/],
    ] as const) {
      const { code, out, err } = await admin(password, ...args)
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, message)
    }
    assert.equal(await roleOf(staff), 'staff')
  })
})

const NOTES = { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'owner' }

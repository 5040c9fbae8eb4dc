/** Roles, permissions and the model under `/api`, in the form that clients of Strapi use. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, type RequestOptions, request, signIn, signUp } from './client.ts'
import { PROJECT, ROLES, TOKENS } from './project.ts'

const ROLE = 'plugin::users-permissions.role'
const ROLES_PATH = '/api/users-permissions/roles'

const project = new Map([
  ...PROJECT,
  [
    'config/roles.json',
    {
      ...ROLES,
      manager: { [ROLE]: ['find', 'findOne', 'create', 'update', 'delete'], 'api::topic.topic': ['find'] },
      drafter: {
        [ROLE]: ['find', 'update'],
        'api::note.note': ['find', 'create', 'update', '-publish', '-readDrafts'],
      },
      authenticated: { ...ROLES.authenticated, [ROLE]: ['getPermissions'] },
    },
  ],
])

const enabled = (group: string, controller: string, ...actions: readonly string[]) => ({
  [group]: {
    controllers: {
      [controller]: Object.fromEntries(actions.map((action) => [action, { enabled: true, policy: '' }])),
    },
  },
})

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(project, await engine.freshUrl())
  })
  after(() => running?.close())

  const send = (method: Method, url: string, options: RequestOptions = {}) =>
    request(running.server, method, url, { as: TOKENS.full, ...options })

  async function roleNamed(
    name: string,
  ): Promise<{ id: number; type: string; nb_users: number } | undefined> {
    const listed = (await send('GET', ROLES_PATH)).at('roles')
    assert.ok(Array.isArray(listed))
    return listed.find((role) => role.name === name)
  }
  async function createRole(name: string, permissions: unknown = []) {
    const created = await send('POST', ROLES_PATH, { body: { name, description: 'For a test', permissions } })
    assert.deepEqual([created.status, created.at('ok')], [200, true], created.text)
    const role = await roleNamed(name)
    assert.ok(role)
    return role
  }
  const actionsOf = async (id: number, group: string, controller: string) => {
    const read = await send('GET', `${ROLES_PATH}/${id}`)
    assert.equal(read.status, 200, read.text)
    const actions = Object(read.at('role', 'permissions', group, 'controllers', controller))
    return Object.keys(actions).filter((action) => actions[action].enabled)
  }
  async function userWith(role: number, username: string) {
    const email = `${username}@example.test`
    const password = 'A long passphrase 9'
    const body = { username, email, password, role, confirmed: true }
    const created = await send('POST', '/api/users', { body })
    assert.equal(created.status, 201, created.text)
    return {
      id: Number(created.at('id')),
      jwt: String((await signIn(running.server, email, password)).at('jwt')),
    }
  }

  describe('a role', () => {
    it('is created with permissions, which its users have at once', async () => {
      const role = await createRole('Shop staff', enabled('api::topic', 'topic', 'find', 'create'))
      assert.equal(role.type, 'shop_staff')
      assert.deepEqual(await actionsOf(role.id, 'api::topic', 'topic'), ['find', 'create'])
      const { jwt } = await userWith(role.id, 'clerk')
      const created = await send('POST', '/api/topics', { as: jwt, body: { data: { name: 'Bread' } } })
      assert.equal(created.status, 201, created.text)
      assert.equal((await send('GET', '/api/notes', { as: jwt })).status, 403)
    })

    it('is changed by sending back the tree that was received', async () => {
      const role = await createRole('Changed', enabled('api::topic', 'topic', 'find'))
      const read = await send('GET', `${ROLES_PATH}/${role.id}`)
      const permissions = Object(read.at('role', 'permissions'))
      permissions['api::note'].controllers.note.find.enabled = true
      permissions['api::topic'].controllers.topic.find.enabled = false
      const changed = await send('PUT', `${ROLES_PATH}/${role.id}`, {
        body: { ...Object(read.at('role')), name: 'Renamed', description: 'Other', permissions },
      })
      assert.deepEqual([changed.status, changed.at('ok')], [200, true], changed.text)
      assert.deepEqual(await actionsOf(role.id, 'api::note', 'note'), ['find'])
      assert.deepEqual(await actionsOf(role.id, 'api::topic', 'topic'), [])
      assert.equal((await roleNamed('Renamed'))?.id, role.id)
    })

    it('keeps the restrictions of permissions that stay enabled', async () => {
      const author = await roleNamed('Author')
      assert.ok(author)
      const before = await running.server.access.roles.permissionsOf('author')
      const tree = (await send('GET', `${ROLES_PATH}/${author.id}`)).at('role', 'permissions')
      await send('PUT', `${ROLES_PATH}/${author.id}`, { body: { permissions: tree } })
      assert.deepEqual(await running.server.access.roles.permissionsOf('author'), before)
    })

    it('is deleted, and its users get the public role', async () => {
      const role = await createRole('Short-lived', enabled('api::topic', 'topic', 'create'))
      const { id } = await userWith(role.id, 'leaver')
      assert.equal((await roleNamed('Short-lived'))?.nb_users, 1)
      const deleted = await send('DELETE', `${ROLES_PATH}/${role.id}`)
      assert.deepEqual([deleted.status, deleted.at('ok')], [200, true], deleted.text)
      const user = await send('GET', `/api/users/${id}?populate=role`)
      assert.equal(user.at('role', 'type'), 'public')
      assert.equal((await send('GET', `${ROLES_PATH}/${role.id}`)).status, 404)
    })

    it('is refused with a message that names what is wrong', async () => {
      const cases: readonly (readonly [body: unknown, status: number, message: RegExp])[] = [
        [{}, 400, /name is required/],
        [{ name: 'Public' }, 400, /already exists/],
        [{ name: 'Admin' }, 400, /already exists/],
        [{ name: '???' }, 400, /must contain a letter/],
        [{ name: 'New', permision: {} }, 400, /permision/],
        [{ name: 'New', users: [1] }, 400, /users/],
        [{ name: 'New', permissions: enabled('api::topic', 'topic', 'fnid') }, 400, /Unknown action/],
        [
          { name: 'New', permissions: { 'api::topic': { controllers: { topic: { find: true } } } } },
          400,
          /find/,
        ],
        [{ name: 'New', permissions: 'all' }, 400, /must be an object/],
      ]
      for (const [body, status, message] of cases) {
        const refused = await send('POST', ROLES_PATH, { body })
        assert.equal(refused.status, status, refused.text)
        assert.match(refused.text, message)
      }
      const registration = await roleNamed('Authenticated')
      assert.equal((await send('DELETE', `${ROLES_PATH}/${registration?.id}`)).status, 400)
    })

    it('cannot get permissions that the caller does not have without restrictions', async () => {
      const manager = await roleNamed('Manager')
      assert.ok(manager)
      const { jwt: as } = await userWith(manager.id, 'boss')
      const grant = (name: string, permissions: unknown) =>
        send('POST', ROLES_PATH, { as, body: { name, permissions } })
      assert.equal((await grant('Reader', enabled('api::topic', 'topic', 'find'))).status, 200)
      assert.equal((await grant('Writer', enabled('api::topic', 'topic', 'delete'))).status, 403)
      assert.equal(await roleNamed('Writer'), undefined)
      const own = await send('PUT', `${ROLES_PATH}/${manager.id}`, {
        as,
        body: { permissions: enabled('plugin::users-permissions', 'user', 'update') },
      })
      assert.equal(own.status, 403)
    })
  })

  it('a role does not get what its permissions imply if the caller does not have it', async () => {
    const note = (...actions: readonly string[]) => enabled('api::note', 'note', ...actions)
    const { id, type } = await createRole('Intern')
    const drafter = await userWith((await roleNamed('Drafter'))?.id ?? 0, 'drafter')
    const grant = (as: string, ...actions: readonly string[]) =>
      send('PUT', `${ROLES_PATH}/${id}`, { as, body: { permissions: note(...actions) } })
    assert.equal((await grant(drafter.jwt, 'find', 'update')).status, 200)
    const { roles } = running.server.access
    const granted = ['find', 'update', '-readDrafts', '-publish', '-unpublish']
    assert.deepEqual((await roles.permissionsOf(type))['api::note.note'], granted)
    const intern = await userWith(id, 'intern')
    const drafts = await send('GET', '/api/notes?status=draft', { as: intern.jwt })
    assert.equal(drafts.status, 403, drafts.text)
    // What the role has already stays.
    assert.equal((await grant(TOKENS.full)).status, 200)
    await roles.setPermissions(type, { 'api::note.note': ['create'] })
    assert.equal((await grant(drafter.jwt, 'create', 'update')).status, 200)
    const kept = (await roles.permissionsOf(type))['api::note.note']
    assert.deepEqual(kept, ['create', 'update', '-unpublish'])
  })

  it('a user shows its own permissions, if its role allows that', async () => {
    const { jwt: as } = await signUp(running.server, 'curious')
    const own = await send('GET', '/api/users-permissions/permissions', { as })
    assert.equal(own.status, 200, own.text)
    const at = (...path: readonly string[]) => own.at('permissions', ...path)
    assert.deepEqual(at('plugin::users-permissions', 'controllers', 'permissions', 'getPermissions'), {
      enabled: true,
      policy: '',
    })
    assert.equal(at('api::note', 'controllers', 'note', 'create', 'enabled'), true)
    assert.equal(at('api::note', 'controllers', 'note', 'delete', 'enabled'), false)
    assert.equal(at('plugin::users-permissions', 'controllers', 'auth', 'register', 'enabled'), false)
    assert.equal((await send('GET', '/api/users-permissions/permissions', { as: undefined })).status, 403)
  })

  it('a user can be sent back as it was received, with changes', async () => {
    const role = await createRole('Sent back')
    const { id } = await userWith(role.id, 'returned')
    const received = JSON.parse((await send('GET', `/api/users/${id}?populate=role`)).text)
    const changed = await send('PUT', `/api/users/${id}`, { body: { ...received, username: 'renamed' } })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      ['id', 'documentId', 'createdAt', 'username'].map((name) => changed.at(name)),
      [id, received.documentId, received.createdAt, 'renamed'],
    )
    const other = await send('PUT', `/api/users/${id}`, { body: { usrname: 'x' } })
    assert.equal(other.status, 400, other.text)
  })

  it('a user always keeps a role', async () => {
    const role = await createRole('Kept role')
    const { id } = await userWith(role.id, 'keeper')
    for (const value of [null, [], { set: [] }, { disconnect: [role.id] }]) {
      const refused = await send('PUT', `/api/users/${id}`, { body: { role: value } })
      assert.equal(refused.status, 400, `${JSON.stringify(value)} ${refused.text}`)
    }
    assert.equal((await send('GET', `/api/users/${id}?populate=role`)).at('role', 'name'), 'Kept role')
  })

  it('the model is shown with its attributes only to callers who may read it', async () => {
    const types = await send('GET', '/api/content-type-builder/content-types')
    assert.equal(types.status, 200, types.text)
    const one = await send('GET', '/api/content-type-builder/content-types/api::note.note')
    assert.equal(one.at('data', 'apiID'), 'note')
    assert.equal(one.at('data', 'schema', 'pluralName'), 'notes')
    assert.equal(one.at('data', 'schema', 'draftAndPublish'), true)
    assert.equal(one.at('data', 'schema', 'attributes', 'title', 'type'), 'string')
    const card = await send('GET', '/api/content-type-builder/components/shared.card')
    assert.deepEqual(
      [card.at('data', 'category'), card.at('data', 'apiId'), card.at('data', 'schema', 'displayName')],
      ['shared', 'card', 'card'],
    )
    for (const as of [undefined, TOKENS.readonly, TOKENS.custom])
      assert.equal((await send('GET', '/api/content-type-builder/components', { as })).status, 403)
  })

  it('a page of files has its pagination in meta', async () => {
    const page = await send(
      'GET',
      '/api/upload/files/page?pagination[pageSize]=2'.replace('[', '%5B').replace(']', '%5D'),
    )
    assert.equal(page.status, 200, page.text)
    assert.deepEqual(JSON.parse(page.text), {
      data: [],
      meta: { pagination: { page: 1, pageSize: 2, pageCount: 0, total: 0 } },
    })
  })
})

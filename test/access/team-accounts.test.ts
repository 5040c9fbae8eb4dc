/** Only callers who may use the admin app, or have full access, can change the accounts of the others who may use it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { giveRole, type Method, request, signIn, signUp, type TestUser } from './client.ts'

const FULL = 'full-token-of-the-team-accounts-0123456789'
const CUSTOM = 'custom-token-of-the-team-accounts-01234567'
const USER = 'plugin::users-permissions.user'
const ROLE = 'plugin::users-permissions.role'

const ALL = ['find', 'findOne', 'create', 'delete']
const PRIVILEGED = ['username', 'email', 'password', 'role', 'blocked', 'confirmed']
const MODERATES = { [USER]: [...ALL, { action: 'update', fields: PRIVILEGED }], [ROLE]: ['find'] }

const PROJECT = new Map<string, unknown>([
  [
    'config/roles.json',
    {
      authenticated: MODERATES,
      public: { [USER]: ['update', 'delete'] },
      editor: { ...MODERATES, [USER]: [...ALL, 'update'] },
      staff: {},
    },
  ],
  ['config/admin.json', { roles: ['staff'] }],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: FULL },
      custom: {
        type: 'custom',
        token: CUSTOM,
        permissions: { [USER]: [...ALL, 'update'], [ROLE]: ['find'] },
      },
    },
  ],
])

onEachEngine((engine) => {
  let running: TestServer
  const people = new Map<string, TestUser>()
  const person = (name: string): TestUser => {
    const found = people.get(name)
    assert.ok(found)
    return found
  }
  const send = (method: Method, path: string, as: string | undefined, body?: unknown) =>
    request(running.server, method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) })
  const record = async (name: string) =>
    (await send('GET', `/users/${person(name).id}?populate=role`, FULL)).text

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    for (const name of ['moderator', 'member', 'editor', 'author', 'staff'])
      people.set(name, await signUp(running.server, name))
    for (const name of ['editor', 'author', 'staff']) await giveRole(running.server, person(name), name, FULL)
  })
  after(() => running?.close())

  it('a caller who may write users cannot take over the account of a person who may use the admin app', async () => {
    for (const name of ['editor', 'author', 'staff']) {
      const unchanged = await record(name)
      for (const as of [person('moderator').jwt, CUSTOM, undefined]) {
        for (const body of [
          { password: 'A passphrase of the attacker 1' },
          { email: 'attacker@example.test' },
          { username: 'attacker' },
          {},
        ]) {
          const { status, text } = await send('PUT', `/users/${person(name).id}`, as, body)
          assert.equal(status, as === undefined ? 404 : 403, `${JSON.stringify(body)} ${text}`)
        }
        const removed = await send('DELETE', `/users/${person(name).id}`, as)
        assert.equal(removed.status, as === undefined ? 204 : 403, removed.text)
      }
      assert.equal(await record(name), unchanged)
      assert.equal((await signIn(running.server, name, person(name).password)).status, 200)
    }
    const body = { email: 'moved@example.test' }
    for (const as of [person('moderator').jwt, CUSTOM])
      assert.equal((await send('PUT', `/users/${person('member').id}`, as, body)).status, 200)
  })

  it('nor make anyone a person who may use it', async () => {
    for (const name of ['editor', 'author', 'staff']) {
      const role = await running.server.access.roles.documentIdOf(name)
      for (const as of [person('moderator').jwt, CUSTOM]) {
        for (const id of [person('member').id, person('moderator').id]) {
          const { status, text } = await send('PUT', `/users/${id}`, as, { role })
          assert.equal(status, 403, text)
        }
        const created = {
          username: 'mole',
          email: 'mole@example.test',
          password: 'A long passphrase 9',
          role,
        }
        assert.ok([400, 403].includes((await send('POST', '/users', as, created)).status))
      }
    }
    const list = await send('GET', '/users?populate=role&filters[role][type]=authenticated', FULL)
    assert.deepEqual(
      JSON.parse(list.text).map(({ username }: { username: string }) => username),
      ['moderator', 'member'],
    )
  })

  it('a person who may use it and write users can change the accounts of others, and so can a token with full access', async () => {
    const { id } = person('author')
    for (const as of [person('editor').jwt, FULL])
      assert.equal((await send('PUT', `/users/${id}`, as, { email: 'new@example.test' })).status, 200)
    const changed = await send('PUT', `/users/${person('editor').id}`, person('editor').jwt, {
      username: 'edith',
    })
    assert.equal(changed.status, 200)
  })

  it('without the admin app, only admins are protected', async () => {
    const without = await serve(PROJECT, await engine.freshUrl(), { admin: { enabled: false } })
    const { server } = without
    const [moderator, editor] = [await signUp(server, 'moderator'), await signUp(server, 'editor')]
    await giveRole(server, editor, 'editor', FULL)
    const change = { as: moderator.jwt, body: { email: 'new@example.test' } }
    assert.equal((await request(server, 'PUT', `/api/users/${editor.id}`, change)).status, 200)
    await without.close()
  })
})

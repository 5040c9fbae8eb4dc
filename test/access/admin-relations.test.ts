/** Only admins can change an admin, also through a relation that the admin's document owns. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { SYSTEM } from '../../src/events/audit/audit-record.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request, signIn, signUp, type TestUser } from './client.ts'

const FULL = 'full-token-of-the-admin-relations-0123456789'
const CUSTOM = 'custom-token-of-the-admin-relations-01234567'
const USER = 'plugin::users-permissions.user'

const relation = (kind: string, target: string, side: Readonly<Record<string, string>>) => ({
  type: 'relation',
  relation: kind,
  target,
  ...side,
})

const PROJECT = new Map<string, unknown>([
  [
    'src/extensions/users-permissions/content-types/user/schema.json',
    {
      attributes: {
        manager: relation('manyToOne', USER, { inversedBy: 'reports' }),
        reports: relation('oneToMany', USER, { mappedBy: 'manager' }),
        partner: relation('oneToOne', USER, { inversedBy: 'partnerOf' }),
        partnerOf: relation('oneToOne', USER, { mappedBy: 'partner' }),
        likes: relation('manyToMany', 'api::note.note', { inversedBy: 'fans' }),
      },
    },
  ],
  [
    'src/api/note/content-types/note/schema.json',
    {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
      attributes: {
        fans: relation('manyToMany', USER, { mappedBy: 'likes' }),
        owner: relation('manyToOne', USER, {}),
      },
    },
  ],
  [
    'config/roles.json',
    {
      authenticated: {
        [USER]: ['find', 'findOne', 'update'],
        'api::note.note': ['find', 'create', 'update'],
      },
      admin: { [USER]: ['find', 'findOne', 'update'], 'api::note.note': ['find'] },
    },
  ],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: FULL },
      custom: {
        type: 'custom',
        token: CUSTOM,
        permissions: { [USER]: ['find', 'update'], 'api::note.note': ['find', 'create', 'update'] },
      },
    },
  ],
])

const RELATIONS = 'populate[0]=manager&populate[1]=partner&populate[2]=likes'

onEachEngine((engine) => {
  let running: TestServer
  let admin: { readonly id: number; readonly documentId: string }
  let eve: TestUser
  let ben: TestUser
  let note: string
  const send = (method: 'GET' | 'PUT' | 'POST', path: string, as: string, body?: unknown) =>
    request(running.server, method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) })
  const relationsOf = async ({ id }: { readonly id: number }) =>
    (await send('GET', `/users/${id}?${RELATIONS}`, FULL)).text

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    const { server } = running
    const password = 'Adm1n-Passw0rd'
    admin = await server.access.admins.create(
      { username: 'root', email: 'root@example.test', password },
      SYSTEM,
    )
    eve = await signUp(server, 'eve')
    ben = await signUp(server, 'ben')
    note = String((await send('POST', '/notes', FULL, { data: {} })).at('data', 'documentId'))
    const jwt = String((await signIn(server, 'root', password)).at('jwt'))
    // The admin's own relations, which the others must not change.
    const own = { manager: ben.documentId, partner: ben.documentId, likes: [note] }
    const written = await send('PUT', `/users/${admin.id}`, jwt, own)
    assert.equal(written.status, 200, written.text)
  })
  after(() => running?.close())

  it('a relation cannot be used to change an admin', async () => {
    const unchanged = await relationsOf(admin)
    assert.match(unchanged, /"username":"ben"/)
    const { documentId } = admin
    for (const as of [eve.jwt, CUSTOM, FULL]) {
      for (const [path, body] of [
        [`/users/${eve.id}`, { reports: { connect: [documentId] } }],
        [`/users/${eve.id}`, { reports: { set: [documentId] } }],
        [`/users/${eve.id}`, { partnerOf: documentId }],
        [`/users/${eve.id}`, { partner: ben.documentId }],
        [`/users/${ben.id}`, { reports: { disconnect: [documentId] } }],
        [`/users/${ben.id}`, { reports: [] }],
        [`/users/${ben.id}`, { partnerOf: null }],
        [`/users/${ben.id}`, { partnerOf: eve.documentId }],
        [`/notes/${note}`, { data: { fans: [] } }],
        [`/notes/${note}`, { data: { fans: { disconnect: [documentId] } } }],
      ] as const) {
        const response = await send('PUT', path, as, body)
        const about = `${JSON.stringify(body)}: ${response.status} ${response.text}`
        assert.ok([400, 403].includes(response.status), about)
        assert.equal(await relationsOf(admin), unchanged, about)
      }
      const created = await send('POST', '/notes', as, { data: { fans: [documentId] } })
      assert.ok([400, 403].includes(created.status), created.text)
    }
  })

  it('relations that change other users, or only refer to an admin, can be written', async () => {
    for (const [path, body] of [
      [`/users/${eve.id}`, { reports: { connect: [ben.documentId] } }],
      [`/users/${eve.id}`, { reports: [] }],
      [`/users/${eve.id}`, { manager: admin.documentId }],
      [`/notes/${note}`, { data: { fans: { connect: [eve.documentId] } } }],
      [`/notes/${note}`, { data: { owner: admin.documentId } }],
    ] as const) {
      const response = await send('PUT', path, eve.jwt, body)
      assert.equal(response.status, 200, `${JSON.stringify(body)}: ${response.text}`)
    }
  })

  it('an admin can change another admin through a relation', async () => {
    const password = 'Adm1n-Passw0rd'
    const jwt = String((await signIn(running.server, 'root', password)).at('jwt'))
    const other = await running.server.access.admins.create(
      { username: 'second', email: 'second@example.test', password },
      SYSTEM,
    )
    const response = await send('PUT', `/users/${eve.id}`, jwt, {
      reports: { connect: [other.documentId] },
    })
    assert.equal(response.status, 200, response.text)
    assert.match(await relationsOf(other), /"username":"eve"/)
  })
})

/** The status of every route for every caller is declared here; a route or method that is not declared fails the test. */
import assert from 'node:assert/strict'
import { after, before, it, mock } from 'node:test'
import { createJwt } from '../../src/access/credentials/jwt.ts'
import { onEachEngine } from '../support/engines.ts'
import { routesOf } from '../support/routes.ts'
import { serve, type TestServer } from '../support/server.ts'
import { giveRole, type Method, request, signIn, signUp } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const secret = 'the-signing-secret-of-the-matrix-test'

/** Callers with a valid credential, and anonymous ones. */
const CALLERS = [
  'anonymous',
  'readonly',
  'custom',
  'full',
  'admin',
  'user',
  'author',
  'signedInAdmin',
] as const
type Caller = (typeof CALLERS)[number]
/** Callers whose credential is no longer valid, or never was. */
const INVALID_CALLERS = [
  'blocked',
  'deleted',
  'changed',
  'expired',
  'expiredToken',
  'revoked',
  'tampered',
  'unknown',
] as const

type Statuses = Readonly<Partial<Record<Caller, number>>>

interface Declared {
  /** The requested URL if it is not the pattern of the route. It names no existing document, so that nothing changes. */
  readonly url?: string
  /** The status for permitted callers; all others with a valid credential get 403. */
  readonly may: Statuses
  /** The status for callers with an invalid credential; 401 by default. */
  readonly invalid?: number
  readonly body?: unknown
}

const all = (status: number, callers: readonly Caller[] = CALLERS): Statuses =>
  Object.fromEntries(callers.map((caller) => [caller, status]))

const writers: readonly Caller[] = ['full', 'admin']
const readers: readonly Caller[] = ['readonly', ...writers]
/** A route for signed-in users: an API token is the wrong kind of credential. */
const self = (status: number): Statuses => ({
  ...all(401, ['readonly', 'custom', 'full', 'admin']),
  ...all(status, ['user', 'author', 'signedInAdmin']),
})
const everybody = (status: number) => ({ may: all(status), invalid: status })
const adminOnly = (status: number) => ({ may: all(status, ['admin', 'signedInAdmin']) })
/** A route for people who are signed in to the admin app, with a cookie that none of these callers has. */
const teamOnly = { may: all(401) }
/** The same, where a request from another origin is refused first. */
const fromTheApp = { may: all(403) }
const missingDocument = 'aaaaaaaaaaaaaaaaaaaaaaaa'

const ROUTES: Readonly<Record<string, Declared>> = {
  'GET /_health': everybody(204),
  'GET /healthz': everybody(200),
  'GET /readyz': everybody(200),
  'GET /metrics': adminOnly(200),
  'GET /docs': everybody(200),
  'GET /docs/guide': everybody(200),
  'GET /docs/guide/:name': { url: '/docs/guide/none', ...everybody(404) },
  'GET /docs/guide/pictures/:name': { url: '/docs/guide/pictures/none', ...everybody(404) },
  'GET /reset-password': everybody(200),
  'POST /reset-password': everybody(400),
  'GET /admin': everybody(200),
  'GET /admin*': { url: '/admin/content', ...everybody(200) },
  'GET /docs/swagger-ui.css': everybody(200),
  'GET /docs/swagger-ui.js': everybody(200),
  'GET /docs/start.js': everybody(200),
  'GET /uploads/:key': { url: '/uploads/none.png', ...everybody(404) },

  'GET /api/openapi.json': { may: all(200) },
  'GET /api/i18n/locales': { may: all(200, writers) },
  'POST /api/batch': { may: all(400) },
  'POST /mcp': { may: { ...all(400), anonymous: 401 }, body: [] },

  'POST /api/auth/local': { may: all(400) },
  'GET /api/auth/local': everybody(404),
  'POST /api/auth/local/register': { may: all(400) },
  'POST /api/auth/forgot-password': { may: all(200), body: { email: 'nobody@example.test' } },
  'POST /api/auth/reset-password': { may: all(400) },
  'POST /api/auth/change-password': { may: self(400) },
  'GET /api/auth/email-confirmation': { may: all(400) },
  'POST /api/auth/send-email-confirmation': { may: all(200), body: { email: 'nobody@example.test' } },
  'POST /api/auth/refresh': { ...everybody(401), body: { refreshToken: 'nothing' } },
  'POST /api/auth/logout': { may: self(200) },

  'GET /api/users': { may: all(200, [...readers, 'author']) },
  'POST /api/users': { may: all(400, writers) },
  'GET /api/users/count': { may: all(200, [...readers, 'author']) },
  'GET /api/users/me': { may: self(200) },
  'GET /api/users/:id': { url: '/api/users/999999', may: all(404, readers) },
  'PUT /api/users/:id': { url: '/api/users/999999', may: all(404, [...writers, 'author']), body: {} },
  'DELETE /api/users/:id': { url: '/api/users/999999', may: all(204, writers) },
  'GET /api/users-permissions/roles': { may: all(200, readers) },
  'POST /api/users-permissions/roles': { may: all(400, writers) },
  'GET /api/users-permissions/roles/:id': {
    url: '/api/users-permissions/roles/999999',
    may: all(404, readers),
  },
  'PUT /api/users-permissions/roles/:id': {
    url: '/api/users-permissions/roles/999999',
    may: all(404, writers),
  },
  'DELETE /api/users-permissions/roles/:id': {
    url: '/api/users-permissions/roles/999999',
    may: all(404, writers),
  },
  'GET /api/users-permissions/permissions': { may: all(200, writers) },
  'GET /api/content-type-builder/content-types': { may: all(200, writers) },
  'GET /api/content-type-builder/content-types/:uid': {
    url: '/api/content-type-builder/content-types/api::none.none',
    may: all(404, writers),
  },
  'GET /api/content-type-builder/components': { may: all(200, writers) },
  'GET /api/content-type-builder/components/:uid': {
    url: '/api/content-type-builder/components/none.none',
    may: all(404, writers),
  },

  'POST /api/upload': { may: all(400, writers) },
  'GET /api/upload/files': { may: all(200, readers) },
  'GET /api/upload/files/page': { may: all(200, readers) },
  'GET /api/upload/files/:id': { url: '/api/upload/files/999999', may: all(404, readers) },
  'DELETE /api/upload/files/:id': { url: '/api/upload/files/999999', may: all(404, writers) },
  'POST /api/upload/files/move': { may: all(400, writers) },
  'POST /api/upload/files/delete': { may: all(400, writers) },
  'GET /api/upload/files/:id/original': { url: '/api/upload/files/999999/original', may: all(404, writers) },
  'GET /api/upload/files/:id/used-by': { url: '/api/upload/files/999999/used-by', may: all(404, readers) },
  'GET /api/upload/folders': { may: all(200, readers) },
  'POST /api/upload/folders': { may: all(400, writers) },
  'PUT /api/upload/folders': { may: all(400, writers) },
  'DELETE /api/upload/folders': { may: all(400, writers) },

  'GET /admin/api/tokens': adminOnly(200),
  'POST /admin/api/tokens': adminOnly(400),
  'DELETE /admin/api/tokens/:id': { url: '/admin/api/tokens/999999', ...adminOnly(404) },
  'POST /admin/api/tokens/:id/regenerate': {
    url: '/admin/api/tokens/999999/regenerate',
    ...adminOnly(404),
  },
  'GET /admin/api/roles': adminOnly(200),
  'POST /admin/api/roles': adminOnly(400),
  'GET /admin/api/roles/:type': { url: '/admin/api/roles/public', ...adminOnly(200) },
  'PUT /admin/api/roles/:type': { url: '/admin/api/roles/public', ...adminOnly(400) },
  'DELETE /admin/api/roles/:type': { url: '/admin/api/roles/none', ...adminOnly(404) },
  'GET /admin/api/roles/:type/content/:name': {
    url: '/admin/api/roles/none/content/none',
    ...adminOnly(404),
  },
  'POST /admin/api/permissions/check': adminOnly(400),
  'GET /admin/api/end-users': adminOnly(200),
  'POST /admin/api/end-users': adminOnly(400),
  'PUT /admin/api/end-users/:id': { url: '/admin/api/end-users/999999', ...adminOnly(404) },
  'DELETE /admin/api/end-users/:id': { url: '/admin/api/end-users/999999', ...adminOnly(404) },
  'GET /admin/api/users': adminOnly(200),
  'POST /admin/api/users': adminOnly(400),
  'PUT /admin/api/users/:id': { url: '/admin/api/users/999999', ...adminOnly(404) },
  'DELETE /admin/api/users/:id': { url: '/admin/api/users/999999', ...adminOnly(404) },
  'POST /admin/api/users/:id/demote': { url: '/admin/api/users/999999/demote', ...adminOnly(404) },
  'GET /admin/api/content-types': adminOnly(200),
  'POST /admin/api/content-types': adminOnly(400),
  'GET /admin/api/content-types/:uid': { url: '/admin/api/content-types/api::none.none', ...adminOnly(404) },
  'PUT /admin/api/content-types/:uid': { url: '/admin/api/content-types/api::none.none', ...adminOnly(404) },
  'DELETE /admin/api/content-types/:uid': {
    url: '/admin/api/content-types/api::none.none',
    ...adminOnly(404),
  },
  'GET /admin/api/components': adminOnly(200),
  'POST /admin/api/components': adminOnly(400),
  'GET /admin/api/components/:uid': { url: '/admin/api/components/none.none', ...adminOnly(404) },
  'PUT /admin/api/components/:uid': { url: '/admin/api/components/none.none', ...adminOnly(404) },
  'DELETE /admin/api/components/:uid': { url: '/admin/api/components/none.none', ...adminOnly(404) },
  'GET /admin/api/schema': adminOnly(200),
  'PUT /admin/api/schema': adminOnly(400),
  'POST /admin/api/schema/check': adminOnly(400),
  'GET /admin/api/schema-version': everybody(200),
  'GET /admin/api/locales': adminOnly(200),
  'POST /admin/api/locales': adminOnly(400),
  'PUT /admin/api/locales/:code': { url: '/admin/api/locales/none', ...adminOnly(404) },
  'DELETE /admin/api/locales/:code': { url: '/admin/api/locales/none', ...adminOnly(404) },
  'GET /admin/api/settings': adminOnly(200),
  'GET /admin/api/about': adminOnly(200),
  'GET /admin/api/webhooks': adminOnly(200),
  'POST /admin/api/webhooks': adminOnly(400),
  'GET /admin/api/webhooks/:id': { url: '/admin/api/webhooks/999999', ...adminOnly(404) },
  'PUT /admin/api/webhooks/:id': { url: '/admin/api/webhooks/999999', ...adminOnly(404) },
  'DELETE /admin/api/webhooks/:id': { url: '/admin/api/webhooks/999999', ...adminOnly(404) },
  'POST /admin/api/webhooks/:id/test': { url: '/admin/api/webhooks/999999/test', ...adminOnly(404) },
  'POST /admin/api/webhooks/:id/rotate': { url: '/admin/api/webhooks/999999/rotate', ...adminOnly(404) },
  'POST /admin/api/webhooks/:id/retry': { url: '/admin/api/webhooks/999999/retry', ...adminOnly(404) },
  'GET /admin/api/webhooks/:id/deliveries': {
    url: '/admin/api/webhooks/999999/deliveries',
    ...adminOnly(404),
  },
  'GET /admin/api/webhooks/deliveries/:delivery': {
    url: '/admin/api/webhooks/deliveries/999999',
    ...adminOnly(404),
  },
  'POST /admin/api/webhooks/deliveries/:delivery/retry': {
    url: '/admin/api/webhooks/deliveries/999999/retry',
    ...adminOnly(404),
  },
  'GET /admin/api/schedules': adminOnly(200),
  'DELETE /admin/api/schedules/:id': { url: '/admin/api/schedules/999999', ...adminOnly(404) },
  'GET /admin/api/releases': adminOnly(200),
  'POST /admin/api/releases': adminOnly(400),
  'GET /admin/api/releases/:id': { url: '/admin/api/releases/999999', ...adminOnly(404) },
  'PUT /admin/api/releases/:id': { url: '/admin/api/releases/999999', ...adminOnly(404) },
  'DELETE /admin/api/releases/:id': { url: '/admin/api/releases/999999', ...adminOnly(404) },
  'POST /admin/api/releases/:id/entries': { url: '/admin/api/releases/999999/entries', ...adminOnly(400) },
  'DELETE /admin/api/releases/:id/entries/:entry': {
    url: '/admin/api/releases/999999/entries/1',
    ...adminOnly(404),
  },
  'POST /admin/api/releases/:id/actions/publish': {
    url: '/admin/api/releases/999999/actions/publish',
    ...adminOnly(404),
  },
  'POST /admin/api/releases/:id/actions/schedule': {
    url: '/admin/api/releases/999999/actions/schedule',
    ...adminOnly(400),
  },
  'POST /admin/api/releases/:id/actions/cancel': {
    url: '/admin/api/releases/999999/actions/cancel',
    ...adminOnly(404),
  },
  'POST /admin/api/releases/:id/actions/revert': {
    url: '/admin/api/releases/999999/actions/revert',
    ...adminOnly(404),
  },
  'GET /admin/api/notices': adminOnly(200),
  'DELETE /admin/api/notices/:id': { url: '/admin/api/notices/999999', ...adminOnly(404) },
  'GET /admin/api/audit': adminOnly(200),
  'GET /admin/api/jobs': adminOnly(200),
  'GET /admin/api/indexes': adminOnly(200),
  'DELETE /admin/api/jobs/:id': { url: '/admin/api/jobs/999999', ...adminOnly(404) },
  'POST /admin/api/jobs/:id/retry': { url: '/admin/api/jobs/999999/retry', ...adminOnly(404) },

  'GET /admin/api/session': everybody(200),
  'POST /admin/api/session': fromTheApp,
  'DELETE /admin/api/session': everybody(403),
  'POST /admin/api/setup': fromTheApp,
  'POST /admin/api/forgot-password': fromTheApp,
  'POST /admin/api/reset-password': fromTheApp,
  'GET /admin/api/sessions': teamOnly,
  'DELETE /admin/api/sessions': teamOnly,
  'DELETE /admin/api/sessions/:id': teamOnly,
  'GET /admin/api/me': teamOnly,
  'PUT /admin/api/me/account': teamOnly,
  'POST /admin/api/me/password': teamOnly,
  'POST /admin/api/me/second-factor': teamOnly,
  'DELETE /admin/api/me/second-factor': teamOnly,
  'POST /admin/api/me/second-factor/confirm': teamOnly,
  'PUT /admin/api/views/types/:uid': { url: '/admin/api/views/types/api::none.none', ...adminOnly(404) },
  'PUT /admin/api/views/navigation': adminOnly(400),
  'GET /admin/api/saved-views': teamOnly,
  'POST /admin/api/saved-views': teamOnly,
  'PUT /admin/api/saved-views/:id': teamOnly,
  'DELETE /admin/api/saved-views/:id': teamOnly,
  'GET /admin/api/invitation': everybody(400),
  'POST /admin/api/invitation': fromTheApp,
  'GET /admin/api/team': adminOnly(200),
  'PUT /admin/api/team/:id': { url: '/admin/api/team/999999', ...adminOnly(404) },
  'DELETE /admin/api/team/:id': { url: '/admin/api/team/999999', ...adminOnly(404) },
  'DELETE /admin/api/team/:id/sessions': { url: '/admin/api/team/999999/sessions', ...adminOnly(404) },
  'DELETE /admin/api/team/:id/second-factor': {
    url: '/admin/api/team/999999/second-factor',
    ...adminOnly(404),
  },
  'GET /admin/api/invitations': adminOnly(200),
  'POST /admin/api/invitations': adminOnly(400),
  'DELETE /admin/api/invitations/:id': adminOnly(404),
  'GET /admin/api/content/users': teamOnly,
  'POST /admin/api/upload': teamOnly,
  'GET /admin/api/upload/files': teamOnly,
  'GET /admin/api/upload/files/:id': teamOnly,
  'DELETE /admin/api/upload/files/:id': teamOnly,
  'POST /admin/api/upload/files/move': teamOnly,
  'POST /admin/api/upload/files/delete': teamOnly,
  'GET /admin/api/upload/files/:id/original': teamOnly,
  'GET /admin/api/upload/files/:id/used-by': teamOnly,
  'GET /admin/api/upload/folders': teamOnly,
  'POST /admin/api/upload/folders': teamOnly,
  'PUT /admin/api/upload/folders': teamOnly,
  'DELETE /admin/api/upload/folders': teamOnly,
}

/** The callers that may perform each action on a content-type, in addition to those with full access. */
const CONTENT: Readonly<Record<string, Readonly<Record<string, readonly Caller[]>>>> = {
  topics: {
    find: ['anonymous', 'readonly', 'user', 'author'],
    findOne: ['anonymous', 'readonly'],
  },
  notes: {
    find: ['anonymous', 'readonly', 'custom', 'user', 'author'],
    findOne: ['readonly', 'user', 'author'],
    create: ['user', 'author'],
    update: ['custom', 'author'],
    delete: ['author'],
    version: ['custom', 'author'],
  },
  vaults: { find: ['readonly'], findOne: ['readonly'] },
}

/** The routes of a content-type, each with its status for permitted callers. */
function contentRoutes(name: string, drafts: boolean): [string, Declared][] {
  const may = (action: string) => [...(CONTENT[name]?.[action] ?? []), ...writers]
  const one = `/api/${name}/${missingDocument}`
  return [
    [`GET /api/${name}`, { may: all(200, may('find')) }],
    [`POST /api/${name}`, { may: all(400, may('create')) }],
    [`GET ${one}`, { may: all(404, may('findOne')) }],
    [`PUT ${one}`, { may: all(404, may('update')), body: { data: {} } }],
    [`DELETE ${one}`, { may: all(204, may('delete')) }],
    ...['publish', 'unpublish', 'discard'].map((action): [string, Declared] => [
      `POST ${one}/actions/${action}`,
      drafts ? { may: all(404, may('version')) } : { may: all(404) },
    ]),
  ]
}

onEachEngine((engine) => {
  let running: TestServer
  const credentials = new Map<string, string | undefined>([['anonymous', undefined]])

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {
      auth: { sessions: 'refresh', secret },
      mcp: { enabled: true },
      rateLimit: { signIn: { perIdentifier: 1_000_000, perAddress: 1_000_000 } },
    })
    const { server } = running
    const { tokens, accounts } = server.access
    const token = async (name: string, expiresAt: string | null = null) =>
      tokens.create({ name, kind: 'full-access', expiresAt })
    const full = { as: TOKENS.full }
    for (const [name, value] of Object.entries(TOKENS)) credentials.set(name, value)
    credentials.set('admin', (await tokens.create({ name: 'admin', kind: 'admin' })).secret)

    const people = new Map<string, Awaited<ReturnType<typeof signUp>>>()
    for (const name of ['user', 'author', 'signedInAdmin', 'blocked', 'deleted', 'changed']) {
      const person = await signUp(server, name)
      people.set(name, person)
      credentials.set(name, person.jwt)
    }
    const personOf = (name: string) => {
      const person = people.get(name)
      assert.ok(person)
      return person
    }
    await giveRole(server, personOf('author'), 'author', TOKENS.full)
    await giveRole(server, personOf('signedInAdmin'), 'admin', String(credentials.get('admin')))
    await signInAgain('signedInAdmin')
    await request(server, 'PUT', `/api/users/${personOf('blocked').id}`, { ...full, body: { blocked: true } })
    await request(server, 'PUT', `/api/users/${personOf('changed').id}`, {
      ...full,
      body: { password: 'another-1' },
    })
    await request(server, 'DELETE', `/api/users/${personOf('deleted').id}`, full)

    const user = await accounts.byDocumentId(personOf('user').documentId)
    assert.ok(user)
    const claims = { account: user.documentId, stamp: user.stamp, session: 'some-session' }
    credentials.set('expired', await createJwt(secret).sign({ ...claims, expiresAt: Date.now() - 60_000 }))
    const [head, body, signature = ''] = personOf('user').jwt.split('.')
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    credentials.set('tampered', [head, body, flipped].join('.'))
    credentials.set('unknown', 'octavo_unknown-token-of-some-length-0123456789')
    const revoked = await token('to be revoked')
    credentials.set('revoked', revoked.secret)
    await tokens.revoke('to be revoked')
    const now = Date.now()
    mock.timers.enable({ apis: ['Date'], now: now - 60_000 })
    credentials.set('expiredToken', (await token('brief', new Date(now - 30_000).toISOString())).secret)
    mock.timers.reset()
  })
  after(() => running?.close())

  async function statusOf(method: Method, url: string, principal: string, body: unknown): Promise<number> {
    assert.ok(credentials.has(principal), principal)
    const as = credentials.get(principal)
    const { status } = await request(running.server, method, url, { as, body })
    if (method !== 'POST' || url !== '/api/auth/logout' || status !== 200) return status
    // A caller that has logged out signs in again for the other routes.
    await signInAgain(principal)
    return status
  }

  async function signInAgain(principal: string): Promise<void> {
    const response = await signIn(running.server, principal, `${principal}-Passw0rd`)
    credentials.set(principal, String(response.at('jwt')))
  }

  async function assertStatuses(route: string, { url, may, invalid = 401, body }: Declared) {
    const [method = '', pattern = ''] = route.split(' ')
    assert.ok(isMethod(method))
    const payload = body ?? (method === 'POST' || method === 'PUT' ? {} : undefined)
    const found: Record<string, number> = {}
    const declared: Record<string, number> = {}
    for (const principal of [...CALLERS, ...INVALID_CALLERS])
      found[principal] = await statusOf(method, url ?? pattern, principal, payload)
    for (const caller of CALLERS) declared[caller] = may[caller] ?? 403
    for (const principal of INVALID_CALLERS) declared[principal] = invalid
    assert.deepEqual(found, declared, route)
  }

  it('every route is declared here', async () => {
    const declared = new Set(Object.keys(ROUTES))
    for (const { method, pattern } of routesOf(running.server)) {
      if (declared.has(`${method} ${pattern}`) || /^(\/api|\/admin\/api\/content)\/:name/.test(pattern))
        continue
      if (method === 'HEAD' && declared.has(`GET ${pattern}`)) continue
      // A method that only refuses needs no declaration.
      assert.ok(isMethod(method))
      const url = pattern.replace(/:\w+/, 'none').replace('*', '/nowhere')
      for (const principal of ['anonymous', 'full', 'admin', 'user']) {
        const status = await statusOf(method, url, principal, undefined)
        const refused = method === 'OPTIONS' ? [200, 204, 401, 403, 404] : [401, 403, 404, 405]
        assert.ok(refused.includes(status), `${method} ${pattern} is not declared and returns ${status}`)
      }
    }
  })

  it('every declared route exists', () => {
    const known = new Set(routesOf(running.server).map(({ method, pattern }) => `${method} ${pattern}`))
    for (const route of Object.keys(ROUTES)) assert.ok(known.has(route), route)
  })

  for (const [route, declared] of Object.entries(ROUTES)) {
    it(`every caller gets the declared status: ${route}`, () => assertStatuses(route, declared))
  }

  it('every content-type of the project is declared', () => {
    const { endpoints } = running.server.layout().model
    assert.deepEqual([...endpoints.keys()].sort(), Object.keys(CONTENT).sort())
  })

  for (const name of Object.keys(CONTENT)) {
    for (const [route, declared] of contentRoutes(name, name === 'notes'))
      it(`every caller gets the declared status: ${route.replace(missingDocument, ':documentId')}`, () =>
        assertStatuses(route, declared))
  }

  it('HEAD returns the status of GET', async () => {
    for (const url of ['/api/topics', '/api/vaults', '/api/users', '/api/users/me']) {
      for (const principal of [...CALLERS, ...INVALID_CALLERS]) {
        const [get, head] = [
          await statusOf('GET', url, principal, undefined),
          await statusOf('HEAD', url, principal, undefined),
        ]
        assert.equal(head, get, `${principal} ${url}`)
      }
    }
  })
})

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const isMethod = (method: string): method is Method => METHODS.includes(method)

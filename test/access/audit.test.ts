/** The audit log over the network: what is recorded, what never is, who may read it, and the commands. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { compile } from '../../src/store/compile.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, type RequestOptions, request, signIn, signUp, type TestUser } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const USER = 'plugin::users-permissions.user'
const NOTE = 'api::note.note'
const SECRETS = [
  'hidden-secret-value',
  '4711-pin-value',
  'Wr0ng-password',
  'Adm1n-Passw0rd',
  'cesario-Passw0rd',
]

interface Found {
  readonly seq: number
  readonly action: string
  readonly by: { readonly kind: string; readonly id?: string; readonly name?: string }
  readonly type: string | null
  readonly documentId: string | null
  readonly fields: readonly string[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly address: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
}

onEachEngine((engine) => {
  let running: TestServer
  let url: string
  let admin: string
  let user: TestUser

  const send = (method: Method, path: string, options: RequestOptions = {}) =>
    request(running.server, method, path, { headers: { 'user-agent': 'the test' }, ...options })

  async function records(query = ''): Promise<Found[]> {
    const { status, text } = await send('GET', `/admin/api/audit?pagination[pageSize]=100&${query}`, {
      as: admin,
    })
    assert.equal(status, 200, text)
    return JSON.parse(text).data
  }

  /** The records that something makes, in order. */
  async function recordsOf(work: () => Promise<unknown>): Promise<Found[]> {
    const [last] = await records()
    await work()
    return (await records()).filter(({ seq }) => seq > (last?.seq ?? 0)).reverse()
  }
  const actionsOf = async (work: () => Promise<unknown>) =>
    (await recordsOf(work)).map(({ action }) => action)

  before(async () => {
    url = await engine.freshUrl()
    running = await serve(PROJECT, url, { auth: { sessions: 'refresh' } })
    admin = (await running.server.access.tokens.create({ name: 'auditor', kind: 'admin' })).secret
    user = await signUp(running.server, 'cesario')
  })
  after(() => running?.close())

  it('a change of content is recorded with its caller, its request and the names of the changed fields', async () => {
    const data = { title: 'One', secret: 'hidden-secret-value', pin: '4711-pin-value', card: { code: 'c' } }
    const made = await recordsOf(() => send('POST', '/api/notes', { as: TOKENS.full, body: { data } }))
    const [created] = made
    assert.deepEqual(
      made.map(({ action }) => action),
      ['document.create', 'document.publish'],
    )
    assert.deepEqual(new Set(created?.fields), new Set(['title', 'secret', 'pin', 'card']))
    assert.deepEqual([created?.type, created?.by.kind, created?.by.name], [NOTE, 'token', 'full'])
    assert.deepEqual([created?.address, created?.userAgent], ['127.0.0.1', 'the test'])
    assert.ok(created?.requestId)
    const path = `/api/notes/${created?.documentId}`
    const changed = await recordsOf(() =>
      send('PUT', path, { as: TOKENS.full, body: { data: { title: 'Two', secret: 'hidden-secret-value' } } }),
    )
    assert.deepEqual(
      changed.map(({ action, fields }) => [action, ...fields]),
      [
        ['document.update', 'title'],
        ['document.publish', 'title'],
      ],
    )
    assert.deepEqual(await actionsOf(() => send('DELETE', path, { as: TOKENS.full })), ['document.delete'])
    assert.deepEqual(await actionsOf(() => send('DELETE', path, { as: TOKENS.full })), [])
    const about = await records(`documentId=${created?.documentId}&type=${NOTE}`)
    assert.equal(about.length, 5)
  })

  it('a change of a user is recorded with its request too', async () => {
    const role = await running.server.access.roles.documentIdOf('authenticated')
    const values = { username: 'orsino', email: 'orsino@example.test', password: 'A long passphrase 9', role }
    const made = await recordsOf(() => send('POST', '/api/users', { as: TOKENS.full, body: values }))
    const account = await running.server.access.accounts.byEmail('orsino@example.test')
    const path = `/api/users/${account?.id}`
    const changed = await recordsOf(() => send('PUT', path, { as: TOKENS.full, body: { nickname: 'Duke' } }))
    const removed = await recordsOf(() => send('DELETE', path, { as: TOKENS.full }))
    for (const list of [made, changed, removed])
      assert.deepEqual(
        list.map(({ type, address, userAgent }) => [type, address, userAgent]),
        [[USER, '127.0.0.1', 'the test']],
      )
  })

  describe('what people do beside content is recorded:', () => {
    it('signing in, failing to, and signing out', async () => {
      const failed = await recordsOf(() => signIn(running.server, 'cesario', 'Wr0ng-password'))
      assert.deepEqual(
        failed.map(({ action, by, documentId, details }) => [action, by.kind, documentId, details?.app]),
        [['session.fail', 'public', user.documentId, 'api']],
      )
      const [unknown] = await recordsOf(() => signIn(running.server, 'Wr0ng-password', 'x'))
      assert.deepEqual([unknown?.action, unknown?.documentId], ['session.fail', null])
      let jwt = ''
      const signedIn = await recordsOf(async () => {
        jwt = String((await signIn(running.server, 'cesario', user.password)).at('jwt'))
      })
      assert.deepEqual(
        signedIn.map(({ action, by }) => [action, by.id, by.name]),
        [['session.create', user.documentId, 'cesario']],
      )
      const out = () => send('POST', '/api/auth/logout', { as: jwt })
      assert.deepEqual(await actionsOf(out), ['session.delete'])
    })

    it('a new password, by its owner', async () => {
      const body = {
        ...{ currentPassword: user.password, password: 'Adm1n-Passw0rd' },
        passwordConfirmation: 'Adm1n-Passw0rd',
      }
      const [changed] = await recordsOf(() =>
        send('POST', '/api/auth/change-password', { as: user.jwt, body }),
      )
      assert.deepEqual(
        [changed?.action, changed?.by.id, changed?.fields, changed?.address],
        ['document.update', user.documentId, ['password'], '127.0.0.1'],
      )
    })

    it('tokens, roles, permissions, invitations and the team', async () => {
      const as = admin
      const post = (path: string, data: object) => () =>
        send('POST', `/admin/api${path}`, { as, body: { data } })
      const [token] = await recordsOf(post('/tokens', { name: 'ci', type: 'read-only' }))
      assert.deepEqual(
        [token?.action, token?.by.name, token?.details?.name],
        ['token.create', 'auditor', 'ci'],
      )
      const revoke = () => send('DELETE', '/admin/api/tokens/ci', { as })
      assert.deepEqual(await actionsOf(revoke), ['token.delete'])
      const [role] = await recordsOf(post('/roles', { type: 'helper', name: 'Helper' }))
      assert.deepEqual([role?.action, role?.by.name], ['document.create', 'auditor'])
      const body = { data: { permissions: { [NOTE]: ['find'] } } }
      const [permissions] = await recordsOf(() => send('PUT', '/admin/api/roles/helper', { as, body }))
      assert.deepEqual(
        [permissions?.action, permissions?.details],
        ['role.permissions', { role: 'helper', types: NOTE }],
      )
      const invited = await recordsOf(post('/invitations', { email: 'new@example.test', role: 'editor' }))
      assert.deepEqual(
        invited.map(({ action, details }) => [action, details?.email]),
        [['invitation.create', 'new@example.test']],
      )
      const [id] = invited.map(({ details }) => String(details?.id))
      const withdraw = () => send('DELETE', `/admin/api/invitations/${id}`, { as })
      assert.deepEqual(await actionsOf(withdraw), ['invitation.delete'])
      const values = { username: 'root', email: 'root@example.test', password: 'Adm1n-Passw0rd' }
      const [person] = await recordsOf(post('/users', values))
      assert.deepEqual([person?.action, person?.type, person?.by.name], ['document.create', USER, 'auditor'])
      const team = await send('GET', '/admin/api/team', { as })
      const path = `/admin/api/team/${team.at('data', 0, 'id')}`
      const rename = () => send('PUT', path, { as, body: { data: { username: 'chief' } } })
      const [renamed] = await recordsOf(rename)
      assert.deepEqual([renamed?.action, renamed?.fields], ['document.update', ['username']])
      const sessions = () => send('DELETE', `${path}/sessions`, { as })
      assert.deepEqual(await actionsOf(sessions), ['session.delete'])
    })

    it('sessions of the admin app', async () => {
      const headers = { origin: running.base }
      const start = (password: string) => () =>
        send('POST', '/admin/api/session', { headers, body: { identifier: 'chief', password } })
      assert.deepEqual(await actionsOf(start('Wr0ng-password')), ['session.fail'])
      const [session] = await recordsOf(start('Adm1n-Passw0rd'))
      assert.deepEqual([session?.action, session?.details], ['session.create', { app: 'admin' }])
    })

    it('the content-types that a server starts with', async () => {
      const [started] = await records('action=schema.update')
      assert.deepEqual([started?.by.kind, started?.address], ['system', null])
      assert.match(String(started?.details?.changes), /api::note\.note: new content-type/)
    })

    it('what was refused is not recorded as done', async () => {
      const refused = async () => {
        await send('POST', '/admin/api/tokens', { as: admin, body: { data: { name: 'x', type: 'none' } } })
        await send('POST', '/api/notes', { as: TOKENS.full, body: { data: { secret: 'no title' } } })
        await send('DELETE', '/admin/api/tokens/none', { as: admin })
      }
      assert.deepEqual(await actionsOf(refused), [])
    })
  })

  describe('the log', () => {
    it('is for admins only, and cannot be changed', async () => {
      for (const as of [undefined, user.jwt, TOKENS.full, TOKENS.readonly])
        assert.ok([401, 403].includes((await send('GET', '/admin/api/audit', { as })).status))
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
        assert.equal((await send(method, '/admin/api/audit', { as: admin })).status, 405)
      assert.equal((await send('DELETE', '/admin/api/audit/1', { as: admin })).status, 405)
    })

    it('is read page by page, and with filters', async () => {
      const all = await records()
      const pages: number[] = []
      for (let cursor: string | null = 'start'; cursor !== null; ) {
        const page = await send(
          'GET',
          `/admin/api/audit?pagination[pageSize]=7&pagination[cursor]=${cursor}`,
          { as: admin },
        )
        const { data, meta } = JSON.parse(page.text)
        pages.push(...data.map(({ seq }: Found) => seq))
        cursor = meta.pagination.nextCursor
      }
      assert.deepEqual(
        pages,
        all.map(({ seq }) => seq),
      )
      assert.ok((await records('action=session.fail')).every(({ action }) => action === 'session.fail'))
      assert.equal((await records(`by=user:${user.documentId}&action=session.delete`)).length, 1)
      assert.deepEqual(await records('from=2999-01-01T00:00:00Z'), [])
      assert.deepEqual((await records('to=2999-01-01T00:00:00Z')).length, all.length)
    })

    it('explains invalid parameters', async () => {
      for (const [query, message] of [
        ['acton=x', 'did you mean \\"action\\"'],
        ['from=yesterday', 'Invalid from: expected an ISO 8601 date and time'],
        ['by=cesario', 'Invalid by: expected user:'],
        ['format=xml', 'expected json, jsonl or csv'],
        ['pagination[cursor]=x', 'Invalid pagination at cursor'],
        ['type[]=a', 'Invalid type: expected a string'],
      ] as const) {
        const { status, text } = await send('GET', `/admin/api/audit?${query}`, { as: admin })
        assert.equal(status, 400, query)
        assert.ok(text.includes(message), text)
      }
    })

    it('contains no password, token or private value', async () => {
      const { text } = await send('GET', '/admin/api/audit?format=jsonl', { as: admin })
      for (const secret of [...SECRETS, admin, TOKENS.full, user.jwt])
        assert.ok(!text.includes(secret), secret)
    })

    it('is exported as lines whose hashes anyone can check', async () => {
      const { headers, text } = await send('GET', '/admin/api/audit', {
        as: admin,
        headers: { accept: 'application/jsonl' },
      })
      assert.equal(headers['content-type'], 'application/jsonl; charset=utf-8')
      let previous = ''
      const lines = text.trimEnd().split('\n')
      assert.ok(lines.length > 10)
      for (const line of lines) {
        const [content, hash = ''] = line.split(/,"hash":"([0-9a-f]{64})"}$/)
        previous = createHash('sha256').update(`${previous}\n${content}}`).digest('hex')
        assert.equal(hash, previous)
      }
    })

    it('is exported as a table', async () => {
      const { headers, text } = await send('GET', '/admin/api/audit?format=csv&action=token.create', {
        as: admin,
      })
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
      const [first, ...rows] = text.trimEnd().split('\r\n')
      assert.equal(
        first,
        'seq,at,action,by,type,documentId,locale,fields,details,address,userAgent,requestId,hash',
      )
      assert.equal(rows.length, (await records('action=token.create')).length)
      for (const row of rows) assert.match(row, /^\d+,\d{4}-[^,]+,token\.create,(token:\d+|system),,,,/)
    })

    it('is listed, exported and verified by the command', async () => {
      const project = ['--project', running.server.project.dir, '--database', url]
      const list = await octavo(['audit', '--since', '1h', '--action', 'token.delete', ...project])
      assert.match(list.out, /token:\d+ {2}token\.delete {2}\{"id":\d+,"name":"ci"\} {2}from 127\.0\.0\.1/)
      const { out } = await octavo(['audit', 'verify', ...project])
      const [, checkpoint = ''] =
        /^\d+ records are unchanged\.\nCheckpoint: (\d+:[0-9a-f]{64})\n$/.exec(out) ?? []
      assert.ok(checkpoint, out)
      const forged = checkpoint.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const result = await octavo(['audit', 'verify', '--checkpoint', forged, ...project])
      assert.equal(result.code, 1)
      assert.match(result.err, /tampered with:\n {2}Record \d+ does not have the hash of the checkpoint/)
    })
  })

  it('a server whose log is off has no table and says so', async () => {
    const off = await serve(PROJECT, await engine.emptyUrl(), { audit: { enabled: false } })
    try {
      const { secret } = await off.server.access.tokens.create({ name: 'a', kind: 'admin' })
      const response = await request(off.server, 'GET', '/admin/api/audit', { as: secret })
      assert.equal(response.status, 404)
      assert.ok(response.text.includes('audit.enabled'))
      const table = engine.dialect.hasTable('octavo_audit')
      assert.deepEqual(await off.server.store.read(compile(engine.dialect, table)), [])
    } finally {
      await off.close()
    }
  })

  it('jobs are listed, run and cancelled by admins', async () => {
    const { status, text } = await send('GET', '/admin/api/jobs?limit=5', { as: admin })
    assert.equal(status, 200, text)
    const { data, meta } = JSON.parse(text)
    const job = data.find(({ kind }: { kind: string }) => kind === 'audit.maintenance')
    assert.ok(job && meta.counts.length > 0)
    const path = `/admin/api/jobs/${job.id}`
    const retry = await recordsOf(async () => {
      assert.equal((await send('POST', `${path}/retry`, { as: admin })).status, 204)
    })
    assert.deepEqual(
      retry.map(({ action, details }) => [action, details?.id]),
      [['job.retry', job.id]],
    )
    assert.equal((await send('DELETE', path, { as: admin })).status, 204)
    assert.equal((await send('DELETE', path, { as: admin })).status, 404)
    assert.equal((await send('DELETE', '/admin/api/jobs/none', { as: admin })).status, 404)
    assert.equal((await send('GET', '/admin/api/jobs?state=lost', { as: admin })).status, 400)
    assert.equal((await send('GET', '/admin/api/jobs', { as: TOKENS.full })).status, 403)
  })
})

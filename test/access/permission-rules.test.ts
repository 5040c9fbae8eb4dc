import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Permission } from '../../src/project/config/access-config.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import {
  giveRole,
  type Method,
  type RequestOptions,
  request,
  signUp,
  type TestResponse,
  type TestUser,
} from './client.ts'
import { PROJECT, ROLES, TOKENS } from './project.ts'

const NOTE = 'api::note.note'

/** The project with the permissions of one role on notes replaced. */
const withNotes = (role: 'authenticated' | 'author', permissions: unknown) =>
  new Map(PROJECT).set('config/roles.json', { ...ROLES, [role]: { ...ROLES[role], [NOTE]: permissions } })

onEachEngine((engine) => {
  let running: TestServer
  let ana: TestUser
  let ben: TestUser
  let topic: string
  let anas: string
  let bens: string

  const send = (method: Method, url: string, options: RequestOptions = {}) =>
    request(running.server, method, url, options)
  const idOf = (response: TestResponse) => String(response.at('data', 'documentId'))
  const titles = (response: TestResponse) => {
    const data = response.at('data')
    return Array.isArray(data) ? data.map(({ title }) => title).sort() : data
  }

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    ana = await signUp(running.server, 'ana')
    ben = await signUp(running.server, 'ben')
    await giveRole(running.server, ana, 'author', TOKENS.full)
    await giveRole(running.server, ben, 'author', TOKENS.full)
    topic = idOf(await send('POST', '/api/topics', { as: TOKENS.full, body: { data: { name: 'Shared' } } }))
    const note = async (title: string, owner: TestUser) => {
      const data = { title, owner: owner.documentId, topic, secret: `secret of ${title}` }
      return idOf(await send('POST', '/api/notes', { as: TOKENS.full, body: { data } }))
    }
    anas = await note('by ana', ana)
    bens = await note('by ben', ben)
  })
  after(() => running?.close())

  it('a rule applies to lists, counts, reads by id and search', async () => {
    const list = await send('GET', '/api/notes', { as: ana.jwt })
    assert.deepEqual(titles(list), ['by ana'])
    assert.equal(list.at('meta', 'pagination', 'total'), 1)
    assert.equal((await send('GET', `/api/notes/${anas}`, { as: ana.jwt })).status, 200)
    assert.equal((await send('GET', `/api/notes/${bens}`, { as: ana.jwt })).status, 404)
    assert.deepEqual(titles(await send('GET', '/api/notes?_q=by', { as: ana.jwt })), ['by ana'])
    assert.deepEqual(titles(await send('GET', '/api/notes', { as: ben.jwt })), ['by ben'])
  })

  it('a rule applies to populated relations, their counts and filters', async () => {
    const through = async (query: string) => (await send('GET', `/api/topics?${query}`, { as: ana.jwt })).text
    assert.ok((await through('populate=notes')).includes('by ana'))
    assert.ok(!(await through('populate=notes')).includes('by ben'))
    assert.match(await through('populate[notes][count]=true'), /"notes":\{"count":1\}|"notes":1/)
    assert.ok((await through('filters[notes][title]=by%20ana')).includes('Shared'))
    assert.ok(!(await through('filters[notes][title]=by%20ben')).includes('Shared'))
    const deep = await send('GET', '/api/notes?populate[topic][populate]=notes', { as: ana.jwt })
    assert.ok(!deep.text.includes('by ben'))
  })

  it('a rule applies to the response to a write', async () => {
    const url = `/api/notes/${anas}?populate[topic][populate]=notes`
    const response = await send('PUT', url, { as: ana.jwt, body: { data: { title: 'by ana' } } })
    assert.equal(response.status, 200)
    assert.ok(response.text.includes('by ana') && !response.text.includes('by ben'), response.text)
  })

  it('a rule applies to updates and deletes', async () => {
    const body = { data: { title: 'taken over' } }
    assert.notEqual((await send('PUT', `/api/notes/${bens}`, { as: ana.jwt, body })).status, 200)
    await send('DELETE', `/api/notes/${bens}`, { as: ana.jwt })
    const still = await send('GET', `/api/notes/${bens}`, { as: TOKENS.full })
    assert.equal(still.at('data', 'title'), 'by ben')
  })

  it('a rule applies to created documents', async () => {
    const create = (owner: TestUser) =>
      send('POST', '/api/notes', {
        as: ana.jwt,
        body: { data: { title: 'made', owner: owner.documentId } },
      })
    assert.equal((await create(ana)).status, 201)
    assert.notEqual((await create(ben)).status, 201)
    const notes = await send('GET', '/api/notes', { as: ben.jwt })
    assert.deepEqual(titles(notes), ['by ben'])
  })

  it('only the fields of the rule can be written', async () => {
    for (const data of [{ secret: 'x' }, { owner: ben.documentId }, { topic: null }]) {
      const response = await send('PUT', `/api/notes/${anas}`, { as: ana.jwt, body: { data } })
      assert.equal(response.status, 400, JSON.stringify(data))
    }
  })

  it('only the fields of the rule can be read: in responses, filters, sort, fields and relations', async () => {
    const users = await send('GET', '/api/users?sort=username', { as: ana.jwt })
    assert.equal(users.status, 200)
    assert.ok(users.text.includes('"username":"ben"') && !users.text.includes('@example.test'))
    for (const query of [
      'filters[email]=ben@example.test',
      'sort=email',
      'fields=email',
      'filters[blocked]=false',
    ])
      assert.equal((await send('GET', `/api/users?${query}`, { as: ana.jwt })).status, 400, query)
    const owned = await send('GET', '/api/notes?populate=owner', { as: ana.jwt })
    assert.ok(owned.text.includes('"username":"ana"') && !owned.text.includes('@example.test'))
    const guess = 'filters[owner][email]=ana@example.test'
    assert.equal((await send('GET', `/api/notes?${guess}`, { as: ana.jwt })).status, 400)
  })

  it('users cannot change their own role or unblock themselves', async () => {
    const role = await running.server.access.roles.documentIdOf('authenticated')
    for (const body of [{ role }, { blocked: false }, { confirmed: true }, { provider: 'x' }]) {
      const response = await send('PUT', `/api/users/${ana.id}`, { as: ana.jwt, body })
      assert.equal(response.status, 400, JSON.stringify(body))
    }
    const own = await send('PUT', `/api/users/${ana.id}`, { as: ana.jwt, body: { nickname: 'A' } })
    assert.equal(own.status, 200)
    const other = await send('PUT', `/api/users/${ben.id}`, { as: ana.jwt, body: { nickname: 'B' } })
    assert.notEqual(other.status, 200)
  })

  it('publishing an invalid draft does not show the values that the caller may not read', async () => {
    const limits = { minLength: 20 }
    const hidden = { type: 'string', private: true, ...limits }
    const strict = await serve(
      new Map(PROJECT)
        .set('src/api/note/content-types/note/schema.json', {
          ...{ kind: 'collectionType', options: { draftAndPublish: true } },
          info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
          attributes: {
            title: { type: 'string' },
            body: { type: 'string', ...limits },
            secret: hidden,
            card: { type: 'component', component: 'shared.card' },
          },
        })
        .set('src/components/shared/card.json', {
          info: { displayName: 'card' },
          attributes: { label: { type: 'string', ...limits }, code: hidden },
        })
        .set('src/extensions/users-permissions/content-types/user/schema.json', { attributes: {} })
        .set('src/api/topic/content-types/topic/schema.json', {
          info: { singularName: 'topic', pluralName: 'topics', displayName: 'topic' },
          attributes: { name: { type: 'string' } },
        })
        .set('config/roles.json', {}),
      await engine.freshUrl(),
    )
    const write = (method: Method, url: string, as: string, body?: unknown) =>
      request(strict.server, method, url, { as, body })
    try {
      const data = {
        title: 'A',
        body: 'hidden-1',
        secret: 'hidden-2',
        card: { label: 'hidden-3', code: 'hidden-4' },
      }
      const id = idOf(await write('POST', '/api/notes?status=draft', TOKENS.full, { data }))
      const { secret } = await strict.server.access.tokens.create({
        name: 'publisher',
        kind: 'custom',
        permissions: {
          [NOTE]: [
            { action: 'find', fields: ['title'] },
            { action: 'update', fields: ['title'] },
            'publish',
            '-readDrafts',
          ],
        },
      })
      for (const refused of [
        await write('POST', `/api/notes/${id}/actions/publish`, secret),
        await write('PUT', `/api/notes/${id}`, secret, { data: { title: 'B' } }),
      ]) {
        assert.equal(refused.status, 400, refused.text)
        assert.match(refused.text, /secret must have at least 20 characters/)
        assert.doesNotMatch(refused.text, /hidden-/)
      }
      // What the caller has sent is repeated.
      const sent = await write('PUT', `/api/notes/${id}`, TOKENS.full, { data: { body: 'sent now' } })
      assert.match(sent.text, /"value":"sent now"/)
      assert.doesNotMatch(sent.text, /hidden-/)
    } finally {
      await strict.close()
    }
  })

  it('a caller who may change but not read a document sees its public attributes in the response', async () => {
    const { tokens } = running.server.access
    const putAs = async (name: string, ...permissions: Permission[]) => {
      const created = await tokens.create({ name, kind: 'custom', permissions: { [NOTE]: permissions } })
      return send('PUT', `/api/notes/${bens}`, { as: created.secret, body: { data: {} } })
    }
    const written = await putAs('writes only', 'update')
    assert.equal(written.at('data', 'title'), 'by ben')
    assert.doesNotMatch(written.text, /secret/)
    const limited = await putAs('finds topics', 'update', { action: 'find', fields: ['topic'] })
    assert.equal(limited.status, 200)
    assert.equal(limited.at('data', 'title'), undefined)
  })

  it('the response to deleting a user has the same fields as that to updating one', async () => {
    const user = 'plugin::users-permissions.user'
    const strict = await serve(
      new Map(PROJECT).set('config/roles.json', {
        authenticated: { [user]: [{ action: 'findOne', fields: ['username'] }, 'update', 'delete'] },
      }),
      await engine.freshUrl(),
    )
    const { server } = strict
    const [clerk, leaver] = [await signUp(server, 'clerk'), await signUp(server, 'leaver')]
    const write = (method: Method, body?: unknown) =>
      request(server, method, `/api/users/${leaver.id}`, { as: clerk.jwt, body })
    const changed = await write('PUT', { nickname: 'L' })
    const deleted = await write('DELETE')
    assert.deepEqual([changed.status, deleted.status], [200, 200])
    assert.deepEqual(Object.keys(Object(deleted.at())), Object.keys(Object(changed.at())))
    assert.equal(deleted.at('username'), 'leaver')
    assert.ok(!deleted.text.includes(leaver.email))
    const own = await request(server, 'GET', '/api/users/me', { as: clerk.jwt })
    assert.equal(own.at('email'), clerk.email)
    await strict.close()
  })

  it('callers who may create users but not assign roles create users with the role of registered users', async () => {
    const user = 'plugin::users-permissions.user'
    const roles = 'plugin::users-permissions.role'
    const fields = ['username', 'email', 'password']
    const { server, close } = await serve(
      new Map(PROJECT).set('config/roles.json', {
        authenticated: { [user]: ['create', 'find'] },
        clerk: { [user]: [{ action: 'create', fields }, 'find'], [roles]: ['find'] },
        blind: { [user]: [{ action: 'create', fields: [...fields, 'role'] }, 'find'] },
        chief: { [user]: [{ action: 'create', fields: [...fields, 'role'] }, 'find'], [roles]: ['find'] },
      }),
      await engine.freshUrl(),
    )
    const role = await server.access.roles.documentIdOf('clerk')
    let made = 0
    const create = (as: string, more = {}) => {
      const name = `made${++made}`
      const body = { username: name, email: `${name}@example.test`, password: 'long-enough', ...more }
      return request(server, 'POST', '/api/users', { as, body })
    }
    const roleOf = async (created: Awaited<ReturnType<typeof create>>) => {
      assert.equal(created.status, 201, created.text)
      const path = `/api/users/${created.at('id')}?populate=role`
      return (await request(server, 'GET', path, { as: TOKENS.full })).at('role', 'type')
    }
    const { jwt } = await signUp(server, 'plain')
    const signedUpAs = async (type: string) => {
      const { id, jwt } = await signUp(server, type)
      const body = { role: await server.access.roles.documentIdOf(type) }
      assert.equal((await request(server, 'PUT', `/api/users/${id}`, { as: TOKENS.full, body })).status, 200)
      return jwt
    }
    try {
      const permissions = { [user]: ['create'] }
      const { secret } = await server.access.tokens.create({ name: 'maker', kind: 'custom', permissions })
      for (const as of [jwt, secret, await signedUpAs('clerk'), await signedUpAs('blind')]) {
        assert.equal(await roleOf(await create(as)), 'authenticated')
        assert.equal((await create(as, { role })).at('error', 'message'), 'Invalid key role')
      }
      for (const as of [TOKENS.full, await signedUpAs('chief')]) {
        assert.equal((await create(as)).at('error', 'message'), 'role is required')
        assert.equal(await roleOf(await create(as, { role })), 'clerk')
      }
    } finally {
      await close()
    }
  })

  it('the list of users accepts withCount, although it shows no count', async () => {
    const list = (query: string) => send('GET', `/api/users?${query}`, { as: TOKENS.full })
    const plain = await list('sort=id')
    for (const query of ['pagination[withCount]=true', 'pagination%5BwithCount%5D=false']) {
      const response = await list(`sort=id&${query}`)
      assert.deepEqual([response.status, response.text], [200, plain.text], query)
    }
    assert.equal((await list('limit=1&pagination[withCount]=true')).status, 200)
    assert.equal((await list('pagination[withCount]=perhaps')).status, 400)
  })

  it('findOne rules apply to documents, find rules to lists', async () => {
    const project = withNotes('authenticated', [
      { action: 'findOne', filters: { title: 'open' }, fields: ['title'] },
      'create',
    ])
    const strict = await serve(project, await engine.freshUrl())
    const eva = await signUp(strict.server, 'eva')
    const make = async (title: string) =>
      idOf(await request(strict.server, 'POST', '/api/notes', { as: TOKENS.full, body: { data: { title } } }))
    const [open, closed] = [await make('open'), await make('closed')]
    const status = async (path: string) => (await request(strict.server, 'GET', path, { as: eva.jwt })).status
    assert.equal(await status(`/api/notes/${open}`), 200)
    assert.equal(await status(`/api/notes/${closed}`), 404)
    assert.equal(await status('/api/notes'), 403)
    assert.equal(await status(`/api/notes/${open}?populate=card`), 400)
    await strict.close()
  })

  it('with -publish a role can write drafts but not publish', async () => {
    const project = withNotes('authenticated', ['find', 'findOne', 'create', 'update', '-publish'])
    const strict = await serve(project, await engine.freshUrl())
    const { jwt } = await signUp(strict.server, 'drafter')
    const body = { data: { title: 'draft' } }
    const draft = await request(strict.server, 'POST', '/api/notes?status=draft', { as: jwt, body })
    assert.equal(draft.status, 201)
    const path = `/api/notes/${idOf(draft)}`
    const status = async (method: Method, url: string) =>
      (await request(strict.server, method, url, { as: jwt, body })).status
    assert.equal(await status('POST', '/api/notes'), 403)
    assert.equal(await status('PUT', path), 403)
    assert.equal(await status('PUT', `${path}?status=draft`), 200)
    assert.equal(await status('POST', `${path}/actions/publish`), 403)
    assert.equal(await status('POST', `${path}/actions/unpublish`), 403)
    await strict.close()
  })

  it('a role that may only create cannot publish drafts of others', async () => {
    const { jwt } = await signUp(running.server, 'maker')
    const left = await send('POST', '/api/notes?status=draft', {
      as: TOKENS.full,
      body: { data: { title: 'left' } },
    })
    for (const action of ['publish', 'unpublish', 'discard']) {
      const response = await send('POST', `/api/notes/${idOf(left)}/actions/${action}`, { as: jwt, body: {} })
      assert.equal(response.status, 403, action)
    }
  })

  it('with -readDrafts drafts are hidden in lists, by id, in relations and filters', async () => {
    const project = withNotes('authenticated', ['find', 'findOne', '-readDrafts'])
    const strict = await serve(project, await engine.freshUrl())
    const { server } = strict
    const { jwt } = await signUp(server, 'reader')
    const made = await request(server, 'POST', '/api/topics', {
      as: TOKENS.full,
      body: { data: { name: 'T' } },
    })
    const data = { title: 'unfinished', topic: idOf(made) }
    const draft = await request(server, 'POST', '/api/notes?status=draft', {
      as: TOKENS.full,
      body: { data },
    })
    const get = (url: string) => request(server, 'GET', url, { as: jwt })
    assert.equal((await get('/api/notes?status=draft')).status, 403)
    assert.equal((await get(`/api/notes/${idOf(draft)}?status=draft`)).status, 403)
    assert.equal((await get('/api/notes')).status, 200)
    const populated = await get('/api/topics?status=draft&populate=notes')
    assert.equal(populated.headers['octavo-omitted'], 'notes')
    assert.ok(!populated.text.includes('unfinished'))
    assert.equal((await get('/api/topics?status=draft&filters[notes][title]=unfinished')).status, 400)
    await strict.close()
  })

  it('a rule for readDrafts limits drafts but not published versions', async () => {
    const own = { action: 'readDrafts', filters: { title: { $startsWith: 'mine' } } }
    const project = withNotes('authenticated', ['find', 'findOne', own])
    const strict = await serve(project, await engine.freshUrl())
    const { server } = strict
    const { jwt } = await signUp(server, 'reader')
    const topic = await request(server, 'POST', '/api/topics', {
      as: TOKENS.full,
      body: { data: { name: 'T' } },
    })
    const make = async (title: string) =>
      idOf(
        await request(server, 'POST', '/api/notes', {
          as: TOKENS.full,
          body: { data: { title, topic: idOf(topic) } },
        }),
      )
    const [mine, other] = [await make('mine'), await make('other')]
    const get = (url: string) => request(server, 'GET', url, { as: jwt })
    const titles = /mine|other/g
    assert.deepEqual((await get('/api/notes?fields=title&status=draft')).text.match(titles), ['mine'])
    assert.equal((await get(`/api/notes/${mine}?status=draft`)).status, 200)
    assert.equal((await get(`/api/notes/${other}?status=draft`)).status, 404)
    const populated = await get('/api/topics?status=draft&populate[notes][fields]=title')
    assert.deepEqual(populated.text.match(titles), ['mine'])
    assert.deepEqual((await get('/api/notes?fields=title')).text.match(titles), ['mine', 'other'])
    await strict.close()
  })

  it('writing a draft without readDrafts returns only its ids', async () => {
    const project = withNotes('authenticated', ['find', 'findOne', 'create', 'update', '-readDrafts'])
    const strict = await serve(project, await engine.freshUrl())
    const { server } = strict
    const { jwt } = await signUp(server, 'writer')
    const left = idOf(
      await request(server, 'POST', '/api/notes', { as: TOKENS.full, body: { data: { title: 'open' } } }),
    )
    const body = { data: { title: 'unfinished' } }
    await request(server, 'PUT', `/api/notes/${left}?status=draft`, { as: TOKENS.full, body })
    const write = (method: Method, url: string, data: unknown = {}) =>
      request(server, method, url, { as: jwt, body: { data } })
    for (const [query, kept] of [
      ['', {}],
      ['&fields=title', {}],
      ['&populate=*', { title: undefined }],
    ] as const) {
      const response = await write('PUT', `/api/notes/${left}?status=draft${query}`, kept)
      assert.equal(response.status, 200, query)
      assert.deepEqual(Object.keys(Object(response.at('data'))), ['id', 'documentId', 'meta'], query)
      assert.ok(!response.text.includes('unfinished'), query)
    }
    assert.equal((await write('PUT', `/api/notes/${left}?status=draft&fields=nothing`)).status, 400)
    const taken = await write('POST', `/api/notes/${left}/actions/unpublish`)
    assert.deepEqual([taken.status, taken.text.includes('unfinished')], [200, false])
    const made = await write('POST', '/api/notes?status=draft', { title: 'mine' })
    assert.equal(made.status, 201)
    assert.deepEqual(Object.keys(Object(made.at('data'))), ['documentId', 'meta'])
    const published = await write('PUT', `/api/notes/${idOf(made)}`, { title: 'for all' })
    assert.deepEqual([published.status, published.at('data', 'title')], [200, 'for all'])
    await strict.close()
  })

  it('without readDrafts it is not revealed which documents have a draft', async () => {
    const project = withNotes('authenticated', ['find', '-readDrafts'])
    const strict = await serve(project, await engine.freshUrl())
    const { jwt } = await signUp(strict.server, 'reader')
    const status = async (query: string, as: string = jwt) =>
      (await request(strict.server, 'GET', `/api/notes?${query}`, { as })).status
    for (const filter of ['modified', 'unmodified', 'published-with-draft', 'published-without-draft']) {
      assert.equal(await status(`publicationFilter=${filter}`), 403, filter)
      assert.equal(await status(`publicationFilter=${filter}`, TOKENS.full), 200, filter)
    }
    for (const query of ['publicationFilter=has-published-version', 'hasPublishedVersion=true'])
      assert.equal(await status(query), 200, query)
    assert.equal(await status('hasPublishedVersion=false&status=draft'), 403)
    await strict.close()
  })

  it('a body cannot name hidden documents, from either side of a relation', async () => {
    const take = (notes: unknown) => send('PUT', `/api/users/${ana.id}`, { as: ana.jwt, body: { notes } })
    const missing = await take({ connect: ['aaaaaaaaaaaaaaaaaaaaaaaa'] })
    const hidden = await take({ connect: [bens] })
    assert.equal(hidden.status, 400)
    assert.equal(hidden.text.replaceAll(bens, ''), missing.text.replaceAll('aaaaaaaaaaaaaaaaaaaaaaaa', ''))
    for (const notes of [
      [bens],
      { set: [bens] },
      { connect: [{ documentId: bens }] },
      { disconnect: [bens] },
    ])
      assert.equal((await take(notes)).status, 400, JSON.stringify(notes))
    const owner = await send('GET', `/api/notes/${bens}?populate=owner`, { as: TOKENS.full })
    assert.equal(owner.at('data', 'owner', 'username'), 'ben')
    assert.equal((await take({ connect: [anas] })).status, 200)
  })

  it('a relation cannot be used to change a document that only its owner may update', async () => {
    const project = new Map(PROJECT).set('config/roles.json', {
      ...ROLES,
      author: {
        'plugin::users-permissions.user': [{ action: 'update', filters: { id: '$user.id' } }],
        [NOTE]: ['find', { action: 'delete', filters: { owner: { id: '$user.id' } } }],
      },
    })
    const open = await serve(project, await engine.freshUrl())
    const { server } = open
    const [thief, victim] = [await signUp(server, 'thief'), await signUp(server, 'keeper')]
    await giveRole(server, thief, 'author', TOKENS.full)
    const data = { title: 'kept', owner: victim.documentId }
    const note = idOf(await request(server, 'POST', '/api/notes', { as: TOKENS.full, body: { data } }))
    const body = { notes: { connect: [note] } }
    assert.equal(
      (await request(server, 'PUT', `/api/users/${thief.id}`, { as: thief.jwt, body })).status,
      400,
    )
    assert.equal((await request(server, 'DELETE', `/api/notes/${note}`, { as: thief.jwt })).status, 403)
    await open.close()
  })

  it('a header lists what was omitted from a populated response', async () => {
    const response = await send('GET', '/api/notes?populate[0]=vault&populate[1]=topic')
    assert.equal(response.status, 200)
    assert.match(String(response.headers['octavo-omitted']), /vault/)
  })

  it('rejects filters and sorts through a relation that the caller may not find', async () => {
    for (const query of [
      'filters[vault][content]=gold',
      'filters[vault][id][$notNull]=true',
      'filters[vault][$null]=true',
      'filters[$or][0][vault][content][$startsWith]=g',
      'sort=vault.content',
      'sort[vault][content]=asc',
      'populate[topic][filters][notes][vault][content]=gold',
    ]) {
      const response = await send('GET', `/api/notes?${query}`)
      assert.equal(response.status, 400, query)
    }
  })

  it('a body cannot refer to documents of a content-type that the caller may not find', async () => {
    const { jwt } = await signUp(running.server, 'pointer')
    for (const owner of [ana.documentId, ana.id, 'nobodyatall0000000000000']) {
      const body = { data: { title: 'x', owner } }
      const response = await send('POST', '/api/notes', { as: jwt, body })
      assert.deepEqual([response.status, response.at('error', 'details', 'key')], [400, 'owner'])
    }
  })
})

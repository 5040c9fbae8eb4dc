/** Every caller gets their own response to the same URL, whoever has filled the cache: compared with a server without a cache. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { afterWrites, giveRole, request, signUp } from './client.ts'
import { PROJECT, TOKENS } from './project.ts'

const URLS = [
  '/api/notes',
  '/api/notes?populate=*',
  '/api/notes?populate[owner][fields]=username&sort=title',
  '/api/notes?filters[title][$contains]=note&pagination[pageSize]=2',
  '/api/notes?fields=title&pagination[withCount]=true',
  '/api/notes?status=draft',
  '/api/notes/:note',
  '/api/notes/:note?populate=*',
  '/api/topics?populate=notes',
  '/api/topics?populate[notes][populate]=owner',
  '/api/topics?sort=name&_q=a',
  '/api/vaults',
  '/api/users',
  '/api/users?populate=notes',
  '/api/users/me',
  '/api/users/:user',
] as const
const AUTH = { secret: 'the secret that both servers share with each other' }

onEachEngine((engine) => {
  let cached: TestServer
  let plain: TestServer
  let position: Readonly<Record<string, string>> = {}
  const callers = new Map<string, string | undefined>([
    ['the public', undefined],
    ...Object.entries(TOKENS).map(([name, token]): [string, string] => [`the ${name} token`, token]),
  ])
  const ids = { note: '', user: '' }

  before(async () => {
    const url = await engine.freshUrl()
    cached = await serve(PROJECT, url, { auth: AUTH })
    plain = await serve(PROJECT, url, { auth: AUTH, cache: { enabled: false, counts: false } })
    const topic = await create('/api/topics', { name: 'a topic', key: 'key' })
    const vault = await create('/api/vaults', { content: 'gold' })
    for (const name of ['ana', 'ben', 'eve', 'zoe']) {
      const user = await signUp(cached.server, name)
      if (name !== 'zoe') await giveRole(cached.server, user, 'author', TOKENS.full)
      callers.set(name, (await signInAgain(name, user.password)) ?? user.jwt)
      ids.user = String(user.id)
      ids.note = await create('/api/notes', {
        title: `note of ${name}`,
        owner: user.documentId,
        topic,
        vault,
      })
      await create('/api/notes?status=draft', { title: `draft of ${name}`, owner: user.documentId })
    }
    const { secret } = await cached.server.access.tokens.create({ name: 'admin', kind: 'admin' })
    callers.set('the admin token', secret)
    position = await afterWrites(cached.server)
  })
  after(() => Promise.all([cached?.close(), plain?.close()]))

  async function create(path: string, data: object): Promise<string> {
    const response = await request(cached.server, 'POST', path, { as: TOKENS.full, body: { data } })
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }
  /** Another role ends the session. */
  async function signInAgain(identifier: string, password: string): Promise<string> {
    const { at } = await request(cached.server, 'POST', '/api/auth/local', { body: { identifier, password } })
    return String(at('jwt'))
  }
  const responseOf = async ({ server }: TestServer, url: string, as: string | undefined) => {
    const path = url.replace(':note', ids.note).replace(':user', ids.user)
    const { status, text, headers } = await request(server, 'GET', path, { as, headers: position })
    return { status, text, omitted: headers['octavo-omitted'], etag: headers.etag }
  }

  it('every caller gets the response of a server without a cache', async () => {
    const distinct = new Set<string>()
    let compared = 0
    for (const url of URLS) {
      const expected = new Map<string, object>()
      for (const [name, token] of callers) {
        // Without a cache, lists have no ETag.
        const { etag: _, ...response } = await responseOf(plain, url, token)
        expected.set(name, response)
        distinct.add(`${url} ${response.status} ${response.text}`)
      }
      // Each fills the cache for the next, in both orders.
      const names = [...callers.keys()]
      for (const name of [...names, ...names.toReversed()]) {
        const response = await responseOf(cached, url, callers.get(name))
        const { etag: _, ...rest } = response
        assert.deepEqual(rest, expected.get(name), `${url} as ${name}`)
        compared++
      }
    }
    assert.ok(compared >= 120, `only ${compared} responses were compared`)
    assert.ok(distinct.size > 2 * URLS.length, `only ${distinct.size} responses differ`)
  })

  it('an ETag of one caller is not valid for another', async () => {
    const path = '/api/notes?populate=*'
    const { etag } = await responseOf(cached, path, TOKENS.full)
    assert.ok(etag)
    for (const [name, token] of callers) {
      if (token === TOKENS.full) continue
      const own = await responseOf(cached, path, token)
      const headers = { 'if-none-match': etag, ...position }
      const { status } = await request(cached.server, 'GET', path, { as: token, headers })
      assert.equal(status === 304, own.etag === etag, name)
      if (status === 304) assert.equal(own.text, (await responseOf(cached, path, TOKENS.full)).text, name)
    }
  })
})

/** History over the network. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import { serve, type TestServer } from '../support/server.ts'

const PAGE = 'api::page.page'
const TAG = 'api::tag.tag'

const TOKENS = {
  full: 'full-token-0123456789abcdef0123456789abcdef',
  reader: 'reader-token-0123456789abcdef0123456789abcdef',
  published: 'published-token-0123456789abcdef0123456789abc',
  finder: 'finder-token-0123456789abcdef0123456789abcdef',
  red: 'red-token-0123456789abcdef0123456789abcdef0123',
  redDrafts: 'red-drafts-token-0123456789abcdef0123456789ab',
  titles: 'titles-token-0123456789abcdef0123456789abcdef',
  tagger: 'tagger-token-0123456789abcdef0123456789abcdef',
}

const type = (name: string, options: object, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options,
  attributes,
  ...more,
})

const custom = (token: string, permissions: object) => ({ type: 'custom', token, permissions })

const localized = { pluginOptions: { i18n: { localized: true } } }

const PROJECT = new Map<string, unknown>([
  [
    'src/api/page/content-types/page/schema.json',
    type(
      'page',
      { draftAndPublish: true },
      {
        title: { type: 'string', required: true, ...localized },
        color: { type: 'string' },
        secret: { type: 'string', private: true, minLength: 4 },
        password: { type: 'password' },
        tags: { type: 'relation', relation: 'oneToMany', target: TAG },
        parts: { type: 'component', component: 'shared.part', repeatable: true, ...localized },
      },
      localized,
    ),
  ],
  [
    'src/components/shared/part.json',
    {
      info: { displayName: 'part' },
      attributes: {
        text: { type: 'string' },
        tag: { type: 'relation', relation: 'oneToOne', target: TAG },
      },
    },
  ],
  ['src/api/tag/content-types/tag/schema.json', type('tag', {}, { label: { type: 'string' } })],
  [
    'src/api/home/content-types/home/schema.json',
    type('home', { history: true }, { headline: { type: 'string' } }, { kind: 'singleType' }),
  ],
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: TOKENS.full },
      reader: custom(TOKENS.reader, {
        [PAGE]: ['find', 'findOne', 'readHistory'],
      }),
      published: custom(TOKENS.published, {
        [PAGE]: ['find', 'findOne', 'readHistory', '-readDrafts'],
        [TAG]: ['find'],
      }),
      finder: custom(TOKENS.finder, { [PAGE]: ['find', 'findOne', 'update'] }),
      red: custom(TOKENS.red, {
        [PAGE]: [{ action: 'findOne', filters: { color: 'red' } }, 'readHistory', 'readDrafts'],
      }),
      redDrafts: custom(TOKENS.redDrafts, {
        [PAGE]: ['findOne', 'readHistory', { action: 'readDrafts', filters: { color: 'red' } }],
      }),
      titles: custom(TOKENS.titles, {
        [PAGE]: [{ action: 'findOne', fields: ['title'] }, 'readHistory', 'readDrafts'],
      }),
      tagger: custom(TOKENS.tagger, {
        [PAGE]: ['find', 'findOne', 'update', 'readHistory'],
        [TAG]: [{ action: 'find', filters: { label: 'shown' } }],
      }),
    },
  ],
])

onEachEngine((engine: TestEngine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
  })
  after(() => running.close())

  async function call(method: string, path: string, data?: unknown, token = TOKENS.full) {
    const headers = { authorization: `Bearer ${token}` }
    const body = data === undefined ? undefined : JSON.stringify({ data })
    const { status, text } = await sendRequest(running.server, method, `/api/${path}`, headers, body)
    return { status, text, body: text === '' ? null : JSON.parse(text) }
  }
  const get = (path: string, token?: string) => call('GET', path, undefined, token)
  const post = async (path: string, data?: unknown) => (await call('POST', path, data)).body.data
  const put = async (path: string, data: unknown) => (await call('PUT', path, data)).body.data
  const versionsOf = async (path: string): Promise<number[]> =>
    (await get(`${path}/history?pagination[pageSize]=100`)).body.data.map(
      (one: { version: number }) => one.version,
    )

  describe('the saved states of a document', () => {
    it('are listed newest first, in pages, with who saved them and how', async () => {
      const { documentId } = await post('pages?status=draft', { title: 'One' })
      await put(`pages/${documentId}?status=draft`, { title: 'Two' })
      await put(`pages/${documentId}`, { title: 'Three' })
      await call('POST', `pages/${documentId}/actions/unpublish`)
      const { status, body } = await get(`pages/${documentId}/history?pagination[pageSize]=3`)
      assert.equal(status, 200)
      assert.deepEqual(
        body.data.map((one: Record<string, unknown>) => [one.action, one.status, one.locale]),
        [
          ['unpublish', 'draft', 'en'],
          ['update', 'published', 'en'],
          ['update', 'draft', 'en'],
        ],
      )
      assert.deepEqual(body.meta, { pagination: { page: 1, pageSize: 3, pageCount: 2, total: 4 } })
      assert.equal(body.data[0].by.kind, 'token')
      const rest = await get(`pages/${documentId}/history?pagination[pageSize]=3&pagination[page]=2`)
      assert.deepEqual(
        rest.body.data.map((one: { action: string }) => one.action),
        ['create'],
      )
    })

    it('have one history for each locale', async () => {
      const { documentId } = await post('pages?status=draft', { title: 'English' })
      await put(`pages/${documentId}?status=draft&locale=fr`, { title: 'Français' })
      assert.equal((await versionsOf(`pages/${documentId}`)).length, 1)
      const { body } = await get(`pages/${documentId}/history?locale=fr`)
      assert.equal(body.data.length, 1)
      const version = await get(`pages/${documentId}/history/${body.data[0].version}`)
      assert.deepEqual([version.body.data.title, version.body.data.locale], ['Français', 'fr'])
      assert.equal((await get(`pages/${documentId}/history?locale=xx`)).status, 400)
    })

    it('read like the document, populated, with what no longer exists marked', async () => {
      const kept = await post('tags', { label: 'kept' })
      const gone = await post('tags', { label: 'gone' })
      const { documentId } = await post('pages?status=draft', {
        title: 'Tagged',
        secret: 'hidden value',
        password: 'a long password',
        tags: [gone.documentId, kept.documentId],
        parts: [{ text: 'part', tag: gone.documentId }],
      })
      const [first] = await versionsOf(`pages/${documentId}`)
      await call('DELETE', `tags/${gone.documentId}`)
      await put(`pages/${documentId}?status=draft`, { title: 'Later', tags: [], parts: [] })
      const { status, body, text } = await get(
        `pages/${documentId}/history/${first}?populate[tags]=true&populate[parts][populate]=*`,
      )
      assert.equal(status, 200)
      assert.equal(body.data.title, 'Tagged')
      assert.deepEqual(
        body.data.tags.map((tag: { label: string }) => tag.label),
        ['kept'],
      )
      assert.equal(body.data.parts[0].text, 'part')
      assert.deepEqual(
        body.meta.missing.map((one: { path: string[] }) => one.path.join('.')),
        ['tags', 'parts.0.tag'],
      )
      assert.equal(body.meta.missing[0].documentId, gone.documentId)
      assert.doesNotMatch(text, /hidden value|password/)
    })

    it('are compared attribute by attribute, with order', async () => {
      const [one, two, three] = await Promise.all(['1', '2', '3'].map((label) => post('tags', { label })))
      const created = await post('pages?status=draft&populate=*', {
        title: 'Before',
        tags: [one.documentId, two.documentId],
        parts: [{ text: 'a' }, { text: 'b' }],
      })
      const { documentId, parts } = created
      await put(`pages/${documentId}?status=draft`, {
        title: 'After',
        tags: [two.documentId, one.documentId, three.documentId],
        parts: [{ id: parts[1].id, text: 'B' }, { text: 'c' }],
      })
      const [newer, older] = await versionsOf(`pages/${documentId}`)
      const { body } = await get(`pages/${documentId}/history/${newer}/changes`)
      const short = body.data.map((change: { path: string[]; kind: string }) => [
        change.path.join('.'),
        change.kind,
      ])
      assert.deepEqual(short, [
        ['title', 'changed'],
        ['tags.2', 'added'],
        ['tags', 'moved'],
        ['parts.0', 'removed'],
        ['parts.1', 'added'],
        ['parts.0.text', 'changed'],
      ])
      assert.deepEqual([body.data[0].before, body.data[0].after], ['Before', 'After'])
      assert.deepEqual(body.data[2].after, [two.documentId, one.documentId])
      assert.equal(body.meta.against.version, older)
      const same = await get(`pages/${documentId}/history/${newer}/changes?against=${newer}`)
      assert.deepEqual(same.body.data, [])
      const first = await get(`pages/${documentId}/history/${older}/changes`)
      assert.equal(first.body.meta.against, null)
      assert.ok(first.body.data.length > 0)
    })

    it('are read with known parameters only, with strictParams', async (t) => {
      const api = { rest: { strictParams: true } }
      const strict = await serve(PROJECT, await engine.freshUrl(), { api })
      t.after(() => strict.close())
      const send = async (method: string, path: string, data?: object) => {
        const headers = { authorization: `Bearer ${TOKENS.full}` }
        const body = data && JSON.stringify({ data })
        const { status, text } = await sendRequest(strict.server, method, `/api/${path}`, headers, body)
        return { status, body: JSON.parse(text) }
      }
      const { documentId } = (await send('POST', 'pages', { title: 'Strict' })).body.data
      const history = `pages/${documentId}/history`
      const known = await send('GET', `${history}?locale=en&pagination[pageSize]=1`)
      const [{ version }] = known.body.data
      const changes = `${history}/${version}/changes`
      assert.equal((await send('GET', `${changes}?against=${version}&locale=en`)).status, 200)
      for (const path of [history, changes])
        for (const parameter of ['sort=at', 'filters[title]=x', 'fields=title', 'populate=*', '_q=x']) {
          const { status, body } = await send('GET', `${path}?${parameter}`)
          const key = parameter.split(/[=[]/, 1)[0]
          assert.deepEqual([status, body.error?.details.key], [400, key], `${path}?${parameter}`)
        }
      const { documentId: other } = await post('pages', { title: 'Not strict' })
      assert.equal((await get(`pages/${other}/history?sort=at`)).status, 200)
    })

    it('of deleted documents can be searched, with the total of what was found', async () => {
      for (const title of ['Gone needle', 'Gone hay', 'Gone straw'])
        await call('DELETE', `pages/${(await post('pages', { title })).documentId}`)
      const { body } = await get('pages/deleted?_q=needle&pagination[pageSize]=1')
      assert.deepEqual([body.data.length, body.meta.pagination.total], [1, 1])
      assert.equal(body.data[0].document.title, 'Gone needle')
      assert.equal(
        (await get('pages/deleted?locale=fr&filters[nothing]=1')).status,
        400,
        'even if nothing was deleted',
      )
    })

    it('do not exist for other documents, numbers and content-types', async () => {
      const { documentId } = await post('pages?status=draft', { title: 'Mine' })
      const other = await post('pages?status=draft', { title: 'Other' })
      const [version] = await versionsOf(`pages/${documentId}`)
      const tag = await post('tags', { label: 'no history' })
      for (const path of [
        `pages/${other.documentId}/history/${version}`,
        `pages/${documentId}/history/0`,
        `pages/${documentId}/history/x`,
        `pages/${documentId}/history/999999999`,
        'pages/unknown/history',
        'pages/1/history',
        `tags/${tag.documentId}/history`,
        'tags/deleted',
      ])
        assert.equal((await get(path)).status, 404, path)
      assert.equal((await call('POST', `pages/${documentId}/history`)).status, 405)
      const { status, text } = await get(`pages/${documentId}/history/${version}/changes?against=first`)
      assert.deepEqual([status, /against/.test(text)], [400, true])
    })
  })

  describe('restoring a state', () => {
    it('makes it the draft again and leaves the published version', async () => {
      const { documentId } = await post('pages', { title: 'Good', parts: [{ text: 'kept' }] })
      const [good] = await versionsOf(`pages/${documentId}`)
      await put(`pages/${documentId}`, { title: 'Bad', parts: [] })
      const { status, body } = await call('POST', `pages/${documentId}/history/${good}/restore?populate=*`)
      assert.equal(status, 200)
      assert.deepEqual([body.data.title, body.data.parts[0].text], ['Good', 'kept'])
      assert.deepEqual([body.meta.restored.version, body.meta.notRestored], [good, []])
      assert.equal((await get(`pages/${documentId}`)).body.data.title, 'Bad')
      await call('POST', `pages/${documentId}/history/${good}/restore?status=published`)
      assert.equal((await get(`pages/${documentId}`)).body.data.title, 'Good')
    })

    it('says what could not be restored', async () => {
      const tag = await post('tags', { label: 'short-lived' })
      const { documentId } = await post('pages?status=draft', { title: 'T', tags: [tag.documentId] })
      const [version] = await versionsOf(`pages/${documentId}`)
      await call('DELETE', `tags/${tag.documentId}`)
      const { body } = await call('POST', `pages/${documentId}/history/${version}/restore`)
      assert.deepEqual(body.meta.notRestored, [
        { path: ['tags'], message: `tags was not restored: document ${tag.documentId} does not exist` },
      ])
    })

    it('brings back a deleted document with its documentId', async () => {
      const { documentId } = await post('pages', { title: 'Deleted', color: 'blue' })
      const before = (await get('pages/deleted')).body.meta.pagination.total
      await call('DELETE', `pages/${documentId}`)
      const { body } = await get('pages/deleted')
      assert.equal(body.meta.pagination.total, before + 1)
      const [found] = body.data
      assert.deepEqual(
        [found.documentId, found.document.title, found.action],
        [documentId, 'Deleted', 'delete'],
      )
      const restored = await call('POST', `pages/${documentId}/history/${found.version}/restore`)
      assert.deepEqual([restored.status, restored.body.data.documentId], [200, documentId])
      assert.equal((await get(`pages/${documentId}?status=draft`)).body.data.title, 'Deleted')
      assert.equal((await get('pages/deleted')).body.meta.pagination.total, before)
    })

    it('brings back a document, and a locale of one, as created when it was', async () => {
      const { documentId, createdAt } = await post('pages', { title: 'Old', color: 'blue' })
      const french = await put(`pages/${documentId}?locale=fr`, { title: 'Vieux' })
      const created = async (locale: string) =>
        (await get(`pages/${documentId}?status=draft&locale=${locale}`)).body.data?.createdAt
      const restore = async (locale: string) => {
        const { body } = await get(`pages/${documentId}/history?locale=${locale}`)
        const path = `pages/${documentId}/history/${body.data[0].version}/restore?status=published`
        assert.equal((await call('POST', path)).status, 200)
      }
      await call('DELETE', `pages/${documentId}?locale=fr`)
      assert.equal(await created('fr'), undefined)
      await restore('fr')
      assert.equal(await created('fr'), french.createdAt)
      await call('DELETE', `pages/${documentId}?locale=*`)
      await restore('en')
      assert.equal(await created('en'), createdAt)
      assert.equal((await get(`pages/${documentId}`)).body.data.createdAt, createdAt)
    })

    it('works for single types', async () => {
      await put('home', { headline: 'First' })
      await put('home', { headline: 'Second' })
      const [, first] = await versionsOf('home')
      assert.equal((await get(`home/history/${first}`)).body.data.headline, 'First')
      assert.equal((await get(`home/history/${first}/changes`)).status, 200)
      assert.equal((await call('POST', `home/history/${first}/restore`)).body.data.headline, 'First')
      await call('DELETE', 'home')
      const [last] = await versionsOf('home')
      assert.equal((await call('POST', `home/history/${last}/restore`)).status, 200)
      assert.equal((await get('home')).body.data.headline, 'First')
    })
  })

  describe('a caller', () => {
    let documentId = ''
    let draft = 0
    let published = 0
    before(async () => {
      ;({ documentId } = await post('pages', { title: 'Public title', color: 'red', secret: 'never shown' }))
      await put(`pages/${documentId}?status=draft`, { title: 'Draft title', color: 'blue' })
      ;[draft = 0, published = 0] = await versionsOf(`pages/${documentId}`)
    })

    it('without readHistory sees nothing', async () => {
      for (const path of ['history', `history/${published}`, `history/${published}/changes`])
        assert.equal((await get(`pages/${documentId}/${path}`, TOKENS.finder)).status, 403)
      assert.equal((await get('pages/deleted', TOKENS.finder)).status, 403)
      const restored = await call(
        'POST',
        `pages/${documentId}/history/${published}/restore`,
        undefined,
        TOKENS.finder,
      )
      assert.equal(restored.status, 403)
    })

    it('without update cannot restore', async () => {
      const path = `pages/${documentId}/history/${published}/restore`
      assert.equal((await call('POST', path, undefined, TOKENS.reader)).status, 403)
    })

    it('without readDrafts sees only what was published', async () => {
      const { body, text } = await get(`pages/${documentId}/history`, TOKENS.published)
      assert.deepEqual(
        body.data.map((one: { version: number }) => one.version),
        [published],
      )
      assert.equal((await get(`pages/${documentId}/history/${draft}`, TOKENS.published)).status, 404)
      assert.equal((await get(`pages/${documentId}/history/${published}`, TOKENS.published)).status, 200)
      const path = `pages/${documentId}/history/${published}/changes?against=${draft}`
      assert.equal((await get(path, TOKENS.published)).status, 404)
      assert.doesNotMatch(text, /Draft title/)
    })

    it('with a row rule sees only states that it covers, of documents that it covers', async () => {
      const { body: listed } = await get(`pages/${documentId}/history`, TOKENS.red)
      const versions = listed.data.map(({ version }: { version: number }) => version)
      assert.ok(versions.includes(published) && !versions.includes(draft), `versions ${versions}`)
      assert.equal(listed.meta.pagination.total, versions.length)
      const second = await get(
        `pages/${documentId}/history?pagination[start]=1&pagination[limit]=1`,
        TOKENS.red,
      )
      assert.deepEqual(second.body.data, listed.data.slice(1, 2))
      assert.equal((await get(`pages/${documentId}/history/${draft}`, TOKENS.red)).status, 404)
      assert.equal((await get(`pages/${documentId}/history/${published}`, TOKENS.red)).status, 200)
      const blue = await post('pages?status=draft', { title: 'Blue', color: 'blue' })
      const red = await post('pages?status=draft', { title: 'Red', color: 'red' })
      assert.equal((await get(`pages/${blue.documentId}/history`, TOKENS.red)).status, 404)
      for (const one of [blue, red]) await call('DELETE', `pages/${one.documentId}`)
      const { body, text } = await get('pages/deleted', TOKENS.red)
      assert.equal(body.data.length, body.meta.pagination.total)
      assert.match(text, /"Red"/)
      assert.doesNotMatch(text, /"Blue"/)
    })

    it('with a row rule on drafts sees only drafts that it covers', async () => {
      const { documentId } = await post('pages', { title: 'Sunset', color: 'red' })
      await put(`pages/${documentId}?status=draft`, { color: 'blue' })
      const { documentId: gone } = await post('pages?status=draft', { title: 'Sea', color: 'blue' })
      await call('DELETE', `pages/${gone}`)
      const statuses = (body: { data: { status: string }[] }) => body.data.map(({ status }) => status)
      const { body } = await get(`pages/${documentId}/history`, TOKENS.redDrafts)
      assert.deepEqual(statuses(body), ['published'])
      assert.equal(body.meta.pagination.total, 1)
      const deleted = await get('pages/deleted?pagination[pageSize]=100', TOKENS.redDrafts)
      assert.doesNotMatch(deleted.text, /Sea/)
      assert.equal(deleted.body.meta.pagination.total, deleted.body.data.length)
    })

    it('with a field rule sees only those attributes, also in changes', async () => {
      const version = await get(`pages/${documentId}/history/${draft}`, TOKENS.titles)
      const changes = await get(`pages/${documentId}/history/${draft}/changes`, TOKENS.titles)
      assert.deepEqual([version.status, changes.status], [200, 200])
      assert.match(changes.text, /Draft title/)
      for (const { text } of [version, changes]) assert.doesNotMatch(text, /blue|red|never shown/)
    })

    it('who restores a state is not told which documents it refers to that the caller may not find', async () => {
      const hidden = await post('tags', { label: 'hidden' })
      const deleted = await post('tags', { label: 'deleted' })
      const shown = await post('tags', { label: 'shown' })
      const tags = [hidden, deleted, shown].map((tag) => tag.documentId)
      const page = await post('pages?status=draft', { title: 'Tagged', tags })
      await call('DELETE', `tags/${deleted.documentId}`)
      const version = (await versionsOf(`pages/${page.documentId}`)).at(-1)
      const path = `pages/${page.documentId}/history/${version}/restore`
      const { status, text, body } = await call('POST', path, undefined, TOKENS.tagger)
      assert.equal(status, 200)
      const message = 'tags was not restored: a document does not exist, or you may not find it'
      const problem = { path: ['tags'], message }
      assert.deepEqual(body.meta.notRestored, [problem, problem])
      for (const { documentId } of [hidden, deleted]) assert.doesNotMatch(text, new RegExp(documentId))
    })

    it('never sees private attributes', async () => {
      for (const path of [`history/${published}`, `history/${published}/changes`]) {
        const { text, status } = await get(`pages/${documentId}/${path}`)
        assert.equal(status, 200)
        assert.doesNotMatch(text, /never shown/)
      }
    })

    it('never sees private values in the errors of publishing and restoring', async () => {
      const { documentId } = await post('pages?status=draft', { title: 'Incomplete', secret: 'abc' })
      const [version] = await versionsOf(`pages/${documentId}`)
      const refused = [
        await call('POST', `pages/${documentId}/actions/publish`),
        await call('PUT', `pages/${documentId}`, { title: 'Changed' }),
        await call('POST', `pages/${documentId}/history/${version}/restore?status=published`),
      ]
      for (const { status, text } of refused) {
        assert.equal(status, 400)
        assert.match(text, /secret must have at least 4 characters/)
        assert.doesNotMatch(text, /abc/)
      }
    })
  })
})

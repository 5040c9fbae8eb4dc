/**
 * Every way to write, with a row rule on every action. A rule applies to each way that performs its action and to no other.
 * The ways are compared with the routes of the server and the tools for agents, so that a new one needs an entry here.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { jsonAt } from '../support/json-body.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, request, type TestResponse } from './client.ts'

const ACTIONS = ['create', 'update', 'delete', 'publish', 'unpublish', 'discard'] as const
type Action = (typeof ACTIONS)[number]

const FULL = 'full-token-of-the-write-rules-0123456789'
const IMPLIED = 'token-whose-publish-is-implied-0123456789'
const tokenOf = (action: Action) => `token-with-a-rule-on-${action}-0123456789`

const PAGE = 'api::page.page'
const HOME = 'api::home.home'

const type = (kind: string, singular: string, attributes: unknown, draftAndPublish: boolean) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    {
      kind,
      info: { singularName: singular, pluralName: `${singular}s`, displayName: singular },
      options: { draftAndPublish },
      ...(singular === 'page' && { pluginOptions: { i18n: { localized: true } } }),
      attributes,
    },
  ] as const
const relation = (kind: string, target: string, side: Readonly<Record<string, string>>) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})
const content = {
  title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
  approved: { type: 'boolean' },
}

/** Everything is permitted, one action only on approved documents. */
const ruledOn = (ruled: Action) => [
  'find',
  'findOne',
  'readHistory',
  ...ACTIONS.map((action) => (action === ruled ? { action, filters: { approved: true } } : action)),
]

const PROJECT = new Map<string, unknown>([
  type(
    'collectionType',
    'page',
    {
      ...content,
      cover: { type: 'media', multiple: false },
      shelf: relation('manyToOne', 'shelf', { inversedBy: 'pages' }),
      room: relation('manyToOne', 'room', { inversedBy: 'pages' }),
    },
    true,
  ),
  type('singleType', 'home', content, true),
  type('collectionType', 'shelf', { pages: relation('oneToMany', 'page', { mappedBy: 'shelf' }) }, false),
  type('collectionType', 'room', { pages: relation('oneToMany', 'page', { mappedBy: 'room' }) }, true),
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: FULL },
      implied: {
        type: 'custom',
        token: IMPLIED,
        permissions: {
          [PAGE]: ['find', 'create', { action: 'update', filters: { approved: true } }],
        },
      },
      ...Object.fromEntries(
        ACTIONS.map((action) => [
          `ruled-${action}`,
          {
            type: 'custom',
            token: tokenOf(action),
            permissions: {
              [PAGE]: ruledOn(action),
              [HOME]: ruledOn(action),
              'api::shelf.shelf': ['find', 'create', 'update'],
              'api::room.room': ['find', 'create', 'update', 'publish', 'discard'],
              'plugin::upload.file': ['upload'],
            },
          },
        ]),
      ),
    },
  ],
])

/** The document that a way changes, and what the way needs to name it. */
interface Subject {
  readonly documentId: string
  /** The numeric id of its draft. */
  readonly draft: number
  readonly approved: boolean
  /** A shelf and a room that the page is in, or is not. */
  readonly shelf: string
  readonly room: string
  /** The number of its newest saved state. */
  readonly version: number
}

interface Sent {
  readonly method: Method
  readonly path: string
  readonly data?: unknown
  /** The whole body, where it is not `data`. */
  readonly body?: unknown
}

interface Way {
  readonly name: string
  /** As the OpenAPI document names it. */
  readonly route: string
  readonly performs: readonly Action[]
  /** The state in which the way finds the document: published unless given. */
  readonly state?: 'draft' | 'related' | 'relatedDraft' | 'missing' | 'deleted'
  readonly send: (subject: Subject) => Sent | FormData
}

/** From the other side of a relation, `delete` must also cover a document that is changed. */
const CHANGES = ['update', 'delete'] as const

const COLLECTION_WAYS: readonly Way[] = [
  {
    name: 'creating',
    route: 'POST /pages',
    performs: ['create', 'publish'],
    state: 'missing',
    send: ({ approved }) => ({ method: 'POST', path: '/pages', data: { title: 'new', approved } }),
  },
  {
    name: 'creating a draft',
    route: 'POST /pages',
    performs: ['create'],
    state: 'missing',
    send: ({ approved }) => ({ method: 'POST', path: '/pages?status=draft', data: { approved } }),
  },
  {
    name: 'updating',
    route: 'PUT /pages/{documentId}',
    performs: ['update', 'publish'],
    send: ({ documentId }) => ({ method: 'PUT', path: `/pages/${documentId}`, data: { title: 'new' } }),
  },
  {
    name: 'updating and publishing a draft',
    route: 'PUT /pages/{documentId}',
    performs: ['update', 'publish'],
    state: 'draft',
    send: ({ documentId }) => ({ method: 'PUT', path: `/pages/${documentId}`, data: {} }),
  },
  {
    name: 'updating the draft',
    route: 'PUT /pages/{documentId}',
    performs: ['update'],
    send: ({ documentId }) => ({
      method: 'PUT',
      path: `/pages/${documentId}?status=draft`,
      data: { title: 'new' },
    }),
  },
  {
    name: 'adding a locale',
    route: 'PUT /pages/{documentId}',
    performs: ['create', 'update', 'publish'],
    send: ({ documentId }) => ({ method: 'PUT', path: `/pages/${documentId}?locale=fr`, data: {} }),
  },
  {
    name: 'adding a draft of a locale',
    route: 'PUT /pages/{documentId}',
    performs: ['create', 'update'],
    send: ({ documentId }) => ({
      method: 'PUT',
      path: `/pages/${documentId}?locale=fr&status=draft`,
      data: {},
    }),
  },
  ...['', '?locale=*'].map(
    (query): Way => ({
      name: `deleting${query}`,
      route: 'DELETE /pages/{documentId}',
      performs: ['delete'],
      send: ({ documentId }) => ({ method: 'DELETE', path: `/pages/${documentId}${query}` }),
    }),
  ),
  ...(['publish', 'unpublish', 'discard'] as const).map(
    (action): Way => ({
      name: `the action ${action}`,
      route: `POST /pages/{documentId}/actions/${action}`,
      performs: [action],
      send: ({ documentId }) => ({ method: 'POST', path: `/pages/${documentId}/actions/${action}` }),
    }),
  ),
  {
    name: 'connecting from a type without drafts',
    route: 'PUT /shelfs/{documentId}',
    performs: [...CHANGES, 'publish'],
    send: ({ shelf, documentId }) => ({
      method: 'PUT',
      path: `/shelfs/${shelf}`,
      data: { pages: { connect: [documentId] } },
    }),
  },
  {
    name: 'connecting a draft from a type without drafts',
    route: 'PUT /shelfs/{documentId}',
    performs: CHANGES,
    state: 'draft',
    send: ({ shelf, documentId }) => ({
      method: 'PUT',
      path: `/shelfs/${shelf}`,
      data: { pages: { connect: [documentId] } },
    }),
  },
  {
    name: 'connecting a new document of a type without drafts',
    route: 'POST /shelfs',
    performs: [...CHANGES, 'publish'],
    send: ({ documentId }) => ({ method: 'POST', path: '/shelfs', data: { pages: [documentId] } }),
  },
  {
    name: 'emptying a list of a type without drafts',
    route: 'PUT /shelfs/{documentId}',
    performs: [...CHANGES, 'publish'],
    state: 'related',
    send: ({ shelf }) => ({ method: 'PUT', path: `/shelfs/${shelf}`, data: { pages: [] } }),
  },
  {
    name: 'connecting and publishing',
    route: 'PUT /rooms/{documentId}',
    performs: [...CHANGES, 'publish'],
    send: ({ room, documentId }) => ({
      method: 'PUT',
      path: `/rooms/${room}`,
      data: { pages: { connect: [documentId] } },
    }),
  },
  {
    name: 'connecting in a draft',
    route: 'PUT /rooms/{documentId}',
    performs: CHANGES,
    send: ({ room, documentId }) => ({
      method: 'PUT',
      path: `/rooms/${room}?status=draft`,
      data: { pages: { connect: [documentId] } },
    }),
  },
  {
    name: 'connecting a new document',
    route: 'POST /rooms',
    performs: [...CHANGES, 'publish'],
    send: ({ documentId }) => ({ method: 'POST', path: '/rooms', data: { pages: [documentId] } }),
  },
  {
    name: 'emptying a list and publishing',
    route: 'PUT /rooms/{documentId}',
    performs: [...CHANGES, 'publish'],
    state: 'related',
    send: ({ room }) => ({ method: 'PUT', path: `/rooms/${room}`, data: { pages: [] } }),
  },
  {
    name: 'publishing a list',
    route: 'POST /rooms/{documentId}/actions/publish',
    performs: ['publish'],
    state: 'relatedDraft',
    send: ({ room }) => ({ method: 'POST', path: `/rooms/${room}/actions/publish` }),
  },
  {
    name: 'discarding a list',
    route: 'POST /rooms/{documentId}/actions/discard',
    performs: ['update'],
    state: 'relatedDraft',
    send: ({ room }) => ({ method: 'POST', path: `/rooms/${room}/actions/discard` }),
  },
  {
    name: 'attaching an upload',
    route: 'POST /upload',
    performs: ['update', 'publish'],
    send: ({ documentId }) => attachment(documentId),
  },
  {
    name: 'attaching an upload to the draft',
    route: 'POST /upload',
    performs: ['update'],
    send: ({ draft }) => attachment(String(draft)),
  },
  {
    name: 'attaching an upload to a document without a published version',
    route: 'POST /upload',
    performs: ['update'],
    state: 'draft',
    send: ({ documentId }) => attachment(documentId),
  },
]

const SINGLE_WAYS: readonly Way[] = [
  {
    name: 'creating the single document',
    route: 'PUT /home',
    performs: ['create', 'update', 'publish'],
    state: 'missing',
    send: ({ approved }) => ({ method: 'PUT', path: '/home', data: { approved } }),
  },
  {
    name: 'creating the draft of the single document',
    route: 'PUT /home',
    performs: ['create', 'update'],
    state: 'missing',
    send: ({ approved }) => ({ method: 'PUT', path: '/home?status=draft', data: { approved } }),
  },
  {
    name: 'updating the single document',
    route: 'PUT /home',
    performs: ['update', 'publish'],
    send: () => ({ method: 'PUT', path: '/home', data: { title: 'new' } }),
  },
  {
    name: 'deleting the single document',
    route: 'DELETE /home',
    performs: ['delete'],
    send: () => ({ method: 'DELETE', path: '/home' }),
  },
  ...(['publish', 'unpublish', 'discard'] as const).map(
    (action): Way => ({
      name: `the action ${action} on the single document`,
      route: `POST /home/actions/${action}`,
      performs: [action],
      send: () => ({ method: 'POST', path: `/home/actions/${action}` }),
    }),
  ),
]

/** A saved state, restored as the draft or published too. */
const restoring = (name: string, path: (subject: Subject) => string, performs: readonly Action[]): Way => ({
  name,
  route: `POST ${path({ ...NO_SUBJECT, documentId: '{documentId}' })}/history/{version}/restore`,
  performs,
  send: (subject) => ({
    method: 'POST',
    path: `${path(subject)}/history/${subject.version}/restore${performs.includes('publish') ? '?status=published' : ''}`,
  }),
})

const NO_SUBJECT: Subject = { documentId: '', draft: 0, approved: false, shelf: '', room: '', version: 0 }
const pathOfPage = ({ documentId }: Subject) => `/pages/${documentId}`
const pathOfHome = () => '/home'

const scheduling = (name: string, path: (subject: Subject) => string): Way[] =>
  (['publish', 'unpublish'] as const).map((action) => ({
    name: `scheduling to ${action} ${name}`,
    route: `POST ${path({ ...NO_SUBJECT, documentId: '{documentId}' })}/actions/schedule`,
    performs: [action],
    send: (subject) => ({
      method: 'POST',
      path: `${path(subject)}/actions/schedule`,
      body: { [`${action}At`]: '2099-01-01T00:00:00.000Z' },
    }),
  }))

const LATER_WAYS: readonly Way[] = [
  restoring('restoring a state', pathOfPage, ['update']),
  restoring('restoring a state and publishing it', pathOfPage, ['update', 'publish']),
  { ...restoring('restoring a deleted document', pathOfPage, ['create', 'update']), state: 'deleted' },
  restoring('restoring the single document', pathOfHome, ['update']),
  restoring('restoring and publishing the single document', pathOfHome, ['update', 'publish']),
  ...scheduling('a document', pathOfPage),
  ...scheduling('the single document', pathOfHome),
]

/** A call of a tool for agents. */
const tool = (
  name: string,
  more: string,
  performs: readonly Action[],
  argumentsFor: (subject: Subject) => object,
  state?: Way['state'],
): Way => ({
  name: `the tool ${name}${more}`,
  route: name,
  performs,
  ...(state && { state }),
  send: (subject) => ({
    method: 'POST',
    path: '/mcp',
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: { type: 'pages', ...argumentsFor(subject) } },
    },
  }),
})
const named = ({ documentId }: Subject) => ({ documentId })
const changed = ({ documentId }: Subject) => ({ documentId, data: { title: 'new' } })
const published = { status: 'published' }
const madeWith = ({ approved }: Subject) => ({ data: { approved } })

const TOOLS: readonly Way[] = [
  tool('create_document', '', ['create'], madeWith, 'missing'),
  tool(
    'create_document',
    ', which publishes',
    ['create', 'publish'],
    (subject) => ({ ...madeWith(subject), ...published }),
    'missing',
  ),
  tool('update_document', '', ['update'], changed),
  tool('update_document', ', which publishes', ['update', 'publish'], (subject) => ({
    ...changed(subject),
    ...published,
  })),
  tool('update_document', ' in another locale', ['create', 'update'], (subject) => ({
    ...changed(subject),
    locale: 'fr',
  })),
  tool('publish_document', '', ['publish'], named),
  tool('unpublish_document', '', ['unpublish'], named),
  tool('delete_document', '', ['delete'], named),
]

/** The same in a batch. */
const inBatch = (way: Way): Way => ({
  ...way,
  name: `${way.name} in a batch`,
  route: 'POST /batch',
  send(subject) {
    const sent = way.send(subject)
    if (sent instanceof FormData) return sent
    const { method, path, data } = sent
    const operation = { method, path: `/api${path}`, ...(data === undefined ? {} : { body: { data } }) }
    return { method: 'POST', path: '/batch', data: { operations: [operation] } }
  },
})

const withBatches = (ways: readonly Way[]) => [
  ...ways,
  ...ways.filter(({ route }) => route !== 'POST /upload').map(inBatch),
]

function attachment(refId: string): FormData {
  const form = new FormData()
  form.set('files', new Blob(['a note'], { type: 'text/plain' }), 'note.txt')
  form.set('ref', PAGE)
  form.set('refId', refId)
  form.set('field', 'cover')
  return form
}

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), { mcp: { enabled: true } })
  })
  after(() => running?.close())

  const asFull = (method: Method, path: string, data?: unknown) =>
    request(running.server, method, `/api${path}`, {
      as: FULL,
      ...(data === undefined ? {} : { body: { data } }),
    })

  const send = async (sent: Sent | FormData, as: string): Promise<Pick<TestResponse, 'status' | 'text'>> => {
    if (sent instanceof FormData) {
      const headers = { authorization: `Bearer ${as}` }
      const response = await fetch(`${running.base}/api/upload`, { method: 'POST', body: sent, headers })
      return { status: response.status, text: await response.text() }
    }
    const { method, path, data, body } = sent
    if (path === '/mcp') return callTool(body, as)
    const whole = body ?? (data === undefined ? undefined : path === '/batch' ? data : { data })
    return request(running.server, method, `/api${path}`, { as, body: whole })
  }

  /** The status that the error of a tool names. */
  const callTool = async (body: unknown, as: string) => {
    const headers = { accept: 'application/json, text/event-stream' }
    const { text } = await request(running.server, 'POST', '/mcp', { as, body, headers })
    const at = jsonAt(/^data: (.*)$/m.exec(text)?.[1] ?? text)
    const status = at('result', 'structuredContent', 'error', 'status')
    assert.ok(at('result'), text)
    return { status: status === undefined ? 200 : Number(status), text }
  }

  const made = (response: TestResponse) => {
    assert.ok(response.status < 300, response.text)
    return String(response.at('data', 'documentId'))
  }

  /** The stored rows of all documents and relations. */
  const snapshot = async () => {
    const tables = ['pages', 'homes', 'rooms', 'shelfs', 'octavo_edges']
    const rows = tables.map(async (table) => {
      const found = await running.server.store.read({ sql: `select * from ${table}`, parameters: [] })
      return [table, ...found.map((row) => JSON.stringify(row)).sort()]
    })
    return (await Promise.all(rows)).flat().join('\n')
  }

  const deleteAll = async () => {
    const lists = ['pages', 'rooms', 'shelfs'].map(async (plural) => {
      const { text } = await asFull('GET', `/${plural}?status=draft&fields=id&pagination[limit]=100`)
      const documents: readonly { documentId: string }[] = JSON.parse(text).data
      return documents.map(({ documentId }) => ({
        method: 'DELETE',
        path: `/api/${plural}/${documentId}?locale=*`,
      }))
    })
    const operations = (await Promise.all(lists)).flat()
    if (operations.length === 0) return
    const { status, text } = await send({ method: 'POST', path: '/batch', data: { operations } }, FULL)
    assert.equal(status, 200, text)
  }
  beforeEach(deleteAll)

  async function subjectFor(
    { state }: Pick<Way, 'state'>,
    isSingle: boolean,
    approved: boolean,
  ): Promise<Subject> {
    if (isSingle) await asFull('DELETE', '/home')
    const [shelf, room] = await Promise.all([
      asFull('POST', '/shelfs', {}).then(made),
      asFull('POST', '/rooms', {}).then(made),
    ])
    const none = { ...NO_SUBJECT, approved, shelf, room }
    if (state === 'missing') return none
    const query = state === 'draft' ? '?status=draft' : ''
    const related = state === 'related' ? { shelf, room } : {}
    const data = { title: 'old', approved, ...related }
    const response = isSingle
      ? await asFull('PUT', `/home${query}`, data)
      : await asFull('POST', `/pages${query}`, data)
    const documentId = made(response)
    const history = await asFull('GET', isSingle ? '/home/history' : `/pages/${documentId}/history`)
    const version = Number(history.at('data', 0, 'version'))
    if (isSingle) return { ...none, documentId, version }
    if (state === 'deleted') {
      await asFull('DELETE', `/pages/${documentId}`)
      return { ...none, documentId, version }
    }
    if (state === 'relatedDraft') made(await asFull('PUT', `/pages/${documentId}?status=draft`, { room }))
    const draft = await asFull('GET', `/pages/${documentId}?status=draft`)
    return { ...none, documentId, version, draft: Number(draft.at('data', 'id')) }
  }

  for (const way of [...withBatches(COLLECTION_WAYS), ...withBatches(SINGLE_WAYS), ...LATER_WAYS, ...TOOLS]) {
    const isSingle = way.name.includes('single document')

    it(`${way.name} is subject to the rules on ${way.performs.join(', ')}`, async () => {
      for (const action of ACTIONS)
        for (const approved of way.performs.includes(action) ? [false, true] : [false]) {
          const subject = await subjectFor(way, isSingle, approved)
          const isCovered = approved || !way.performs.includes(action)
          const unchanged = isCovered ? '' : await snapshot()
          const { status, text } = await send(way.send(subject), tokenOf(action))
          const about = `a rule on ${action}, ${approved ? 'approved' : 'not approved'}: ${status} ${text}`
          if (isCovered) {
            assert.ok(status < 300, about)
            continue
          }
          // A document that may not be changed from the other side of a relation cannot be referred to.
          const refused = /connecting/.test(way.name) ? [400, 403] : [403]
          assert.ok(refused.includes(status), about)
          assert.equal(await snapshot(), unchanged, about)
        }
    })
  }

  const UPDATES = withBatches(COLLECTION_WAYS).filter(
    ({ name, state }) => state === undefined && /^(updating|adding)/.test(name),
  )
  for (const way of UPDATES)
    it(`${way.name} is checked before and after the change`, async () => {
      const sendWith = async (approved: boolean, changedTo: boolean, action: Action) => {
        const subject = await subjectFor(way, false, approved)
        const text = JSON.stringify(way.send(subject))
        const changed = text
          .replace('"data":{}', `"data":{"approved":${changedTo}}`)
          .replace('"data":{"title":"new"}', `"data":{"approved":${changedTo}}`)
        assert.notEqual(changed, text)
        return (await send(JSON.parse(changed), tokenOf(action))).status
      }
      for (const action of way.performs) {
        assert.equal(await sendWith(true, false, action), 403, `after, ${action}`)
        // What is created did not exist before.
        const isRefused = action !== 'create'
        assert.equal(await sendWith(false, true, action), isRefused ? 403 : 200, `before, ${action}`)
      }
    })

  it('an implied publish covers what create and update cover', async () => {
    const { documentId } = await subjectFor({}, false, false)
    const statusOf = async (method: Method, path: string, data: unknown) =>
      (await send({ method, path, data }, IMPLIED)).status
    assert.equal(await statusOf('POST', '/pages', { approved: false }), 201)
    assert.equal(await statusOf('PUT', `/pages/${documentId}`, { title: 'new' }), 403)
    assert.equal(await statusOf('POST', `/pages/${documentId}/actions/publish`, {}), 403)
    assert.equal(await statusOf('PUT', `/pages/${documentId}?status=draft`, { title: 'new' }), 403)
  })

  it('covers every route that writes content', async () => {
    const { at } = await request(running.server, 'GET', '/api/openapi.json', { as: FULL })
    const paths = Object.entries(Object(at('paths')))
    const routes = paths.flatMap(([path, methods]) =>
      Object.keys(Object(methods))
        .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
    )
    const ways = [...withBatches(COLLECTION_WAYS), ...SINGLE_WAYS, ...LATER_WAYS]
    const covered = new Set(ways.map(({ route }) => route))
    // These change neither pages nor the single document: the rule is on the type that the route writes, or there is none.
    const others = [
      /^\w+ \/(auth|users|upload\/(files|folders))/,
      /^DELETE \/(rooms|shelfs)\//,
      /^POST \/rooms\/[^/]+\/(actions\/(unpublish|schedule)|history\/\{version\}\/restore)$/,
    ]
    assert.deepEqual(
      routes.filter((route) => !covered.has(route) && !others.some((other) => other.test(route))),
      [],
    )
    assert.deepEqual(
      [...covered].filter((route) => !routes.includes(route)),
      [],
    )
  })

  it('covers every tool for agents that writes documents', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { text } = await callTool(body, FULL)
    const listed: unknown = jsonAt(/^data: (.*)$/m.exec(text)?.[1] ?? text)('result', 'tools')
    assert.ok(Array.isArray(listed))
    const writing = listed.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)
    assert.deepEqual(
      new Set(writing.filter((name) => name !== 'upload_file')),
      new Set(TOOLS.map(({ route }) => route)),
    )
  })
})

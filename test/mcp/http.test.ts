import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readEventsAfter } from '../../src/events/outbox/read-events.ts'
import { stringifyQuery } from '../../src/http/request/query-string.ts'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  TOKEN,
} from '../support/project-server.ts'
import { type Agent, connectTo } from './agent.ts'
import { library, NOTHING, READER, tokens, WRITER } from './library.ts'

const TOOLS = [
  'describe_model',
  'find_documents',
  'get_document',
  'search_documents',
  'document_history',
  'create_document',
  'update_document',
  'publish_document',
  'unpublish_document',
  'delete_document',
  'upload_file',
]

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

onEachEngine((engine) => {
  let project: ProjectServer
  let editor: Agent
  let reader: Agent
  let writer: Agent

  before(async () => {
    const folder = projectFolder({ ...library })
    const full = { type: 'full-access', token: TOKEN } as const
    project = await openProject(folder, await engine.freshUrl(), {
      config: { mcp: { enabled: true, bodyLimit: 100_000 }, tokens: { full, ...tokens } },
      extend: { policies: { 'api::secret.secret': { delete: () => false } } },
    })
    editor = await connectTo(project.base, TOKEN)
    reader = await connectTo(project.base, READER)
    writer = await connectTo(project.base, WRITER)
    const documents = [
      ['articles', { title: 'Rain', kind: 'news', notes: 'private-notes-value' }],
      ['articles', { title: 'The whale', kind: 'story' }],
      ['secrets', { code: 'secret-code-value' }],
    ] as const
    for (const [type, data] of documents)
      await editor.get('create_document', { type, data, ...(type === 'articles' && { status: 'published' }) })
  })

  after(async () => {
    for (const agent of [editor, reader, writer]) await agent.close()
    await project.remove()
  })

  /** Sends a message of the protocol without the client. */
  const post = (headers: Readonly<Record<string, string>>, body: unknown) =>
    sendRequest(
      project.server,
      'POST',
      '/mcp',
      { accept: 'application/json, text/event-stream', ...headers },
      JSON.stringify(body),
    )
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const asEditor = { authorization: `Bearer ${TOKEN}` }

  const readerOf = async (name: string) => (await reader.tools()).find((tool) => tool.name === name)

  test('both versions of the protocol offer the same tools, in the same order', async () => {
    const older = await connectTo(project.base, TOKEN, 'legacy')
    assert.deepEqual(await editor.toolNames(), TOOLS)
    assert.deepEqual(await older.tools(), await editor.tools())
    assert.equal(
      await older.get('get_document', { type: 'homepage' }, 'error').catch(() => 'failed'),
      'failed',
    )
    await older.close()
  })

  test('the tools say what they do to the content', async () => {
    const hints = new Map((await editor.tools()).map(({ name, annotations }) => [name, annotations]))
    for (const name of TOOLS) {
      const hint = hints.get(name)
      assert.equal(hint?.readOnlyHint, /^(describe|find|get|search|document)/.test(name), name)
      assert.equal(hint?.destructiveHint, /^(update|publish|unpublish|delete)/.test(name), name)
      assert.equal(hint?.idempotentHint, !/^(create|upload)/.test(name), name)
    }
    const tools = await editor.tools()
    assert.match(
      tools.find(({ name }) => name === 'delete_document')?.description ?? '',
      /ask the user to confirm/,
    )
  })

  test('an agent writes a document with relations, components and zones, and publishes, changes and deletes it', async () => {
    const author = await editor.get(
      'create_document',
      { type: 'authors', data: { name: 'Ada' } },
      'data',
      'documentId',
    )
    const data = {
      title: 'Bridges',
      kind: 'story',
      author,
      seo: { summary: 'About bridges' },
      blocks: [{ __component: 'block.quote', text: 'Build them', by: author }],
    }
    const created = await editor.call('create_document', { type: 'articles', data })
    const document = { type: 'articles', documentId: created.at('data', 'documentId') }
    assert.equal(created.at('data', 'publishedAt'), null)
    assert.match((await editor.call('get_document', document)).text, /NotFoundError/)

    await editor.get('publish_document', document)
    const read = await editor.call('get_document', { ...document, populate: ['author', 'seo', 'blocks'] })
    assert.equal(read.at('data', 'author', 'name'), 'Ada')
    assert.equal(read.at('data', 'seo', 'summary'), 'About bridges')
    assert.equal(read.at('data', 'blocks', 0, 'text'), 'Build them')

    const draft = await editor.call('get_document', { ...document, status: 'draft' })
    const change = { ...document, data: { title: 'Old bridges' }, ifMatch: draft.at('etag') }
    await editor.get('update_document', change)
    assert.match((await editor.call('update_document', change)).text, /PreconditionFailedError/)
    assert.equal(await editor.get('get_document', document, 'data', 'title'), 'Bridges')
    assert.equal(await editor.get('publish_document', document, 'data', 'title'), 'Old bridges')

    const german = { ...document, locale: 'de', data: { title: 'Brücken' }, status: 'published' }
    await editor.get('update_document', german)
    const everywhere = {
      type: 'articles',
      locale: '*',
      filters: { documentId: { $eq: document.documentId } },
    }
    assert.equal(await editor.get('find_documents', everywhere, 'meta', 'pagination', 'total'), 2)

    assert.equal(await editor.get('unpublish_document', document, 'data', 'publishedAt'), null)
    await editor.get('delete_document', { ...document, locale: '*' })
    assert.equal(await editor.get('find_documents', everywhere, 'meta', 'pagination', 'total'), 0)
  })

  test('lists are filtered, sorted, searched and paged', async () => {
    const find = (given: object, ...path: (string | number)[]) =>
      editor.get('find_documents', { type: 'articles', ...given }, ...path)
    assert.equal(
      await find({ filters: { $or: [{ kind: 'story' }, { words: { $gt: 5 } }] } }, 'data', 0, 'title'),
      'The whale',
    )
    assert.equal(await find({ sort: ['title:desc'], pageSize: 1, page: 2 }, 'data', 0, 'title'), 'Rain')
    assert.equal(
      await find({ search: 'WHALE', filters: null, locale: null }, 'data', 0, 'title'),
      'The whale',
    )
    assert.equal(await find({ search: 'WHALE', fields: ['title'] }, 'meta', 'pagination', 'total'), 1)
    const found = await editor.call('search_documents', { text: 'whale' })
    assert.deepEqual([found.at('data', 0, 'type'), found.at('data', 0, 'total')], ['articles', 1])
    assert.equal(found.at('data', 1), undefined)
    assert.equal(
      await editor.get('search_documents', { text: 'whale', types: ['secrets'] }, 'data', 0),
      undefined,
    )
  })

  test('the history of a document says who changed what, to those who may read it', async () => {
    const data = { title: 'First', kind: 'news' }
    const { at } = await editor.call('create_document', { type: 'articles', data })
    const document = { type: 'articles', documentId: at('data', 'documentId') }
    await editor.get('update_document', { ...document, data: { title: 'Second' } })
    const history = await editor.call('document_history', document)
    assert.equal(history.at('meta', 'pagination', 'total'), 2, history.text)
    assert.equal(history.at('data', 0, 'by', 'kind'), 'token', history.text)
    const first = { ...document, version: history.at('data', 1, 'version') }
    assert.equal(
      await editor.get('document_history', { ...first, fields: ['title'] }, 'data', 'title'),
      'First',
    )
    const last = { ...document, version: history.at('data', 0, 'version'), changes: true }
    const changes = await editor.call('document_history', last)
    assert.ok(/First/.test(changes.text) && /Second/.test(changes.text), changes.text)
    const authors = await editor.call('document_history', { type: 'authors', documentId: 'abc' })
    assert.match(authors.text, /type: must be one of articles/)
    assert.match((await writer.call('document_history', document)).text, /ForbiddenError/)
    await editor.get('delete_document', document)
  })

  test('a single type has one document, without a documentId', async () => {
    await editor.get('update_document', { type: 'homepage', data: { headline: 'Welcome' } })
    assert.equal(await editor.get('get_document', { type: 'homepage' }, 'data', 'headline'), 'Welcome')
    const named = await editor.call('get_document', { type: 'homepage', documentId: 'abc' })
    assert.match(named.text, /documentId: must be left out/)
    assert.match(
      (await editor.call('get_document', { type: 'articles' })).text,
      /documentId: is required for articles/,
    )
  })

  test('files are uploaded as text and as base64, and attached by documentId', async () => {
    const file = await editor.call('upload_file', {
      name: 'pixel.png',
      base64: PIXEL,
      alternativeText: 'A dot',
    })
    assert.equal(file.at('data', 'mime'), 'image/png', file.text)
    assert.equal(file.at('data', 'alternativeText'), 'A dot')
    const data = { title: 'With a cover', cover: file.at('data', 'documentId') }
    const { at } = await editor.call('create_document', { type: 'articles', data })
    const document = {
      type: 'articles',
      documentId: at('data', 'documentId'),
      status: 'draft',
      populate: ['cover'],
    }
    assert.equal(await editor.get('get_document', document, 'data', 'cover', 'name'), 'pixel.png')
    assert.equal(await editor.get('upload_file', { name: 'a.txt', text: 'Grüße' }, 'data', 'ext'), '.txt')
    for (const given of [{}, { text: 'a', base64: 'YQ==' }, { base64: 'not base64!' }]) {
      const refused = await editor.call('upload_file', { name: 'a.txt', ...given })
      assert.ok(refused.isError && /base64/.test(refused.text), refused.text)
    }
  })

  test('the schemas of arguments come from the model, and are valid', async () => {
    const tools = await editor.tools()
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const validators = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]))
    const accepts = (name: string, given: object) => validators.get(name)?.(given)
    const article = (data: object) => accepts('create_document', { type: 'articles', data })
    assert.ok(article({ title: 'A', kind: 'news', author: 'abc', related: { connect: ['abc'] } }))
    assert.ok(
      article({ seo: { summary: 'short' }, blocks: [{ __component: 'block.quote', text: 'b', by: 'abc' }] }),
    )
    assert.ok(!article({ kind: 'poem' }))
    assert.ok(!article({ words: 'many' }))
    assert.ok(!article({ author: 7 }), 'relations are given by documentId')
    assert.ok(!article({ seo: { summary: 'longer than twenty characters' } }))
    assert.ok(!article({ blocks: [{ __component: 'block.other' }] }))
    assert.ok(!accepts('create_document', { type: 'homepage', data: {} }), 'a single type cannot be created')
    assert.ok(accepts('find_documents', { type: 'articles', filters: { words: { $gt: 3 } } }))
    assert.ok(!accepts('find_documents', { type: 'articles', filters: { words: { $near: 3 } } }))
    const described = await editor.call('describe_model', { types: ['articles'] })
    const create = described.at('data', 'types', 0, 'schemas')
    assert.ok(typeof create === 'object' && create !== null)
    const validate = ajv.compile(create)
    assert.ok(validate({ create: { kind: 'news' } }) && !validate({ create: { kind: 'poem' } }))
  })

  test('a token sees and describes only what it may use', async () => {
    assert.deepEqual(await reader.toolNames(), [
      'describe_model',
      'find_documents',
      'get_document',
      'search_documents',
    ])
    assert.deepEqual(
      await writer.toolNames(),
      TOOLS.slice(0, 7).filter((name) => name !== 'document_history'),
    )
    const shown =
      JSON.stringify(await reader.tools()) +
      (await reader.call('describe_model', { types: ['articles'] })).text
    for (const hidden of ['secret', 'author', 'salary', 'notes', 'words', 'homepage', 'blocks'])
      assert.ok(!shown.includes(hidden), hidden)
    assert.match(shown, /"title"/)
    const create = (await writer.tools()).find(({ name }) => name === 'create_document')?.inputSchema
    assert.deepEqual(Object.keys(Object(Object(create?.properties?.data).properties)), ['title', 'kind'])
    assert.deepEqual(Object(create?.properties?.type).enum, ['articles'])
    assert.match(JSON.stringify(await readerOf('find_documents')), /"kind"/)
    const useless = await connectTo(project.base, NOTHING)
    assert.deepEqual(await useless.toolNames(), ['describe_model'])
    assert.deepEqual(await useless.get('describe_model', {}, 'data', 'types'), [])
    await useless.close()
  })

  test('a token reads only the documents and fields that its permissions cover', async () => {
    const all = await reader.call('find_documents', { type: 'articles' })
    assert.equal(all.at('meta', 'pagination', 'total'), 1)
    assert.ok(!/private-notes-value|whale/.test(all.text), all.text)
    const story = await editor.get(
      'find_documents',
      { type: 'articles', filters: { kind: 'story' } },
      ...['data', 0, 'documentId'],
    )
    const refusals: readonly (readonly [string, object, RegExp])[] = [
      ['get_document', { type: 'articles', documentId: story }, /NotFoundError.*find_documents returns/],
      ['find_documents', { type: 'secrets' }, /type: must be one of articles/],
      [
        'find_documents',
        { type: 'articles', filters: { notes: { $startsWith: 'private' } } },
        /Invalid key notes/,
      ],
      ['find_documents', { type: 'articles', status: 'draft' }, /ForbiddenError|Forbidden/],
      ['find_documents', { type: 'articles', sort: ['notes'] }, /Invalid key notes/],
      ['create_document', { type: 'articles', data: { title: 'x' } }, /ForbiddenError/],
      ['delete_document', { type: 'articles', documentId: story }, /ForbiddenError.*describe_model lists/],
      ['upload_file', { name: 'a.txt', text: 'x' }, /ForbiddenError/],
    ]
    for (const [name, given, message] of refusals) {
      const { isError, text } = await reader.call(name, { ...given })
      assert.ok(isError, `${name} ${text}`)
      assert.match(text, message)
      assert.ok(!/secret-code-value|private-notes-value/.test(text))
    }
    assert.equal(await reader.get('search_documents', { text: 'whale' }, 'data', 0), undefined)
  })

  test('every caller finds with tools what it finds with requests', async () => {
    const queries = [
      { type: 'articles' },
      { type: 'articles', filters: { title: { $containsi: 'a' } }, sort: ['title:desc'] },
      { type: 'articles', status: 'draft', populate: '*' },
      { type: 'articles', locale: '*', fields: ['title'], populate: { author: { fields: ['name'] } } },
      { type: 'authors', populate: ['articles'], pageSize: 2 },
      { type: 'secrets' },
    ]
    for (const token of [TOKEN, READER, WRITER, NOTHING]) {
      const agent = await connectTo(project.base, token)
      for (const given of queries) {
        const { type, pageSize, ...query } = { pageSize: 25, ...given }
        const url = `/api/${type}?${stringifyQuery({ ...query, pagination: { pageSize } })}`
        const sent = await sendRequest(project.server, 'GET', url, { authorization: `Bearer ${token}` })
        const found = await agent.call('find_documents', { ...given, pageSize })
        const told = `${token} ${url}: ${sent.text} ${found.text}`
        assert.equal(found.isError, sent.status !== 200, told)
        if (!found.isError) assert.deepEqual(found.at('data'), jsonAt(sent.text)('data'), told)
      }
      await agent.close()
    }
  })

  test('policies of the project apply to tools', async () => {
    const secret = { type: 'secrets', documentId: 'aaaaaaaaaaaaaaaaaaaaaaaa' }
    assert.match((await editor.call('delete_document', secret)).text, /ForbiddenError/)
  })

  test('a token writes only the fields and versions that its permissions cover', async () => {
    const create = (data: object, more: object = {}) =>
      writer.call('create_document', { type: 'articles', data, ...more })
    assert.match((await create({ title: 'x', notes: 'y' })).text, /notes/)
    assert.match((await create({ title: 'x' }, { status: 'published' })).text, /ForbiddenError/)
    const { at, isError, text } = await create({ title: 'Mine', kind: 'news' })
    assert.ok(!isError, text)
    const document = { type: 'articles', documentId: at('data', 'documentId') }
    assert.equal(
      await writer.get('update_document', { ...document, data: { title: 'Ours' } }, 'data', 'title'),
      'Ours',
    )
    assert.match((await writer.call('publish_document', document)).text, /ForbiddenError/)
    const { newest, events } = await lastEvents()
    assert.ok(newest, 'the change is recorded')
    assert.ok(
      events.every(({ documentId }) => documentId !== '') && newest.documentId === document.documentId,
    )
    assert.match(JSON.stringify(newest), /token/)
  })

  async function lastEvents() {
    const events = await readEventsAfter(project.server.store, 0)
    return { events, newest: events.at(-1) }
  }

  test('errors are results that say what is wrong with the call', async () => {
    const refusals: readonly (readonly [string, object, RegExp])[] = [
      ['find_documents', {}, /type: is required/],
      ['find_documents', { type: 'artikles' }, /must be one of.*did you mean .*articles/],
      [
        'find_documents',
        { type: 'articles', filter: {} },
        /filter: unknown argument; did you mean .*filters/,
      ],
      ['find_documents', { type: 'articles', pageSize: 1000 }, /pageSize: must be from 1 to 100/],
      ['find_documents', { type: 'articles', filters: { title: null } }, /filters.title: must not be null/],
      [
        'find_documents',
        { type: 'articles', filters: { titel: 'x' } },
        /Invalid key titel.*did you mean .*title/,
      ],
      ['find_documents', { type: 'articles', locale: 'fr' }, /locale: must be one of en, de/],
      ['find_documents', { type: 'articles', page: 0 }, /page: must be at least 1/],
      ['create_document', { type: 'articles', data: null }, /data: is required/],
      ['create_document', { type: 'articles', data: { kind: 'poem' } }, /kind/],
      ['create_document', { type: 'articles', data: { kind: 'news' }, status: 'published' }, /title/],
      ['publish_document', { type: 'authors', documentId: 'abc' }, /type: must be one of articles/],
      ['update_document', { type: 'articles', documentId: 'abc', data: {} }, /NotFoundError/],
      ['describe_model', { types: 'articles' }, /types: must be a list/],
    ]
    for (const [name, given, message] of refusals) {
      const { isError, text, at } = await editor.call(name, { ...given })
      assert.ok(isError, `${name} ${JSON.stringify(given)}: ${text}`)
      assert.match(text, message)
      assert.equal(typeof at('error', 'status'), 'number')
    }
    await assert.rejects(
      editor.call('find_document'),
      /Unknown tool: find_document; did you mean "find_documents"/,
    )
  })

  test('a request needs a bearer credential; a cookie is not one', async () => {
    const anonymous = await post({}, listTools)
    assert.equal(anonymous.status, 401)
    assert.equal(anonymous.headers['www-authenticate'], 'Bearer')
    assert.equal((await post({ cookie: `octavo_session=${TOKEN}` }, listTools)).status, 401)
    const wrong = await post({ authorization: 'Bearer wrong-token-0123456789' }, listTools)
    assert.equal(wrong.status, 401)
    assert.ok(!wrong.text.includes('wrong-token'))
  })

  test('pages of other origins are refused, also if they reach the server by their own name', async () => {
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await post({ ...asEditor, ...headers }, listTools)).status
    assert.equal(await status({ origin: 'https://evil.example' }), 403)
    assert.equal(await status({ origin: 'http://evil.example', host: 'evil.example' }), 403)
    assert.equal(await status({ origin: 'null' }), 403)
    assert.equal(await status({ origin: 'http://localhost.evil.example' }), 403)
    assert.equal(await status({ origin: 'http://localhost:6274' }), 200)
  })

  test('only single messages of a limited size are accepted', async () => {
    const list = await post(asEditor, [listTools, listTools])
    assert.equal(list.status, 400)
    assert.match(list.text, /one JSON-RPC message per request/)
    assert.equal((await post(asEditor, { ...listTools, padding: 'x'.repeat(100_001) })).status, 413)
    const get = await sendRequest(project.server, 'GET', '/mcp', asEditor)
    assert.deepEqual([get.status, get.headers.allow], [405, 'POST'])
  })

  test('a number that would lose digits is refused and not stored', async () => {
    const call = (name: string, given: string) =>
      sendRequest(
        project.server,
        'POST',
        '/mcp',
        { ...asEditor, accept: 'application/json, text/event-stream' },
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
      )
    const written = await call('create_document', '{"type":"articles","data":{"words":9007199254740993}}')
    assert.match(written.text, /ValidationError/)
  })

  test('a content-type that is added while the server runs can be used at once', async () => {
    const schema = collection('recipe', { name: string })
    const response = await project.adminRequest('POST', '/content-types', {
      data: schema,
    })
    assert.ok(response.status < 300, response.text)
    const tool = (await editor.tools()).find(({ name }) => name === 'create_document')
    assert.ok(Object(tool?.inputSchema.properties?.type).enum.includes('recipes'))
    assert.equal(
      await editor.get('create_document', { type: 'recipes', data: { name: 'Soup' } }, 'data', 'name'),
      'Soup',
    )
  })
})

test('a path that is in use is refused at the start', async () => {
  const folder = projectFolder({ ...library })
  const config = { mcp: { enabled: true, path: '/healthz' } }
  await assert.rejects(
    openProject(folder, `sqlite:${folder}/data.db`, { config }),
    /mcp.path: \/healthz is the path/,
  )
  rmSync(folder, { recursive: true })
})

test('without mcp.enabled, there is no endpoint', async () => {
  const folder = projectFolder({ ...library })
  const project = await openProject(folder, `sqlite:${folder}/data.db`)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const response = await sendRequest(
    project.server,
    'POST',
    '/mcp',
    { authorization: `Bearer ${TOKEN}` },
    body,
  )
  assert.equal(response.status, 404)
  await project.close()
  rmSync(folder, { recursive: true })
})

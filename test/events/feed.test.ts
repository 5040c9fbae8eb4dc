/** The live feed over the network. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { deleteOldEvents } from '../../src/events/outbox/retention.ts'
import type { PolicyQuestion } from '../../src/http/extension/hooks-and-policies.ts'
import type { Principal } from '../../src/query/scope.ts'
import { request, signUp } from '../access/client.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openTestStream, type TestStream } from './event-stream.ts'

const FULL = 'full-token-0123456789abcdef0123456789abcdef'
const NOTE = 'api::note.note'
const PAGE = 'api::page.page'

const type = (name: string, draftAndPublish: boolean, attributes: object) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
})

const custom = (token: string, permissions: object) => ({ type: 'custom', token, permissions })
const TOKENS = {
  editors: 'editors-token-0123456789abcdef0123456789abcdef',
  readers: 'readers-token-0123456789abcdef0123456789abcdef',
  red: 'red-token-0123456789abcdef0123456789abcdef0123',
  titles: 'titles-token-0123456789abcdef0123456789abcdef',
}

const find = (filters?: object, fields?: readonly string[]) => [
  { action: 'find', ...(filters && { filters }), ...(fields && { fields }) },
  '-readDrafts',
]

const project = (more: readonly [string, unknown][] = []) =>
  new Map<string, unknown>([
    [
      'src/api/note/content-types/note/schema.json',
      type('note', false, {
        title: { type: 'string' },
        body: { type: 'text' },
        color: { type: 'string' },
        secret: { type: 'string', private: true },
        parent: { type: 'relation', relation: 'manyToOne', target: NOTE },
      }),
    ],
    [
      'src/api/page/content-types/page/schema.json',
      type('page', true, { title: { type: 'string' }, color: { type: 'string' } }),
    ],
    [
      'config/tokens.json',
      {
        full: { type: 'full-access', token: FULL },
        editors: custom(TOKENS.editors, { [PAGE]: ['find'] }),
        readers: custom(TOKENS.readers, { [PAGE]: find() }),
        red: custom(TOKENS.red, {
          [NOTE]: find({ $or: [{ color: 'red' }, { parent: { color: 'red' } }] }),
          [PAGE]: find({ color: 'red' }),
        }),
        titles: custom(TOKENS.titles, { [NOTE]: find(undefined, ['title']) }),
      },
    ],
    ...more,
  ])

const isNamed = (principal: Principal, name: string) => principal.kind === 'token' && principal.name === name

onEachEngine((engine: TestEngine) => {
  let running: TestServer
  let streams: TestStream[] = []
  before(async () => {
    running = await serve(project(), await engine.freshUrl(), {
      events: { maxWaitingBytes: 20_000, heartbeatSeconds: 1 },
    })
  })
  afterEach(() => {
    for (const stream of streams) stream.close()
    streams = []
  })
  after(() => running.close())

  async function open(query = '', token: string | null = FULL, headers: Record<string, string> = {}) {
    const stream = await openTestStream(running.base, query, {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    })
    streams.push(stream)
    return stream
  }

  async function send(method: string, path: string, data?: unknown): Promise<string> {
    const response = await fetch(running.base + path, {
      method,
      headers: { authorization: `Bearer ${FULL}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    const text = await response.text()
    return text === '' ? '' : JSON.parse(text).data.documentId
  }

  const note = (data: object) => send('POST', '/api/notes', data)
  const page = (data: object, status = 'published') => send('POST', `/api/pages?status=${status}`, data)

  /** The names and documents of the events up to a last one, which every caller may see. */
  async function receivedBy(stream: TestStream, marker: () => Promise<string>) {
    const last = await marker()
    await stream.until(({ data }) => data.documentId === last)
    const events = stream.events.filter(({ data }) => data.documentId !== last)
    return events.map(({ name, data }) => [name, data.documentId])
  }

  describe('a stream', () => {
    it('has the headers of a stream, and sends each event with its number, document, caller and time', async () => {
      const stream = await open()
      assert.equal(stream.status, 200)
      assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
      assert.match(String(stream.headers['cache-control']), /no-store/)
      assert.equal(stream.headers['x-accel-buffering'], 'no')
      assert.ok(stream.headers['x-request-id'])
      const id = await note({ title: 'first' })
      const { id: seq, name, data } = await stream.until(({ data }) => data.documentId === id)
      assert.equal(name, 'document.create')
      const { at, ...rest } = data
      assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
      assert.deepEqual(rest, {
        ...{ seq, event: 'document.create', type: NOTE, documentId: id, locale: null },
        by: { kind: 'token' },
      })
    })

    it('can be limited to content-types, documents and actions', async () => {
      const id = await note({ title: 'watched' })
      const byDocument = await open(`?documentIds=${id}`)
      const byAction = await open('?actions=delete,publish')
      const byType = await open(`?types=pages&types=${PAGE}`)
      const other = await page({ title: 'other' })
      await send('PUT', `/api/notes/${id}`, { title: 'changed' })
      await send('DELETE', `/api/notes/${id}`)
      await byDocument.until(({ name }) => name === 'document.delete')
      assert.deepEqual(
        byDocument.events.map(({ name }) => name),
        ['document.update', 'document.delete'],
      )
      await byAction.until(({ name }) => name === 'document.delete')
      assert.deepEqual(
        byAction.events.map(({ name, data }) => [name, data.documentId]),
        [
          ['document.publish', other],
          ['document.delete', id],
        ],
      )
      await byType.until(({ name }) => name === 'document.publish')
      assert.deepEqual(
        byType.events.map(({ name }) => name),
        ['document.create', 'document.publish'],
      )
    })

    it('carries the document as the caller reads it', async () => {
      const whole = await open('?types=notes&include=document')
      const titles = await open('?types=notes&include=document', TOKENS.titles)
      const id = await note({ title: 'shown', color: 'blue', secret: 'hidden value' })
      const { data } = await whole.until(({ data }) => data.documentId === id)
      assert.partialDeepStrictEqual(data.document, { documentId: id, title: 'shown', color: 'blue' })
      const limited = await titles.until(({ data }) => data.documentId === id)
      assert.partialDeepStrictEqual(limited.data.document, { documentId: id, title: 'shown' })
      assert.doesNotMatch(titles.text, /blue/)
      for (const { text } of [whole, titles]) assert.doesNotMatch(text, /hidden value/)
      await send('DELETE', `/api/notes/${id}`)
      const removed = await whole.until(
        ({ name, data }) => name === 'document.delete' && data.documentId === id,
      )
      assert.equal(removed.data.document, null)
    })

    it('continues after Last-Event-ID without a gap', async () => {
      const first = await open()
      const seen = await note({ title: 'seen' })
      const { id } = await first.until(({ data }) => data.documentId === seen)
      first.close()
      const missed = [await note({ title: 'missed 1' }), await note({ title: 'missed 2' })]
      const resumed = [
        await open('', FULL, { 'last-event-id': String(id) }),
        await open(`?lastEventId=${id}`),
      ]
      const next = await note({ title: 'next' })
      for (const stream of resumed) {
        await stream.until(({ data }) => data.documentId === next)
        assert.deepEqual(
          stream.events.map(({ data }) => data.documentId),
          [...missed, next],
        )
      }
    })

    it('sends every change of what was removed meanwhile, to those who could find it', async () => {
      const first = await open()
      const before = first.lastId
      const noteId = await note({ title: 'created, changed, deleted', color: 'red' })
      await send('PUT', `/api/notes/${noteId}`, { title: 'changed' })
      await send('DELETE', `/api/notes/${noteId}`)
      const pageId = await page({ title: 'published, unpublished, deleted' })
      await send('POST', `/api/pages/${pageId}/actions/unpublish`)
      await send('PUT', `/api/pages/${pageId}?status=draft`, { title: 'a draft again' })
      await send('DELETE', `/api/pages/${pageId}`)
      const marker = await page({ title: 'marker', color: 'red' })
      const receivedBy = async (token: string) => {
        const stream = await open('', token, { 'last-event-id': String(before) })
        await stream.until(({ data }) => data.documentId === marker)
        const events = stream.events.filter(({ data }) => data.documentId !== marker)
        return events.map(({ name, data }) => `${name} ${data.documentId === noteId ? 'note' : 'page'}`)
      }
      const ofNote = ['document.create note', 'document.update note', 'document.delete note']
      assert.deepEqual(await receivedBy(FULL), [
        ...ofNote,
        ...['document.create page', 'document.publish page', 'document.unpublish page'],
        ...['document.update page', 'document.delete page'],
      ])
      assert.deepEqual(await receivedBy(TOKENS.readers), ['document.publish page', 'document.unpublish page'])
      assert.deepEqual(await receivedBy(TOKENS.red), ofNote)
    })

    it('starts with a reset if events after Last-Event-ID are gone, or it is unknown', async () => {
      const old = (await open()).lastId
      for (const title of ['a', 'b', 'c']) await note({ title })
      await deleteOldEvents(running.server.store, { keepDays: 7, maxEvents: 2 }, Date.now())
      for (const last of [old, old + 1_000_000]) {
        const stream = await open('', FULL, { 'last-event-id': String(last) })
        const { id, data } = await stream.until(({ name }) => name === 'reset')
        assert.equal(data.seq, id)
        const next = await note({ title: 'after the reset' })
        await stream.until(({ data }) => data.documentId === next)
        assert.equal(stream.events.length, 2)
      }
    })

    it('of a client that reads slowly has a reset where events were deleted before they could be sent', async () => {
      const stream = await open('?include=document')
      stream.pause()
      const before = stream.lastId
      const body = 'x'.repeat(100_000)
      for (let count = 0; count < 10; count++)
        await Promise.all(Array.from({ length: 10 }, () => note({ body })))
      await deleteOldEvents(running.server.store, { keepDays: 7, maxEvents: 2 }, Date.now())
      stream.resume()
      const last = await note({ title: 'after the deletion' })
      await stream.until(({ data }) => data.documentId === last)
      const missing = stream.events.filter(
        ({ id }, index) => id !== (stream.events[index - 1]?.id ?? before) + 1,
      )
      assert.deepEqual(
        missing.map(({ name }) => name),
        ['reset'],
      )
      assert.equal(stream.events.at(-1)?.id, before + 101)
    })

    it('sends its position when nothing happens', async () => {
      const stream = await open(`?types=${PAGE}`)
      const before = stream.lastId
      await note({ title: 'not for this stream' })
      await waitUntil(() => stream.lastId > before)
      assert.deepEqual(stream.events, [])
    })

    it('that is resumed has every event since, also more than may wait to be read', async () => {
      const last = (await open()).lastId
      const body = 'x'.repeat(5_000)
      for (let count = 0; count < 4; count++)
        await Promise.all(Array.from({ length: 10 }, () => note({ body })))
      const end = await note({ title: 'the end' })
      const stream = await open('?include=document', FULL, { 'last-event-id': String(last) })
      await stream.until(({ data }) => data.documentId === end)
      assert.deepEqual(new Set(stream.events.map(({ name }) => name)), new Set(['document.create']))
      assert.equal(stream.events.length, 41)
      assert.equal(stream.isEnded, false)
    })

    it('of a client that does not read ends with a reset', async () => {
      const stream = await open('?include=document')
      stream.pause()
      const body = 'x'.repeat(10_000)
      await waitUntil(async () => {
        await Promise.all(Array.from({ length: 20 }, () => note({ body })))
        return !/octavo_event_streams [1-9]/.test(await metrics())
      })
    })
  })

  it('a document that cannot be read resets the streams that it concerns, and holds up no others', async () => {
    const broken = await serve(
      project(),
      await engine.freshUrl(),
      {},
      {
        find: {
          [NOTE]: {
            after: ({ data }) => {
              if (JSON.stringify(data).includes('unreadable')) throw new Error('a bug in the hook')
            },
          },
        },
      },
    )
    const opened: TestStream[] = []
    const openOn = async (query: string, headers = {}) => {
      const stream = await openTestStream(broken.base, query, { authorization: `Bearer ${FULL}`, ...headers })
      opened.push(stream)
      return stream
    }
    const create = async (path: string, title: string) => {
      const response = await fetch(`${broken.base}/api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${FULL}`, 'content-type': 'application/json' },
        body: JSON.stringify({ data: { title } }),
      })
      assert.equal(response.status, 201)
    }
    const isPublish = ({ name }: { readonly name: string }) => name === 'document.publish'
    try {
      const notes = await openOn('?types=notes&include=document')
      const pages = await openOn('?types=pages')
      await create('notes', 'unreadable')
      await create('notes', 'readable')
      for (let count = 0; count < 26; count++)
        await Promise.all(Array.from({ length: 10 }, () => create('pages', 'page')))
      await waitUntil(() => pages.events.filter(isPublish).length === 260)
      const { id } = await notes.until(({ name }) => name === 'reset')
      await notes.ended()
      const resumed = await openOn('?types=notes&include=document', { 'last-event-id': String(id) })
      const { data } = await resumed.until(({ name }) => name === 'document.create')
      assert.match(JSON.stringify(data), /"title":"readable"/)
    } finally {
      for (const stream of opened) stream.close()
      await broken.close()
    }
  })

  it('deletions reach callers with a row rule although attributes have changed their type since', async () => {
    const url = await engine.freshUrl()
    const token = (name: string) => `${name}-token-of-the-changed-types-0123456789`
    const rules = {
      red: { color: 'red' },
      five: { level: 5 },
      notSeven: { level: { $ne: 7 } },
      big: { number: '9007199254740993' },
    }
    const files = (level: string) =>
      new Map<string, unknown>([
        [
          'src/api/note/content-types/note/schema.json',
          type('note', false, {
            color: { type: 'string' },
            level: { type: level },
            number: { type: 'biginteger' },
          }),
        ],
        [
          'config/tokens.json',
          {
            full: { type: 'full-access', token: FULL },
            ...Object.fromEntries(
              Object.entries(rules).map(([name, filters]) => [
                name,
                custom(token(name), { [NOTE]: find(level === 'integer' || name === 'red' ? filters : {}) }),
              ]),
            ),
          },
        ],
      ])
    const before = await serve(files('string'), url)
    const sendTo = (method: 'POST' | 'DELETE', path: string, data?: object) =>
      request(before.server, method, `/api/${path}`, { as: FULL, ...(data && { body: { data } }) })
    const make = async (data: object) =>
      String((await sendTo('POST', 'notes', data)).at('data', 'documentId'))
    const number = '9007199254740993'
    const names = new Map([
      [await make({ color: 'red', level: '5', number }), 'five'],
      [await make({ color: 'red', level: 'high' }), 'high'],
      [await make({ color: 'blue', level: '7' }), 'seven'],
    ])
    for (const id of names.keys()) assert.equal((await sendTo('DELETE', `notes/${id}`)).status, 204)
    await before.close()
    const changed = await serve(files('integer'), url)
    try {
      const receivedFor = async (name: string) => {
        const headers = { authorization: `Bearer ${token(name)}`, 'last-event-id': '0' }
        const stream = await openTestStream(changed.base, '', headers)
        const made = await request(changed.server, 'POST', '/api/notes', {
          as: FULL,
          body: { data: { color: 'red', level: 5, number } },
        })
        await stream.until(({ data }) => data.documentId === made.at('data', 'documentId'))
        stream.close()
        assert.ok(!stream.events.some((event) => event.name === 'reset'), name)
        const deletions = stream.events.filter((event) => event.name === 'document.delete')
        return deletions.map(({ data }) => names.get(String(data.documentId)))
      }
      assert.deepEqual(await receivedFor('red'), ['five', 'high'])
      assert.deepEqual(await receivedFor('five'), ['five'])
      assert.deepEqual(await receivedFor('notSeven'), ['five'])
      assert.deepEqual(await receivedFor('big'), ['five'])
    } finally {
      await changed.close()
    }
  })

  const metrics = async () => {
    const response = await running.server.metricFamilies()
    const family = response.find(({ name }) => name === 'octavo_event_streams')
    return `octavo_event_streams ${family?.samples[0]?.value}`
  }

  describe('a caller', () => {
    it('without permission to find anything, or with a wrong credential or parameter, is refused', async () => {
      const refused = async (query: string, token: string | null, headers = {}) => {
        const { status, text } = await open(query, token, headers)
        return [status, text]
      }
      assert.equal((await refused('', null))[0], 403)
      assert.equal((await refused('', 'wrong-token'))[0], 401)
      assert.equal((await refused('?types=notes', TOKENS.readers))[0], 403)
      assert.match(String((await refused('?types=pagez', TOKENS.readers))[1]), /did you mean/)
      for (const token of [null, TOKENS.readers])
        assert.doesNotMatch(String((await refused('?types=notez', token))[1]), /notes/)
      for (const [query, named] of [
        ['?types=nodes', 'nodes'],
        ['?actions=destroy', 'destroy'],
        ['?include=everything', 'include'],
        ['?typos=notes', 'typos'],
        ['?lastEventId=x', 'lastEventId'],
      ]) {
        const [status, text] = await refused(query ?? '', FULL)
        assert.equal(status, 400)
        assert.match(String(text), new RegExp(named ?? ''))
      }
    })

    it('without readDrafts receives only events of published versions', async () => {
      const editor = await open('', TOKENS.editors)
      const reader = await open('', TOKENS.readers)
      const draft = await page({ title: 'draft only' }, 'draft')
      await send('PUT', `/api/pages/${draft}?status=draft`, { title: 'still a draft' })
      await send('DELETE', `/api/pages/${draft}`)
      const shown = await page({ title: 'to publish' }, 'draft')
      await send('POST', `/api/pages/${shown}/actions/publish`)
      // Whether the caller may know of an event is decided when it is sent.
      await reader.until(({ name }) => name === 'document.publish')
      await send('PUT', `/api/pages/${shown}?status=draft`, { title: 'changed' })
      await send('POST', `/api/pages/${shown}/actions/discard`)
      await send('POST', `/api/pages/${shown}/actions/unpublish`)
      const marker = () => page({ title: 'marker' })
      assert.deepEqual(await receivedBy(reader, marker), [
        ['document.publish', shown],
        ['document.unpublish', shown],
      ])
      await editor.until(({ name }) => name === 'document.unpublish')
      const received = editor.events.map(({ name, data }) => [name.split('.')[1], data.documentId])
      assert.deepEqual(received.filter(([, id]) => id === draft).at(-1), ['delete', draft])
      assert.doesNotMatch(reader.text, new RegExp(draft))
    })

    it('with a row rule receives events of documents that it covers, and of deletions that it covered before', async () => {
      const red = await open('?include=document', TOKENS.red)
      const blue = await note({ title: 'blue title', color: 'blue' })
      const parent = await note({ title: 'red parent', color: 'red' })
      const child = await note({ title: 'child', color: 'green', parent })
      const orphan = await note({ title: 'orphan', color: 'green' })
      for (const id of [blue, orphan, child]) await send('DELETE', `/api/notes/${id}`)
      // The rule is evaluated with the related documents that exist when the event is read.
      await red.until(({ name, data }) => name === 'document.delete' && data.documentId === child)
      await send('DELETE', `/api/notes/${parent}`)
      const shown = await page({ title: 'red page', color: 'red' })
      const hidden = await page({ title: 'blue page', color: 'blue' })
      for (const id of [shown, hidden]) await send('POST', `/api/pages/${id}/actions/unpublish`)
      const received = await receivedBy(red, () => note({ title: 'marker', color: 'red' }))
      const removals = received.filter(([name]) => /delete|unpublish/.test(String(name)))
      assert.deepEqual(removals, [
        ['document.delete', child],
        ['document.delete', parent],
        ['document.unpublish', shown],
      ])
      for (const id of [blue, orphan, hidden]) assert.doesNotMatch(red.text, new RegExp(id))
      assert.doesNotMatch(red.text, /blue|orphan/)
    })

    it('whose credential is revoked receives nothing more', async () => {
      const { tokens } = running.server.access
      const { token, secret } = await tokens.create({ name: 'short', kind: 'read-only' })
      const stream = await open('', secret)
      assert.equal(stream.status, 200)
      await tokens.revoke(String(token.id))
      const after = await note({ title: 'after the end' })
      await stream.ended()
      assert.doesNotMatch(stream.text, new RegExp(after))
    })
  })

  it('callers with the same permissions receive different events where a policy or the author of a change differs', async () => {
    const policies = {
      [PAGE]: { find: ({ scope: { principal } }: PolicyQuestion) => isNamed(principal, 'full') },
    }
    const told = await serve(
      project([['config/roles.json', { authenticated: { [NOTE]: ['find', 'create'] } }]]),
      await engine.freshUrl(),
      {},
      { policies },
    )
    const connect = (token: string) => openTestStream(told.base, '', { authorization: `Bearer ${token}` })
    const post = (path: string, token: string) =>
      request(told.server, 'POST', path, { as: token, body: { data: { title: 'told' } } })
    try {
      const { tokens } = told.server.access
      const { secret } = await tokens.create({ name: 'other', kind: 'full-access' })
      const [author, reader] = [await signUp(told.server, 'author'), await signUp(told.server, 'reader')]
      const received = await Promise.all([author.jwt, reader.jwt, FULL, secret].map(connect))
      const page = (await post('/api/pages', FULL)).at('data', 'documentId')
      const note = (await post('/api/notes', author.jwt)).at('data', 'documentId')
      await Promise.all(received.map((stream) => stream.until(({ data }) => data.documentId === note)))
      const [own, others, full, other] = received
      const authorIn = (stream?: TestStream) =>
        stream?.events.find(({ data }) => data.documentId === note)?.data.by
      assert.deepEqual(authorIn(own), { kind: 'user', id: author.documentId })
      assert.deepEqual(authorIn(others), { kind: 'user' })
      const hasPage = (stream?: TestStream) => stream?.events.some(({ data }) => data.documentId === page)
      assert.deepEqual([hasPage(full), hasPage(other)], [true, false])
      for (const stream of received) stream.close()
    } finally {
      await told.close()
    }
  })

  it('streams are bounded, and do not count as open requests', async () => {
    const bounded = await serve(project(), await engine.freshUrl(), {
      events: { maxStreams: 3 },
      server: { maxOpenRequests: 2 },
    })
    const headers = { authorization: `Bearer ${FULL}` }
    const connect = () => openTestStream(bounded.base, '', headers)
    try {
      const three = [await connect(), await connect(), await connect()]
      assert.deepEqual(
        three.map(({ status }) => status),
        [200, 200, 200],
      )
      const fourth = await connect()
      assert.equal(fourth.status, 503)
      assert.ok(Number(fourth.headers['retry-after']) > 0)
      assert.equal((await fetch(`${bounded.base}/api/notes`, { headers })).status, 200)
      three[0]?.close()
      await waitUntil(async () => (await connect()).status === 200)
      // A server that shuts down does not wait for streams.
      await bounded.server.drain()
      await Promise.all(three.map((stream) => stream.ended()))
    } finally {
      await bounded.close()
    }
  })

  it('a content-type named events keeps its routes, and an event source gets the feed', async () => {
    const events = type('event', false, { title: { type: 'string' } })
    const named = await serve(
      project([['src/api/event/content-types/event/schema.json', events]]),
      await engine.freshUrl(),
    )
    const headers = { authorization: `Bearer ${FULL}` }
    try {
      const list = await fetch(`${named.base}/api/events`, { headers })
      assert.match(await list.text(), /^{"data":\[\]/)
      const stream = await openTestStream(named.base, '', headers)
      assert.match(String(stream.headers['content-type']), /event-stream/)
      stream.close()
    } finally {
      await named.close()
    }
  })

  it('other methods are not allowed, unless a content-type is named events', async () => {
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
      const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {}
      const headers = { authorization: `Bearer ${FULL}`, 'content-type': 'application/json' }
      const response = await fetch(`${running.base}/api/events`, { method, headers, ...body })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'], method)
    }
    const options = await fetch(`${running.base}/api/events`, { method: 'OPTIONS' })
    assert.deepEqual([options.status, options.headers.get('allow')], [200, 'GET'])
    assert.equal((await fetch(`${running.base}/api/events/1`, { method: 'POST' })).status, 404)
    const events = type('event', false, { title: { type: 'string' } })
    const named = await serve(
      project([['src/api/event/content-types/event/schema.json', events]]),
      await engine.freshUrl(),
    )
    try {
      const accept = 'text/event-stream, application/json'
      const headers = { authorization: `Bearer ${FULL}`, 'content-type': 'application/json', accept }
      const body = JSON.stringify({ data: { title: 'A concert' } })
      const created = await fetch(`${named.base}/api/events`, { method: 'POST', headers, body })
      assert.equal(created.status, 201)
    } finally {
      await named.close()
    }
  })

  it('without events there is no feed and no table', async () => {
    const off = await serve(project(), await engine.emptyUrl(), { events: { enabled: false } })
    const headers = { authorization: `Bearer ${FULL}` }
    try {
      assert.equal((await openTestStream(off.base, '', headers)).status, 404)
      const { store } = off.server
      const { dialect } = store
      const { compile } = await import('../../src/store/compile.ts')
      assert.deepEqual(await store.read(compile(dialect, dialect.hasTable('octavo_events'))), [])
    } finally {
      await off.close()
    }
  })
})

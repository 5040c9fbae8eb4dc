/**
 * The feed and the history tell nobody a word that they could not read, and webhooks deliver none that is private. Every
 * attribute of every content-type gets a word that occurs nowhere else; callers of every kind follow the feed while
 * documents change, and also read them after each change.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { newSecret } from '../../src/events/webhooks/sending/signature.ts'
import { type ContentType, type Model, USER } from '../../src/model/model.ts'
import { giveRole, request, signUp } from '../access/client.ts'
import { PROJECT, ROLES, TOKENS } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openTestStream, type TestStream } from './event-stream.ts'
import { type Receiver, startReceiver } from './receiver.ts'

interface Caller {
  readonly name: string
  readonly credential: string | undefined
  readonly stream: TestStream
  /** Every word that the caller could read after some change. */
  readonly readable: Set<string>
}

type Permissions = Readonly<Record<string, readonly (string | { readonly action: string })[]>>

/** Permissions that allow to read the history of what they allow to find. */
const withHistory = (permissions: Permissions): Permissions =>
  Object.fromEntries(
    Object.entries(permissions).map(([type, list]) => {
      const find = list.find((one) => (typeof one === 'string' ? one : one.action) === 'find')
      const others = list.filter((one) => (typeof one === 'string' ? one : one.action) !== 'findOne')
      const added = ['findOne', 'readHistory'].map((action) =>
        typeof find === 'object' ? { ...find, action } : action,
      )
      return [type, find === undefined ? list : [...others, ...added]]
    }),
  )

const PROJECT_WITH_HISTORY = new Map([
  ...PROJECT,
  [
    'config/roles.json',
    Object.fromEntries(Object.entries(ROLES).map(([role, permissions]) => [role, withHistory(permissions)])),
  ],
])

const wordsIn = (text: string) => text.match(/\bword\d+\b/g) ?? []

onEachEngine((engine) => {
  let running: TestServer
  let receiver: Receiver
  let callers: Caller[] = []
  let owner = ''
  let count = 0
  before(async () => {
    receiver = await startReceiver()
    running = await serve(PROJECT_WITH_HISTORY, await engine.freshUrl(), {
      events: { heartbeatSeconds: 1 },
      webhooks: {
        allow: ['127.0.0.1'],
        endpoints: { all: { url: `${receiver.url}/all`, secret: newSecret() } },
      },
    })
    const { server, base } = running
    const author = await signUp(server, 'author')
    const stranger = await signUp(server, 'stranger')
    for (const person of [author, stranger]) await giveRole(server, person, 'author', TOKENS.full)
    owner = author.documentId
    const credentials = {
      ...{ public: undefined, member: (await signUp(server, 'member')).jwt },
      ...{ author: author.jwt, stranger: stranger.jwt, ...TOKENS },
    }
    callers = await Promise.all(
      Object.entries(credentials).map(async ([name, credential]) => ({
        ...{ name, credential, readable: new Set<string>() },
        stream: await openTestStream(
          base,
          '?include=document',
          credential === undefined ? {} : { authorization: `Bearer ${credential}` },
        ),
      })),
    )
  })
  after(async () => {
    for (const { stream } of callers) stream.close()
    await running?.close()
    await receiver?.close()
  })

  const newWord = () => `word${++count}`

  /** A value for every string and password, also in components. */
  function valuesOf(model: Model, attributes: ContentType['attributes']): Record<string, unknown> {
    return Object.fromEntries(
      [...attributes.values()].flatMap((attribute): [string, unknown][] => {
        if (attribute.kind === 'scalar')
          return ['string', 'text', 'password'].includes(attribute.type) ? [[attribute.name, newWord()]] : []
        if (attribute.kind !== 'component') return []
        const component = model.components.get(attribute.component)
        const value = component ? valuesOf(model, component.attributes) : {}
        return [[attribute.name, attribute.repeatable ? [value] : value]]
      }),
    )
  }

  async function readAs({ credential, readable }: Caller, types: readonly ContentType[]) {
    for (const { plural } of types)
      for (const status of ['published', 'draft']) {
        const path = `/api/${plural}?populate=*&status=${status}&pagination[pageSize]=100`
        for (const word of wordsIn((await request(running.server, 'GET', path, { as: credential })).text))
          readable.add(word)
      }
  }

  /** Reads the history of a document, every state in it and what changed, and returns how many states there were. */
  async function checkHistory({ name, credential, readable }: Caller, path: string): Promise<number> {
    const get = (url: string) => request(running.server, 'GET', url, { as: credential })
    const listed = await get(`${path}/history?pagination[pageSize]=100`)
    if (listed.status !== 200) return 0
    const states = listed.at('data')
    assert.ok(Array.isArray(states))
    const texts = [listed.text]
    for (const { version } of states)
      for (const url of [`${path}/history/${version}?populate=*`, `${path}/history/${version}/changes`])
        texts.push((await get(url)).text)
    const hidden = wordsIn(texts.join()).filter((word) => !readable.has(word))
    assert.deepEqual(hidden, [], `the words of ${name} in the history of ${path}`)
    return states.length
  }

  /** The number of words that the webhook was sent about a document. */
  const wordsDelivered = (documentId: string) =>
    receiver.at('/all').flatMap(({ text }) => (text.includes(documentId) ? wordsIn(text) : [])).length

  it('callers with row rules, field rules or without drafts receive only words that they could read', async () => {
    const { model } = running.server.layout()
    const types = [...model.types.values()].filter((type) => type.generated && type.kind === 'collection')
    assert.ok(types.length >= 3)
    const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, data?: object) => {
      const body = data === undefined ? {} : { body: { data } }
      const response = await request(running.server, method, path, { as: TOKENS.full, ...body })
      assert.ok(response.status < 300, `${method} ${path}: ${response.text}`)
      for (const caller of callers) await readAs(caller, types)
      return response
    }
    const states = new Map<string, number>()
    const checkHistories = async (path: string) => {
      for (const caller of callers)
        states.set(caller.name, (states.get(caller.name) ?? 0) + (await checkHistory(caller, path)))
    }
    for (const type of types)
      for (const belongsToAuthor of [true, false]) {
        const relation = type.attributes.get('owner')
        const isOwned = relation?.kind === 'relation' && relation.target === USER
        const values = () => ({
          ...valuesOf(model, type.attributes),
          ...(isOwned && { owner: belongsToAuthor ? owner : null }),
        })
        const draft = type.draftAndPublish ? '?status=draft' : ''
        const created = await send('POST', `/api/${type.plural}${draft}`, values())
        const path = `/api/${type.plural}/${created.at('data', 'documentId')}`
        await send('PUT', `${path}${draft}`, values())
        if (type.draftAndPublish) {
          await send('POST', `${path}/actions/publish`, {})
          await send('PUT', `${path}${draft}`, values())
          await send('POST', `${path}/actions/unpublish`, {})
        }
        await send('PUT', path, values())
        await checkHistories(path)
        // A document that a rule has covered so far, and no longer does.
        if (isOwned && belongsToAuthor) await send('PUT', path, { ...values(), owner: null })
        await checkHistories(path)
        // A delivery has the document as it is when it is sent, so it would have none after the deletion.
        await waitUntil(() => wordsDelivered(String(created.at('data', 'documentId'))) > 0)
        await send('DELETE', path)
      }
    for (const name of ['full', 'public', 'author'])
      assert.ok((states.get(name) ?? 0) > 3, `${name} has read ${states.get(name)} saved states`)
    const full = callers.find(({ name }) => name === 'full')
    const newest = () => Math.max(0, ...(full?.stream.events ?? []).map(({ id }) => id))
    const deletions = () => full?.stream.events.filter(({ name }) => name === 'document.delete').length
    await waitUntil(() => deletions() === types.length * 2)
    for (const { stream, name, readable } of callers) {
      // A stream of a caller who may find nothing is refused.
      if (stream.status !== 200) continue
      await waitUntil(() => stream.lastId >= newest())
      const received = new Set(wordsIn(stream.text))
      assert.deepEqual(
        [...received].filter((word) => !readable.has(word)),
        [],
        `the words of ${name}`,
      )
      assert.ok(stream.events.length > 0, `${name} received nothing`)
    }
    assert.ok(wordsIn(full?.stream.text ?? '').length > 20)
    const delivered = () => receiver.at('/all').map(({ text }) => text)
    await waitUntil(
      () => delivered().filter((text) => text.includes('document.delete')).length >= types.length * 2,
    )
    const words = wordsIn(delivered().join())
    assert.deepEqual(
      words.filter((word) => !full?.readable.has(word)),
      [],
      'the words in deliveries',
    )
    assert.ok(words.length >= types.length * 2)
  })
})

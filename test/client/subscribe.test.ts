/** `client.subscribe` follows the live feed. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Client, createClient } from '../../src/client/index.ts'
import { openTestStream } from '../events/event-stream.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Schema } from './schema.ts'

const { tokens } = loadRecording()

onEachEngine((engine) => {
  let running: TestServer
  let client: Client<Schema>
  const sentIds: (string | null)[] = []
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    client = createClient<Schema>({ url: running.base, token: tokens.full, fetch: breakingFetch })
  })
  after(() => running.close())

  /** A fetch whose streams break after each event. */
  const breakingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!String(input).includes('/api/events') || !response.body) return response
    sentIds.push(new Headers(init?.headers).get('last-event-id'))
    const decoder = new TextDecoder()
    const breaking = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk)
        if (decoder.decode(chunk).includes('data: ')) controller.error(new Error('The connection broke'))
      },
    })
    return new Response(response.body.pipeThrough(breaking), response)
  }

  it('continues after a broken connection where it broke off, and ends with the loop', async () => {
    const made: string[] = []
    const create = async (name: string) =>
      made.push((await client.create('dishes', { name, price: 3 })).documentId)
    const received: (string | undefined)[] = []
    const events = client.subscribe({ types: ['dishes'], actions: ['create'], include: 'document', after: 0 })
    await create('One')
    for await (const event of events) {
      if (event.event === 'reset' || !made.includes(event.documentId)) continue
      received.push(event.document?.name ?? undefined)
      if (received.length === 3) break
      await create(received.length === 1 ? 'Two' : 'Three')
    }
    assert.deepEqual(received, ['One', 'Two', 'Three'])
    assert.ok(sentIds.length >= 3 && sentIds.slice(1).every((id) => Number(id) > 0))
  })

  it('waits while the server refuses it because too many streams are open', async () => {
    const limited = await serve(PROJECT, await engine.freshUrl(), { events: { maxStreamsPerAddress: 1 } })
    const stopping = new AbortController()
    try {
      const authorization = `Bearer ${tokens.full}`
      const open = await openTestStream(limited.base, '', { authorization })
      let refused = 0
      const counting: typeof fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (response.status === 429) refused++
        return response
      }
      const one = createClient<Schema>({ url: limited.base, token: tokens.full, fetch: counting })
      const next = one.subscribe({ types: ['dishes'], after: 0, signal: stopping.signal }).next()
      next.catch(() => {})
      await waitUntil(() => refused > 0)
      open.close()
      const { documentId } = await one.create('dishes', { name: 'Late', price: 3 })
      const { value } = await next
      assert.ok(value && value.event !== 'reset')
      assert.equal(value.documentId, documentId)
    } finally {
      stopping.abort()
      await limited.close()
    }
  })

  it('ends when its signal is aborted, and throws what the server refuses', async () => {
    const stopping = new AbortController()
    const events = client.subscribe({ signal: stopping.signal })
    const next = events.next()
    stopping.abort()
    assert.deepEqual(await next, { done: true, value: undefined })
    const refused = createClient<Schema>({ url: running.base, token: 'wrong' }).subscribe()
    await assert.rejects(refused.next(), { kind: 'UnauthorizedError', status: 401 })
  })
})

/** Signing in, files, batches and whole lists with the client. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, createClient, type Session } from '../../src/client/index.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Schema } from './schema.ts'

const { tokens } = loadRecording()
const ACCOUNT = { username: 'reader', email: 'reader@example.test', password: 'a long passphrase' }

onEachEngine((engine) => {
  let running: TestServer
  let full: Client<Schema>
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {
      auth: { sessions: 'refresh', passwordMemory: 64 },
    })
    full = createClient<Schema>({ url: running.base, token: tokens.full })
  })
  after(() => running.close())

  describe('a user', () => {
    const sessions: (Session | null)[] = []
    let client: Client<Schema>
    before(() => {
      client = createClient<Schema>({ url: running.base, onSession: (session) => sessions.push(session) })
    })

    it('registers, signs in and out, and reads its own account', async () => {
      assert.equal((await client.register(ACCOUNT)).username, 'reader')
      assert.equal((await client.me()).email, ACCOUNT.email)
      await client.signOut()
      assert.equal(sessions.at(-1), null)
      await assert.rejects(client.me(), { status: 403 })
      await assert.rejects(client.signIn('reader', 'a wrong passphrase'), { status: 400 })
      assert.equal((await client.signIn('reader', ACCOUNT.password)).email, ACCOUNT.email)
      assert.equal(sessions.at(-1)?.jwt, client.session?.jwt)
    })

    it('changes its password, which ends other sessions but not its own', async () => {
      const other = createClient<Schema>({ url: running.base })
      await other.signIn('reader', ACCOUNT.password)
      await client.changePassword(ACCOUNT.password, 'another long passphrase')
      assert.equal((await client.me()).username, 'reader')
      await assert.rejects(other.me(), { status: 401 })
      await client.changePassword('another long passphrase', ACCOUNT.password)
    })

    it('asks for a link to reset its password, and learns nothing from the response', async () => {
      await client.forgotPassword(ACCOUNT.email)
      await client.forgotPassword('nobody@example.test')
      const stranger = createClient<Schema>({ url: running.base })
      const refused = stranger.resetPassword('not-a-code', 'another long passphrase')
      await assert.rejects(refused, { kind: 'ValidationError', status: 400 })
    })

    /** A client as it is after a while: its JWT has expired, but it can renew its session. */
    async function afterExpiry(): Promise<Client<Schema>> {
      const fresh = createClient<Schema>({ url: running.base })
      await fresh.signIn('reader', ACCOUNT.password)
      const { session } = fresh
      assert.ok(session)
      return createClient<Schema>({
        url: running.base,
        session: { ...session, jwt: `${session.jwt.slice(0, -4)}AAAA` },
      })
    }

    it('ends its session on the server, also when its JWT has expired', async () => {
      const leaving = await afterExpiry()
      const sent: (string | undefined)[] = []
      const refreshToken = leaving.session?.refreshToken
      const client = createClient<Schema>({
        url: running.base,
        session: leaving.session,
        onSession: (session) => sent.push(session?.refreshToken),
      })
      await client.signOut()
      assert.equal(client.session, null)
      for (const token of [refreshToken, sent[0] ?? '']) {
        const body = JSON.stringify({ refreshToken: token })
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(`${running.base}/api/auth/refresh`, { method: 'POST', headers, body })
        assert.equal(response.status, 401)
      }
    })

    it('changes its password when its JWT has expired', async () => {
      const changing = await afterExpiry()
      assert.equal((await changing.changePassword(ACCOUNT.password, 'a newer passphrase')).username, 'reader')
      await changing.changePassword('a newer passphrase', ACCOUNT.password)
      await client.signIn('reader', ACCOUNT.password)
    })

    it('follows changes beyond the life of a JWT', async () => {
      const following = await afterExpiry()
      const { jwt } = following.session ?? {}
      const stop = new AbortController()
      const next = following.subscribe({ signal: stop.signal }).next()
      await Promise.race([next, waitUntil(() => following.session?.jwt !== jwt)])
      stop.abort()
      assert.deepEqual(await next, { done: true, value: undefined })
    })

    it('stays signed out when a renewal ends later', async () => {
      const waiting = Promise.withResolvers<void>()
      const { session } = await afterExpiry()
      const late = createClient<Schema>({
        url: running.base,
        session,
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          if (String(input).endsWith('/refresh')) await waiting.promise
          return response
        },
      })
      const renewal = late.refresh()
      await assert.rejects(late.signIn('reader', 'a wrong passphrase'), { status: 400 })
      waiting.resolve()
      assert.equal(await renewal, false)
      assert.equal(late.session, null)
    })

    it('keeps its session beyond the life of a JWT: calls that fail together renew it once', async () => {
      const { session } = client
      assert.ok(session?.refreshToken)
      const stale = { jwt: `${session.jwt.slice(0, -4)}AAAA`, refreshToken: session.refreshToken }
      const renewed: (Session | null)[] = []
      const later = createClient<Schema>({
        url: running.base,
        session: stale,
        onSession: (next) => renewed.push(next),
      })
      const users = await Promise.all([later.me(), later.me(), later.me()])
      assert.deepEqual(new Set(users.map(({ username }) => username)), new Set(['reader']))
      assert.equal(renewed.length, 1)
      assert.equal(await later.refresh(), true)
      assert.equal(renewed.length, 2)
      await later.signOut()
      const ended = createClient<Schema>({ url: running.base, session: stale })
      await assert.rejects(ended.me(), { status: 401 })
      assert.equal(await ended.refresh(), false)
    })
  })

  it('every document of a list, page by page, while others write', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await full.create('tags', { label: `all ${name}` })
    const names: string[] = []
    for await (const { label } of full.all('tags', {
      filters: { label: { $startsWith: 'all ' } },
      sort: 'label',
      pageSize: 2,
    })) {
      names.push(label)
      if (names.length === 1) await full.create('tags', { label: 'all 0' })
    }
    assert.deepEqual(names, ['all a', 'all b', 'all c', 'all d', 'all e'])
  })

  it('several writes in one batch, which refer to each other', async () => {
    const [tag, changed] = await full.batch([
      { id: 'tag', method: 'POST', path: '/api/tags', body: { data: { label: 'batched' } } },
      { method: 'PUT', path: '/api/tags/{tag.documentId}', body: { data: { label: 'batched twice' } } },
    ])
    assert.deepEqual([tag?.status, changed?.status], [201, 200])
    const read = await full.findOne('tags', String(tag?.body?.data.documentId))
    assert.equal(read.label, 'batched twice')
  })

  it('files: uploading with progress, listing, reading and deleting', async () => {
    const progress: number[][] = []
    const content = new Blob(['some text'])
    const [file] = await full.upload(
      content,
      { name: 'progress.txt' },
      {
        onProgress: (sent, total) => progress.push([sent, total]),
      },
    )
    assert.ok(file)
    assert.deepEqual(progress.at(-1), [content.size, content.size])
    const [listed] = await full.files.list({ filters: { name: 'progress.txt' } })
    assert.equal(listed?.id, file.id)
    assert.equal((await full.files.findOne(file.id)).name, 'progress.txt')
    await full.files.delete(file.id)
    await assert.rejects(full.files.findOne(file.id), { status: 404 })
  })
})

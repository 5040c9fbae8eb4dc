/** A server keeps an admin: without one, it could be claimed by whoever reads its log. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
import type { TestServer } from '../support/server.ts'
import { join, type Method, type Person, send, startTeamServer } from './team.ts'

onEachEngine((engine) => {
  let running: TestServer
  let admin: Person
  beforeEach(async () => {
    running = await startTeamServer(engine)
    admin = await join(running, 'admin')
  })
  afterEach(() => running?.close())

  /** The ways to take the rights of an admin away. */
  const WAYS: readonly (readonly [method: Method, path: (id: number) => string, body?: object])[] = [
    ['PUT', (id) => `/team/${id}`, { data: { role: 'editor' } }],
    ['PUT', (id) => `/team/${id}`, { data: { blocked: true } }],
    ['DELETE', (id) => `/team/${id}`],
    ['PUT', (id) => `/users/${id}`, { data: { blocked: true } }],
    ['POST', (id) => `/users/${id}/demote`],
    ['DELETE', (id) => `/users/${id}`],
  ]

  it('refuses to block, demote and delete the only admin, in every way', async () => {
    await join(running, 'editor')
    const { secret } = await running.server.access.tokens.create({ name: 'admin', kind: 'admin' })
    const withToken = (method: Method, path: string, body?: object) =>
      sendRequest(
        running.server,
        method,
        `/admin/api${path}`,
        { authorization: `Bearer ${secret}` },
        body && JSON.stringify(body),
      )
    for (const [method, path, body] of WAYS)
      for (const { status, text } of [
        await send(running, method, path(admin.id), admin.cookie, body),
        await withToken(method, path(admin.id), body),
      ]) {
        assert.equal(status, 400, `${method} ${path(admin.id)}: ${text}`)
        assert.match(text, /This is the only admin/)
      }
    assert.equal((await send(running, 'GET', '/me', admin.cookie)).status, 200)
  })

  it('keeps one of two admins who remove each other at the same moment', async () => {
    for (let round = 1; round <= 4; round++) {
      const other = await join(running, 'admin', `second${round}`)
      const [method, path, body] = WAYS[round % 3] ?? WAYS[0] ?? []
      assert.ok(method && path)
      const responses = await Promise.all([
        send(running, method, path(other.id), admin.cookie, body),
        send(running, method, path(admin.id), other.cookie, body),
      ])
      const refused = responses.filter(({ status }) => status >= 400)
      assert.equal(refused.length, 1, responses.map(({ status, text }) => `${status} ${text}`).join('\n'))
      const admins = (await running.server.access.admins.list()).filter(({ blocked }) => !blocked)
      assert.equal(admins.length, 1)
      if (responses[1] !== refused[0]) admin = other
    }
  })
})

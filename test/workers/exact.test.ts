/** Several processes respond as one would: a write acknowledged by one is visible in all the others. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, string } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Connection, type Fleet, startFleet } from './fleet.ts'

const WORKERS = 3

onEachEngine((engine) => {
  let fleet: Fleet
  let connections: readonly Connection[]
  let admin = ''
  const env = { OCTAVO_RATE_LIMIT_SIGN_IN_PER_IDENTIFIER: '5' }
  before(async () => {
    fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS, env })
    connections = await fleet.connectToWorkers(WORKERS)
    const { out, err } = await fleet.command('token', 'create', '--admin')
    admin = out.trim()
    assert.ok(admin, err)
  })
  after(async () => {
    for (const connection of connections ?? []) connection.close()
    assert.equal(await fleet?.stop(), 0)
  })

  const others = (connection: Connection) => connections.filter((one) => one !== connection)

  it('show a write of one process in all others immediately, whatever they have cached', async () => {
    const [first] = connections
    const made = await first?.request('POST', '/api/items', { data: { name: '0' } })
    assert.equal(made?.status, 201)
    const path = `/api/items/${made?.at('data', 'documentId')}`
    const list = '/api/items?fields=name'
    for (let round = 1; round <= 60; round++) {
      for (const connection of connections) {
        const name = `${round} ${connections.indexOf(connection)}`
        assert.equal((await connection.request('PUT', path, { data: { name } })).status, 200)
        const responses = await Promise.all(
          others(connection).flatMap((one) => [
            one.request('GET', path),
            one.request('GET', list, undefined, null),
          ]),
        )
        for (const response of responses) assert.ok(response.text.includes(`"name":"${name}"`), response.text)
      }
    }
  })

  it('accept concurrent writes, also those of a command, and lose none', async () => {
    const before = Number(
      (await connections[0]?.request('GET', '/api/pages'))?.at('meta', 'pagination', 'total'),
    )
    const writes = Array.from({ length: 240 }, (_, index) =>
      connections[index % connections.length]?.request('POST', '/api/pages', {
        data: { text: `page ${index}` },
      }),
    )
    const commands = ['a', 'b'].map((name) => fleet.command('token', 'create', name))
    for (const response of await Promise.all(writes)) assert.equal(response?.status, 201, response?.text)
    for (const { code, err } of await Promise.all(commands)) assert.equal(code, 0, err)
    for (const connection of connections)
      assert.equal(
        (await connection.request('GET', '/api/pages')).at('meta', 'pagination', 'total'),
        before + 240,
      )
  })

  it('refuse a token in all processes as soon as one has revoked it', async () => {
    for (const connection of connections) {
      const data = { name: `short ${connections.indexOf(connection)}`, type: 'read-only' }
      const made = await connection.request('POST', '/admin/api/tokens', { data }, admin)
      assert.equal(made.status, 201, made.text)
      const token = String(made.at('data', 'token'))
      for (const one of connections)
        assert.equal((await one.request('GET', '/api/pages', undefined, token)).status, 200, made.text)
      const revoked = await connection.request(
        'DELETE',
        `/admin/api/tokens/${made.at('data', 'id')}`,
        undefined,
        admin,
      )
      assert.equal(revoked.status, 204, revoked.text)
      const responses = await Promise.all(
        others(connection).map((one) => one.request('GET', '/api/pages', undefined, token)),
      )
      for (const response of responses) assert.equal(response.status, 401)
    }
  })

  it('apply a change of permissions in all processes immediately', async () => {
    for (const connection of connections) {
      for (const actions of [['find'], []]) {
        const data = { permissions: { 'api::page.page': actions } }
        const changed = await connection.request('PUT', '/admin/api/roles/public', { data }, admin)
        assert.equal(changed.status, 200, changed.text)
        const expected = actions.length > 0 ? 200 : 403
        const responses = await Promise.all(
          others(connection).map((one) => one.request('GET', '/api/pages', undefined, null)),
        )
        for (const response of responses) assert.equal(response.status, expected)
      }
    }
  })

  it('serve a new content-type in all processes', async () => {
    const data = collection('book', { title: string })
    const made = await connections[0]?.request('POST', '/admin/api/content-types', { data }, admin)
    assert.equal(made?.status, 201, made?.text)
    for (const connection of connections)
      await waitUntil(async () => (await connection.request('GET', '/api/books')).status === 200)
    const written = await connections[1]?.request('POST', '/api/books', { data: { title: 'Dune' } })
    assert.equal(written?.status, 201, written?.text)
    for (const connection of connections)
      assert.equal((await connection.request('GET', '/api/books')).at('data', 0, 'title'), 'Dune')
  })

  it('share the count of failed sign-in attempts', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 7; round++) {
      const body = { identifier: 'unknown', password: `wrong ${round}` }
      const response = await connections[round % WORKERS]?.request('POST', '/api/auth/local', body, null)
      statuses.push(response?.status ?? 0)
    }
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429])
  })
})

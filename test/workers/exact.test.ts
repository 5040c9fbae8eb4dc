/** Several processes respond as one would: a write acknowledged by one is visible in all the others. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, string } from '../support/project-server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Fleet, startFleet, type Wire } from './fleet.ts'

const WORKERS = 3

onEachEngine((engine) => {
  let fleet: Fleet
  let wires: readonly Wire[]
  let admin = ''
  const env = { OCTAVO_RATE_LIMIT_SIGN_IN_PER_IDENTIFIER: '5' }
  before(async () => {
    fleet = await startFleet(await engine.freshUrl(), { workers: WORKERS, env })
    wires = await fleet.wires(WORKERS)
    const { out, err } = await fleet.command('token', 'create', '--admin')
    admin = out.trim()
    assert.ok(admin, err)
  })
  after(async () => {
    for (const wire of wires ?? []) wire.close()
    assert.equal(await fleet?.stop(), 0)
  })

  const others = (wire: Wire) => wires.filter((one) => one !== wire)

  it('show a write of one process in all others immediately, whatever they have cached', async () => {
    const [first] = wires
    const made = await first?.ask('POST', '/api/items', { data: { name: '0' } })
    assert.equal(made?.status, 201)
    const path = `/api/items/${made?.at('data', 'documentId')}`
    const list = '/api/items?fields=name'
    for (let round = 1; round <= 60; round++) {
      for (const wire of wires) {
        const name = `${round} ${wires.indexOf(wire)}`
        assert.equal((await wire.ask('PUT', path, { data: { name } })).status, 200)
        const answers = await Promise.all(
          others(wire).flatMap((one) => [one.ask('GET', path), one.ask('GET', list, undefined, null)]),
        )
        for (const answer of answers) assert.ok(answer.text.includes(`"name":"${name}"`), answer.text)
      }
    }
  })

  it('accept concurrent writes, also those of a command, and lose none', async () => {
    const before = Number((await wires[0]?.ask('GET', '/api/pages'))?.at('meta', 'pagination', 'total'))
    const writes = Array.from({ length: 240 }, (_, index) =>
      wires[index % wires.length]?.ask('POST', '/api/pages', { data: { text: `page ${index}` } }),
    )
    const commands = ['a', 'b'].map((name) => fleet.command('token', 'create', name))
    for (const answer of await Promise.all(writes)) assert.equal(answer?.status, 201, answer?.text)
    for (const { code, err } of await Promise.all(commands)) assert.equal(code, 0, err)
    for (const wire of wires)
      assert.equal((await wire.ask('GET', '/api/pages')).at('meta', 'pagination', 'total'), before + 240)
  })

  it('refuse a token in all processes as soon as one has revoked it', async () => {
    for (const wire of wires) {
      const data = { name: `short ${wires.indexOf(wire)}`, type: 'read-only' }
      const made = await wire.ask('POST', '/admin/api/tokens', { data }, admin)
      assert.equal(made.status, 201, made.text)
      const token = String(made.at('data', 'token'))
      for (const one of wires)
        assert.equal((await one.ask('GET', '/api/pages', undefined, token)).status, 200, made.text)
      const revoked = await wire.ask('DELETE', `/admin/api/tokens/${made.at('data', 'id')}`, undefined, admin)
      assert.equal(revoked.status, 204, revoked.text)
      const answers = await Promise.all(
        others(wire).map((one) => one.ask('GET', '/api/pages', undefined, token)),
      )
      for (const answer of answers) assert.equal(answer.status, 401)
    }
  })

  it('apply a change of permissions in all processes immediately', async () => {
    for (const wire of wires) {
      for (const actions of [['find'], []]) {
        const data = { permissions: { 'api::page.page': actions } }
        const changed = await wire.ask('PUT', '/admin/api/roles/public', { data }, admin)
        assert.equal(changed.status, 200, changed.text)
        const expected = actions.length > 0 ? 200 : 403
        const answers = await Promise.all(
          others(wire).map((one) => one.ask('GET', '/api/pages', undefined, null)),
        )
        for (const answer of answers) assert.equal(answer.status, expected)
      }
    }
  })

  it('serve a new content-type in all processes', async () => {
    const data = collection('book', { title: string })
    const made = await wires[0]?.ask('POST', '/admin/api/content-types', { data }, admin)
    assert.equal(made?.status, 201, made?.text)
    for (const wire of wires)
      await waitUntil(async () => (await wire.ask('GET', '/api/books')).status === 200)
    const written = await wires[1]?.ask('POST', '/api/books', { data: { title: 'Dune' } })
    assert.equal(written?.status, 201, written?.text)
    for (const wire of wires)
      assert.equal((await wire.ask('GET', '/api/books')).at('data', 0, 'title'), 'Dune')
  })

  it('share the count of failed sign-in attempts', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 7; round++) {
      const body = { identifier: 'somebody', password: `wrong ${round}` }
      const answer = await wires[round % WORKERS]?.ask('POST', '/api/auth/local', body, null)
      statuses.push(answer?.status ?? 0)
    }
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429])
  })
})

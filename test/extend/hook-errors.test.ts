/** What hooks throw: it is answered whatever it holds, and cannot end the process. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Extension, errors } from '../../src/index.ts'
import { collection, string, TOKEN, typeFile } from '../live/world.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const PROJECT = new Map<string, unknown>([
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
  [typeFile('note'), collection('note', { label: string })],
])

const circular: Record<string, unknown> = {}
circular.again = { circular }

onEachEngine((engine) => {
  let running: TestServer
  /** What the hook throws next. */
  let thrown: unknown = null
  const throwing = () => {
    if (thrown !== null) throw thrown
  }
  const extend: Extension = { hooks: { 'api::note.note': { before: { create: throwing } } } }
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {}, extend)
  })
  after(() => running.close())

  /** Over the network, where requests go the short way. */
  const create = async (error: unknown) => {
    thrown = error
    const response = await fetch(`${running.base}/api/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{"data":{"label":"sent"}}',
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  it('is answered without a value that JSON has no words for', async () => {
    for (const value of [1n, circular]) {
      const problem = { path: ['label'], message: 'is odd' }
      const { status, body } = await create(errors.invalidValues([{ ...problem, value }]))
      assert.equal(status, 400)
      assert.deepEqual(body.error.details, { errors: [{ ...problem, name: 'ValidationError' }] })
    }
    const { status, body } = await create(errors.migrationRefused([], false, [circular]))
    assert.deepEqual([status, body.error.details], [400, {}])
  })

  it('is a failure of the server when it cannot be answered, and the next request is served', async () => {
    const { status, body } = await create(errors.methodNotAllowed('POST', ['no\nheader']))
    assert.deepEqual([status, body.error.name], [500, 'InternalServerError'])
    assert.equal((await create(null)).status, 201)
  })
})

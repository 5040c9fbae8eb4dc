/** Errors thrown by hooks, over the network: every one becomes a response, and none ends the process. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Extension, errors } from '../../src/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, string, TOKEN, typeFile } from '../support/project-server.ts'
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

  /** Over the network, on the fast path; with a trailing slash through Fastify. */
  const create = async (error: unknown, path = '/api/notes') => {
    thrown = error
    const response = await fetch(running.base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{"data":{"label":"sent"}}',
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  it('uses the statusCode of any error, from 400 to 499', async () => {
    for (const path of ['/api/notes', '/api/notes/']) {
      const named = await create(Object.assign(new Error('already there'), { statusCode: 409 }), path)
      assert.deepEqual(
        [named.status, named.body.error],
        [409, { status: 409, name: 'ApplicationError', message: 'already there', details: {} }],
      )
      const plain = await create({ statusCode: 409 }, path)
      assert.deepEqual([plain.status, plain.body.error.message], [409, 'Conflict'])
      for (const statusCode of [200, 399, 500, 'x', 404.5]) {
        const { status, body } = await create({ statusCode, message: 'secret' }, path)
        assert.deepEqual([status, body.error.message], [500, 'Internal Server Error'])
      }
    }
  })

  it('leaves out a value that JSON cannot represent', async () => {
    for (const value of [1n, circular]) {
      const problem = { path: ['label'], message: 'is odd' }
      const { status, body } = await create(errors.invalidValues([{ ...problem, value }]))
      assert.equal(status, 400)
      assert.deepEqual(body.error.details, { errors: [{ ...problem, name: 'ValidationError' }] })
    }
    const { status, body } = await create(errors.migrationRefused([], false, [circular]))
    assert.deepEqual([status, body.error.details], [400, {}])
  })

  it('responds with 500 when the error itself cannot be sent, and serves the next request', async () => {
    const { status, body } = await create(errors.methodNotAllowed('POST', ['no\nheader']))
    assert.deepEqual([status, body.error.name], [500, 'InternalServerError'])
    assert.equal((await create(null)).status, 201)
  })
})

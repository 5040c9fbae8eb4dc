/** Routes of a project's own code: their errors keep their status and have the common format. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Extension, errors } from '../../src/index.ts'
import { request } from '../access/client.ts'
import { PROJECT } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

onEachEngine((engine) => {
  let running: TestServer
  /** What the route throws next. */
  let thrown: unknown = null
  const extend: Extension = {
    routes(app) {
      app.get('/api/mine', async () => {
        throw thrown
      })
      app.get('/page', async (_request, reply) =>
        reply.header('content-security-policy', "script-src 'self'").type('text/html').send('<h1>Mine</h1>'),
      )
      app.patch('/api/mine', { bodyLimit: 20 }, async ({ body }) => ({ body }))
    },
  }
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {}, extend)
  })
  after(() => running?.close())

  const responseTo = async (error: unknown) => {
    thrown = error
    const { status, at } = await request(running.server, 'GET', '/api/mine')
    assert.equal(at('error', 'status'), status)
    return [status, at('error', 'name'), at('error', 'message')]
  }
  const withStatus = (statusCode: number) => Object.assign(new Error('because'), { statusCode })

  it('respond with the status of an error from 400 to 499', async () => {
    for (const [status, name] of [
      [400, 'ValidationError'],
      [401, 'UnauthorizedError'],
      [403, 'ForbiddenError'],
      [404, 'NotFoundError'],
      [409, 'ApplicationError'],
      [412, 'PreconditionFailedError'],
      [413, 'PayloadTooLargeError'],
      [415, 'ApplicationError'],
      [422, 'ApplicationError'],
      [429, 'RateLimitError'],
    ] as const)
      assert.deepEqual(await responseTo(withStatus(status)), [status, name, 'because'])
    assert.deepEqual(await responseTo(errors.withStatus(410, 'gone')), [410, 'ApplicationError', 'gone'])
  })

  it('hide the message of any other error', async () => {
    const hidden = [500, 'InternalServerError', 'Internal Server Error']
    const failures = [new Error('secret'), withStatus(500), withStatus(503), withStatus(302)]
    for (const error of [...failures, 'secret', null]) assert.deepEqual(await responseTo(error), hidden)
  })

  it('send headers that protect pages, unless they set their own', async () => {
    const { headers } = await request(running.server, 'GET', '/page')
    assert.deepEqual(
      ['content-security-policy', 'x-frame-options', 'referrer-policy', 'x-content-type-options'].map(
        (name) => headers[name],
      ),
      ["script-src 'self'", 'DENY', 'no-referrer', 'nosniff'],
    )
  })

  it('parse bodies like all other routes', async () => {
    const patch = (body: string) => request(running.server, 'PATCH', '/api/mine', { body })
    assert.equal((await patch('{"a":1}')).text, '{"body":{"a":1}}')
    const broken = await patch('{')
    assert.deepEqual([broken.status, broken.at('error', 'name')], [400, 'SyntaxError'])
    const large = await patch('{"a":"more than twenty bytes"}')
    assert.deepEqual([large.status, large.at('error', 'name')], [413, 'PayloadTooLargeError'])
  })
})

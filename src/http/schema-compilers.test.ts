import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { lazyCompilers } from './schema-compilers.ts'

const number = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] }

test('a route with a schema is validated and serialised by it', async () => {
  const app = fastify({ schemaController: { compilersFactory: lazyCompilers } })
  app.get('/twice', { schema: { querystring: number, response: { 200: number } } }, async ({ query }) => ({
    number: 2 * Object(query).number,
    secret: 'not in the schema',
  }))
  const twice = await app.inject('/twice?number=21')
  assert.deepEqual([twice.statusCode, twice.json()], [200, { number: 42 }])
  const refused = await app.inject('/twice?number=many')
  assert.deepEqual([refused.statusCode, refused.json().code], [400, 'FST_ERR_VALIDATION'])
  await app.close()
})

/** The document beside content: the admin interface for those who may use it, and the routes of a project's own code. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApiDocument } from '../../src/http/openapi/document.ts'
import { type Extension, errors } from '../../src/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer, type TestResponse } from '../support/reference-server.ts'
import { routesOf } from '../support/routes.ts'

const text = { type: 'string' }

const extend: Extension = {
  routes(app, server) {
    app.get(
      '/api/shelves/:shelf/books',
      {
        schema: {
          summary: 'Books of a shelf',
          tags: ['Shelves'],
          params: { type: 'object', properties: { shelf: { ...text, description: 'Its letter.' } } },
          querystring: {
            type: 'object',
            required: ['limit'],
            properties: { limit: { type: 'integer', minimum: 1 }, words: { type: 'array', items: text } },
          },
          response: { 200: { description: 'Titles.', type: 'array', items: text } },
        },
      },
      async (request) => [JSON.stringify(request.params), JSON.stringify(request.query)],
    )
    app.post(
      '/api/orders',
      {
        schema: {
          body: { $id: 'order', type: 'object', required: ['title'], properties: { title: text } },
          response: { 201: { type: 'object', properties: { ok: { type: 'boolean' } } } },
        },
        config: { documentedFor: (scope) => scope.may('api::account.account', 'find') },
      },
      async (request, reply) => {
        const scope = await server.access.scopeOf(request.headers.authorization)
        if (!scope.may('api::account.account', 'find')) throw errors.forbidden()
        return reply.code(201).send({ ok: true })
      },
    )
    app.get('/api/quiet', async () => ({}))
    app.get('/api/hidden', { schema: { hide: true } }, async () => ({}))
    app.get('/api/rest/*', { schema: { summary: 'Everything' } }, async () => ({}))
  },
}

onEachEngine((engine) => {
  let api: ReferenceServer
  let admin: Readonly<Record<string, string>>
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl(), {}, extend)
    const { secret } = await api.server.access.tokens.create({ name: 'admin', kind: 'admin' })
    admin = { authorization: `Bearer ${secret}` }
  })
  after(() => api?.close())

  const documentFor = async (headers?: Readonly<Record<string, string>>): Promise<OpenApiDocument> =>
    JSON.parse((await api.send('GET', '/api/openapi.json', undefined, headers)).text)

  it('is valid for everybody', async () => {
    for (const headers of [{ authorization: '' }, undefined, admin]) {
      const document = await documentFor(headers)
      const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
      assert.deepEqual([result.valid, result.errors ?? null], [true, null])
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
      const ids = operations.map(({ operationId }) => operationId)
      assert.equal(new Set(ids).size, ids.length)
    }
  })

  /** Holds answers to a caller against the document that the same caller is given. */
  async function checker(headers: Readonly<Record<string, string>>) {
    const document = await documentFor(headers)
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    for (const name of ['binary', 'password']) ajv.addFormat(name, true)
    ajv.addSchema({ ...document, $id: 'octavo:api' })
    return async (method: 'GET' | 'POST' | 'PUT', template: string, url: string, body?: unknown) => {
      const answer = await api.send(method, url, body, headers)
      const escaped = template.replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent)
      const pointer = `/paths/${escaped}/${method.toLowerCase()}/responses/${answer.status}`
      const validate = ajv.getSchema(`octavo:api#${pointer}/content/application~1json/schema`)
      assert.ok(validate, `${method} ${url} answered ${answer.status}: ${answer.text}`)
      assert.ok(validate(JSON.parse(answer.text)), `${url}: ${JSON.stringify(validate.errors)}`)
      return answer
    }
  }

  it('tells admins alone of explain=true, and of its answer as it is', async () => {
    for (const headers of [{ authorization: '' }, undefined])
      assert.doesNotMatch(JSON.stringify(await documentFor(headers)), /explain/i)
    const { schemas } = (await documentFor(admin)).components
    const closed = { ...schemas.ExplainedRead, additionalProperties: false }
    const ajv = new Ajv2020({ strict: false })
    const isExplanation = ajv.compile(JSON.parse(JSON.stringify(closed)))
    const hold = await checker(admin)
    const reads: readonly (readonly [template: string, query: string])[] = [
      ['/api/restaurants', 'populate=*&filters[name]=x&sort=name&'],
      ['/api/restaurants/{documentId}', 'populate=*&'],
      ['/api/homepage', ''],
      ['/api/users', 'sort=username&'],
      ['/api/users/count', ''],
      ['/api/users/{id}', ''],
      ['/api/users-permissions/roles', ''],
      ['/api/upload/files', 'folder=/&'],
      ['/api/upload/files/{id}', ''],
      ['/api/upload/folders', ''],
      ['/admin/api/roles', ''],
      ['/admin/api/roles/{type}', ''],
    ]
    for (const [template, query] of reads) {
      const url = `${template.replace(/\{\w+\}/, '1')}?${query}explain=true`
      const { status, text } = await hold('GET', template, url)
      assert.equal(status, 200, text)
      assert.ok(isExplanation(JSON.parse(text).data), `${url}: ${JSON.stringify(isExplanation.errors)}`)
    }
  })

  it('tells of positions where the engine has them, and gives them as it says', async () => {
    const document = await documentFor()
    const { post, get } = document.paths['/api/tags'] ?? {}
    const told = [get?.parameters, post?.responses[201]].map((part) => /Position/.test(JSON.stringify(part)))
    const has = engine.name === 'postgres'
    assert.deepEqual(told, [has, has])
    const written = await api.send('POST', '/api/tags', { data: { label: 'placed' } })
    const position = written.headers['octavo-position']
    assert.equal(typeof position, has ? 'string' : 'undefined')
    const headers = { 'octavo-position': String(position) }
    assert.equal((await api.send('GET', '/api/tags', undefined, headers)).status, 200)
  })

  describe('the admin interface', () => {
    it('is in the document of admins with every method it has, and in no other', async () => {
      const told = Object.entries((await documentFor(admin)).paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
      )
      const refused = (answer: TestResponse) => answer.status === 405
      for (const { method, pattern } of routesOf(api.server)) {
        if (!pattern.startsWith('/admin/api')) continue
        if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method)) continue
        const isThere = told.includes(`${method} ${pattern}`)
        if (isThere) continue
        const url = pattern.replace(/:\w+/, 'none')
        const answer = await api.server.app.inject({ method: 'PATCH', url, headers: admin })
        const allowed = String(answer.headers.allow).split(', ')
        assert.ok(!allowed.includes(method), `${method} ${pattern} is not documented`)
      }
      assert.ok(told.filter((one) => one.includes('/admin/api')).length >= 20)
      for (const headers of [{ authorization: '' }, undefined])
        assert.ok(!/\/admin\/api|Admin/.test(JSON.stringify(await documentFor(headers))))
      assert.ok(refused(await api.send('DELETE', '/admin/api/settings', undefined, admin)))
    })

    it('answers as the document says', async () => {
      const check = await checker(admin)
      const hold = (method: 'GET' | 'POST' | 'PUT', template: string, url: string, body?: unknown) =>
        check(method, `/admin/api${template}`, `/admin/api${url}`, body)
      for (const url of [
        '/tokens',
        '/roles',
        '/users',
        '/locales',
        '/settings',
        '/content-types',
        '/components',
      ])
        await hold('GET', url, url)
      await hold('POST', '/tokens', '/tokens', { data: { name: 'new', type: 'read-only' } })
      await hold('POST', '/roles', '/roles', { data: { name: 'Reader', type: 'reader' } })
      const permissions = { 'api::tag.tag': ['find', { action: 'findOne', fields: ['label'] }] }
      await hold('PUT', '/roles/{type}', '/roles/reader', { data: { permissions } })
      const person = { username: 'chief', email: 'chief@example.test', password: 'chief-Passw0rd' }
      await hold('POST', '/users', '/users', { data: person })
      const leaf = { info: { singularName: 'leaf', pluralName: 'leaves' }, attributes: { form: text } }
      await hold('POST', '/content-types', '/content-types?dryRun=true', { data: leaf })
      const uid = '/content-types/api::tag.tag'
      const { data } = (await hold('GET', '/content-types/{uid}', uid)).json()
      const attributes = { ...Object(data.attributes), more: text }
      await hold('PUT', '/content-types/{uid}', `${uid}?dryRun=true`, { data: { ...data, attributes } })
      await hold('PUT', '/schema', '/schema?dryRun=true', { data: { contentTypes: [leaf] } })
    })
  })

  describe('routes of a project', () => {
    it('are documented with what their schemas declare', async () => {
      const { paths } = await documentFor()
      const { get: books } = paths['/api/shelves/{shelf}/books'] ?? {}
      assert.equal(books?.summary, 'Books of a shelf')
      assert.deepEqual(books?.parameters, [
        {
          name: 'shelf',
          in: 'path',
          required: true,
          description: 'Its letter.',
          schema: { ...text, description: 'Its letter.' },
        },
        {
          name: 'limit',
          in: 'query',
          description: '',
          schema: { type: 'integer', minimum: 1 },
          required: true,
        },
        { name: 'words', in: 'query', description: '', schema: { type: 'array', items: text } },
      ])
      assert.match(JSON.stringify(books?.responses['200']), /"Titles\."/)
      const { post: order } = paths['/api/orders'] ?? {}
      assert.deepEqual(order?.requestBody?.content['application/json']?.schema.required, ['title'])
      assert.equal(order?.operationId, 'postApiOrders')
    })

    it('are seen by those they are for, and not at all without a schema', async () => {
      const own = /^.api.(shelves|orders|quiet|hidden|rest.\*)/
      const pathsFor = async (headers?: Readonly<Record<string, string>>) =>
        Object.keys((await documentFor(headers)).paths).filter((path) => own.test(path))
      assert.deepEqual(await pathsFor({ authorization: '' }), ['/api/shelves/{shelf}/books'])
      assert.deepEqual(await pathsFor(), ['/api/shelves/{shelf}/books', '/api/orders'])
    })

    it('are given their parameters in brackets, checked, and refuse like all others', async () => {
      const url = '/api/shelves/b/books'
      const good = await api.send('GET', `${url}?limit=3&words[0]=x&words[1]=y`)
      assert.deepEqual(JSON.parse(good.text), ['{"shelf":"b"}', '{"limit":3,"words":["x","y"]}'])
      for (const query of ['', '?limit=none', '?limit=0']) {
        const bad = await api.send('GET', url + query)
        assert.deepEqual([bad.status, bad.json().error.name], [400, 'ValidationError'])
        assert.match(bad.json().error.message, /limit/)
      }
      assert.equal((await api.send('POST', '/api/orders', { title: 'x' })).status, 201)
      assert.equal((await api.send('POST', '/api/orders', {})).status, 400)
      const refused = await api.send('POST', '/api/orders', { title: 'x' }, { authorization: '' })
      assert.equal(refused.status, 403)
    })
  })
})

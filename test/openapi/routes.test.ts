/** The OpenAPI document of the admin API and of routes added by a project's own code. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApiDocument } from '../../src/http/openapi/document.ts'
import { type Extension, errors } from '../../src/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { sendRequest } from '../support/http-request.ts'
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

  it('is valid for every caller', async () => {
    for (const headers of [{ authorization: '' }, undefined, admin]) {
      const document = await documentFor(headers)
      const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
      assert.deepEqual([result.valid, result.errors ?? null], [true, null])
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
      const ids = operations.map(({ operationId }) => operationId)
      assert.equal(new Set(ids).size, ids.length)
    }
  })

  /** Sends requests and validates the responses against the document of the same caller. */
  async function createChecker(headers: Readonly<Record<string, string>>) {
    const document = await documentFor(headers)
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    for (const name of ['binary', 'password']) ajv.addFormat(name, true)
    ajv.addSchema({ ...document, $id: 'octavo:api' })
    return async (method: 'GET' | 'POST' | 'PUT', template: string, url: string, body?: unknown) => {
      const response = await api.send(method, url, body, headers)
      const escaped = template.replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent)
      const pointer = `/paths/${escaped}/${method.toLowerCase()}/responses/${response.status}`
      const validate = ajv.getSchema(`octavo:api#${pointer}/content/application~1json/schema`)
      assert.ok(validate, `${method} ${url} returned ${response.status}: ${response.text}`)
      assert.ok(validate(JSON.parse(response.text)), `${url}: ${JSON.stringify(validate.errors)}`)
      return response
    }
  }

  it('describes explain=true and its response, for admins only', async () => {
    for (const headers of [{ authorization: '' }, undefined])
      assert.doesNotMatch(JSON.stringify(await documentFor(headers)), /explain/i)
    const { schemas } = (await documentFor(admin)).components
    const closed = { ...schemas.ExplainedRead, additionalProperties: false }
    const ajv = new Ajv2020({ strict: false })
    const isExplanation = ajv.compile(JSON.parse(JSON.stringify(closed)))
    const check = await createChecker(admin)
    const reads: readonly (readonly [template: string, query: string])[] = [
      ['/api/restaurants', 'populate=*&filters[name]=x&sort=name&'],
      ['/api/restaurants/{documentId}', 'populate=*&'],
      ['/api/homepage', ''],
      ['/api/users', 'sort=username&'],
      ['/api/users/count', ''],
      ['/api/users/{id}', ''],
      ['/api/users-permissions/roles', ''],
      ['/api/upload/files', 'folder=/&'],
      ['/api/upload/files/page', ''],
      ['/api/upload/files/{id}', ''],
      ['/api/upload/folders', ''],
      ['/admin/api/roles', ''],
      ['/admin/api/roles/{type}', ''],
    ]
    for (const [template, query] of reads) {
      const url = `${template.replace(/\{\w+\}/, '1')}?${query}explain=true`
      const { status, text } = await check('GET', template, url)
      assert.equal(status, 200, text)
      assert.ok(isExplanation(JSON.parse(text).data), `${url}: ${JSON.stringify(isExplanation.errors)}`)
    }
  })

  it('describes position headers if the engine has them, and the server sends them', async () => {
    const document = await documentFor()
    const { post, get } = document.paths['/api/tags'] ?? {}
    const documented = [get?.parameters, post?.responses[201]].map((part) =>
      /Position/.test(JSON.stringify(part)),
    )
    const has = engine.name === 'postgres'
    assert.deepEqual(documented, [has, has])
    const written = await api.send('POST', '/api/tags', { data: { label: 'placed' } })
    const position = written.headers['octavo-position']
    assert.equal(typeof position, has ? 'string' : 'undefined')
    const headers = { 'octavo-position': String(position) }
    assert.equal((await api.send('GET', '/api/tags', undefined, headers)).status, 200)
  })

  describe('the admin API', () => {
    it('is documented completely for admins, and not at all for others', async () => {
      const documented = Object.entries((await documentFor(admin)).paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
      )
      const isRejected = (response: TestResponse) => response.status === 405
      for (const { method, pattern } of routesOf(api.server)) {
        if (!pattern.startsWith('/admin/api')) continue
        if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method)) continue
        const isThere = documented.includes(`${method} ${pattern}`)
        if (isThere) continue
        const url = pattern.replace(/:\w+/, 'none')
        const response = await sendRequest(api.server, 'PATCH', url, admin)
        const allowed = String(response.headers.allow).split(', ')
        assert.ok(!allowed.includes(method), `${method} ${pattern} is not documented`)
      }
      assert.ok(documented.filter((operation) => operation.includes('/admin/api')).length >= 20)
      for (const headers of [{ authorization: '' }, undefined])
        assert.ok(!/\/admin\/api|Admin/.test(JSON.stringify(await documentFor(headers))))
      assert.ok(isRejected(await api.send('DELETE', '/admin/api/settings', undefined, admin)))
    })

    it('responds as documented', async () => {
      const check = await createChecker(admin)
      const checkAdmin = (method: 'GET' | 'POST' | 'PUT', template: string, url: string, body?: unknown) =>
        check(method, `/admin/api${template}`, `/admin/api${url}`, body)
      for (const url of [
        '/tokens',
        '/roles',
        '/users',
        '/end-users',
        '/locales',
        '/settings',
        '/about',
        '/content-types',
        '/components',
      ])
        await checkAdmin('GET', url, url)
      await checkAdmin('POST', '/tokens', '/tokens', { data: { name: 'new', type: 'read-only' } })
      await checkAdmin('POST', '/locales', '/locales', { data: { code: 'pt-BR', name: 'Português' } })
      await checkAdmin('PUT', '/locales/{code}', '/locales/pt-BR', { data: { name: null } })
      await checkAdmin('POST', '/roles', '/roles', { data: { name: 'Reader', type: 'reader' } })
      const permissions = { 'api::tag.tag': ['find', { action: 'findOne', fields: ['label'] }] }
      await checkAdmin('PUT', '/roles/{type}', '/roles/reader', { data: { permissions } })
      await checkAdmin('GET', '/roles/{type}/content/{name}', '/roles/reader/content/tags')
      const reader = { username: 'reader', email: 'reader@example.test', password: 'reader-Passw0rd' }
      await checkAdmin('POST', '/end-users', '/end-users', { data: { ...reader, role: 'reader' } })
      const person = { username: 'chief', email: 'chief@example.test', password: 'chief-Passw0rd' }
      await checkAdmin('POST', '/users', '/users', { data: person })
      const leaf = { info: { singularName: 'leaf', pluralName: 'leaves' }, attributes: { form: text } }
      await checkAdmin('POST', '/content-types', '/content-types?dryRun=true', { data: leaf })
      const uid = '/content-types/api::tag.tag'
      const { data } = (await checkAdmin('GET', '/content-types/{uid}', uid)).json()
      const attributes = { ...Object(data.attributes), more: text }
      await checkAdmin('PUT', '/content-types/{uid}', `${uid}?dryRun=true`, { data: { ...data, attributes } })
      await checkAdmin('PUT', '/schema', '/schema?dryRun=true', { data: { contentTypes: [leaf] } })
    })
  })

  describe('routes of a project', () => {
    it('are documented from their schemas', async () => {
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

    it('are documented only for the callers they are for, and only with a schema', async () => {
      const own = /^.api.(shelves|orders|quiet|hidden|rest.\*)/
      const pathsFor = async (headers?: Readonly<Record<string, string>>) =>
        Object.keys((await documentFor(headers)).paths).filter((path) => own.test(path))
      assert.deepEqual(await pathsFor({ authorization: '' }), ['/api/shelves/{shelf}/books'])
      assert.deepEqual(await pathsFor(), ['/api/shelves/{shelf}/books', '/api/orders'])
    })

    it('have their parameters parsed and validated, and return the usual errors', async () => {
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

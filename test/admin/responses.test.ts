/** The types of the admin app are made from the OpenAPI document: what the server returns must be what it says. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { buildOpenApiDocument, type OpenApiDocument } from '../../src/http/openapi/document.ts'
import { systemScope } from '../../src/query/scope.ts'
import { onEachEngine } from '../support/engines.ts'
import type { TestServer } from '../support/server.ts'
import { join, type Method, type Person, send, startTeamServer } from './team.ts'

/** What the app reads, after the writes below have made some of everything. */
const READ = [
  ...['/session', '/me', '/home', '/sessions', '/team', '/invitations', '/tokens', '/roles', '/locales'],
  ...['/end-users', '/webhooks', '/audit', '/jobs', '/releases', '/schedules', '/notices', '/saved-views'],
  ...['/about', '/schema', '/schema-version'],
]

onEachEngine((engine) => {
  let running: TestServer
  let admin: Person
  let document: OpenApiDocument
  before(async () => {
    running = await startTeamServer(engine, { webhooks: { allow: ['127.0.0.1'] } })
    admin = await join(running, 'admin')
    const { layout, project } = running.server
    document = closed(
      buildOpenApiDocument({
        ...{ model: layout().model, config: project.config, scope: systemScope, isAdmin: true },
      }),
    )
  })
  after(() => running.close())

  /** Sends a request, and holds the response against the document. Returns its data. */
  async function check(method: Method, path: string, template = path, data?: unknown) {
    const response = await send(running, method, path, admin.cookie, data === undefined ? data : { data })
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema({ ...document, $id: 'octavo:api' })
    const pointer = ['paths', `/admin/api${template}`, method.toLowerCase(), 'responses', response.status]
    const escaped = pointer.map((part) => encodeURIComponent(String(part).replaceAll('/', '~1'))).join('/')
    const validate = ajv.getSchema(`octavo:api#/${escaped}/content/application~1json/schema`)
    assert.ok(validate, `${method} ${template} with ${response.status} is not documented: ${response.text}`)
    assert.ok(
      validate(JSON.parse(response.text)),
      `${method} ${path}: ${JSON.stringify(validate.errors)} ${response.text}`,
    )
    return response.at
  }

  it('what the admin app reads is as the OpenAPI document describes it', async () => {
    const article = await send(running, 'POST', '/content/articles', admin.cookie, { data: { title: 'One' } })
    const documentId = String(article.at('data', 'documentId'))
    const type = 'api::article.article'
    await check('POST', '/invitations', '/invitations', { email: 'new@example.test', role: 'editor' })
    await check('POST', '/tokens', '/tokens', { name: 'Site', type: 'read-only' })
    await check('POST', '/saved-views', '/saved-views', { type, name: 'Mine', query: '' })
    await check('PUT', `/views/types/${type}`, '/views/types/{uid}', { previewUrl: '/{slug}' })
    const person = { username: 'reader', email: 'reader@example.test', password: 'A-long-Passw0rd' }
    await check('POST', '/end-users', '/end-users', { ...person, role: 'authenticated' })
    const webhook = { name: 'Site', url: 'http://127.0.0.1:9/', events: ['document.publish'] }
    const made = await check('POST', '/webhooks', '/webhooks', webhook)
    await check('POST', `/webhooks/${made('data', 'id')}/test`, '/webhooks/{id}/test')
    await check('GET', `/webhooks/${made('data', 'id')}/deliveries`, '/webhooks/{id}/deliveries')
    const entries = [{ type, documentId, locale: 'en' }]
    const publishAt = '2100-01-31T09:00:00.000Z'
    const release = await check('POST', '/releases', '/releases', { name: 'Spring', entries, publishAt })
    await check('GET', `/releases/${release('data', 'id')}`, '/releases/{id}')
    await check('GET', `/team/${admin.id}/sessions`, '/team/{id}/sessions')
    for (const path of READ) await check('GET', path)
  })
})

/** The same document, in which the schemas of the admin API allow only the members that they list. */
function closed(document: OpenApiDocument): OpenApiDocument {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    // Attributes and schema files have options of their types, and a person more members in some responses.
    schema.properties && !/^Admin(Permitted|ContentType|Component|Person|Token|Webhook|Release)/.test(name)
      ? { ...schema, additionalProperties: false }
      : schema,
  ])
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
}

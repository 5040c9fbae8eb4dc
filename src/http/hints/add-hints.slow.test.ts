import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { serve, type TestServer } from '../../../test/support/server.ts'
import { addHints } from './add-hints.ts'

const TOKEN = 'a-custom-token-for-the-tests-of-hints'
const PLANT = 'api::plant.plant'

const schema = (singular: string, plural: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: singular, pluralName: plural, displayName: singular },
  options: { draftAndPublish: false },
  attributes,
})

const FILES = new Map<string, unknown>([
  ['config/tokens.json', { custom: { type: 'custom', token: TOKEN, permissions: { [PLANT]: ['create'] } } }],
  ['config/roles.json', { public: { [PLANT]: ['find', 'findOne'] } }],
  [
    'src/api/plant/content-types/plant/schema.json',
    schema('plant', 'plants', {
      name: { type: 'string' },
      kind: { type: 'enumeration', enum: ['tree', 'herb'] },
      garden: { type: 'relation', relation: 'manyToOne', target: 'api::garden.garden' },
    }),
  ],
  [
    'src/api/garden/content-types/garden/schema.json',
    schema('garden', 'gardens', { name: { type: 'string' } }),
  ],
])

onEachEngine((engine) => {
  let development: TestServer
  let usual: TestServer
  before(async () => {
    development = await serve(FILES, await engine.freshUrl(), {}, {}, addHints)
    usual = await serve(FILES, await engine.freshUrl())
  })
  after(async () => {
    await development.close()
    await usual.close()
  })

  const bearer = { authorization: `Bearer ${TOKEN}` }
  const CASES: readonly (readonly [path: string, status: number, hint: RegExp, init?: RequestInit])[] = [
    ['/api/plant', 404, /no \/api\/plant; did you mean \/api\/plants\?/],
    ['/api/plnats', 404, /did you mean \/api\/plants\?/],
    ['/api/zoo', 404, /this project has \/api\/gardens, \/api\/plants/],
    ['/plants', 404, /no \/plants; did you mean \/api\/plants\?/],
    ['/mcp', 404, /mcp\.enabled/],
    ['/api/auth/local', 404, /no GET \/api\/auth\/local; to sign in, POST .* to \/api\/auth\/local/],
    ['/api/auth/login', 404, /no \/api\/auth\/login; to sign in, POST/],
    ['/api/users/me', 403, /to sign in, POST/],
    ['/api/users', 403, /add "plugin::users-permissions\.user": \["find"\] to the role "public"/],
    ['/api/users/1', 403, /add "plugin::users-permissions\.user": \["delete"\]/, { method: 'DELETE' }],
    ['/api/upload/files/1', 403, /add "plugin::upload\.file": \["findOne"\]/],
    ['/api/upload/files/1', 403, /"destroy" for plugin::upload\.file is missing/, { method: 'DELETE' }],
    ['/api/users-permissions/roles', 403, /add "plugin::users-permissions\.role": \["find"\]/],
    ['/api/i18n/locales', 403, /add "plugin::i18n\.locale": \["find"\]/],
    ['/api/content-type-builder/components', 403, /"plugin::content-type-builder\.component": \["find"\]/],
    ['/api/plants/12', 404, /"12" is a numeric id/],
    [
      '/api/gardens',
      403,
      /"find" for api::garden\.garden is missing; add .* to the role "public" in config\/roles/,
    ],
    ['/api/plants/x', 403, /"delete" for .*"api::plant.plant": \["delete"\]/, { method: 'DELETE' }],
    ['/api/plants', 403, /"find" .* permissions of this token in config\/tokens\.json/, { headers: bearer }],
    ['/api/gardens', 403, /needs a scheme/, { headers: { authorization: TOKEN } }],
    ['/api/plants?populate=name', 400, /"name" is a plain attribute/],
    ['/api/plants?fields=garden', 400, /use populate=garden/],
    ['/api/plants?filters[kind]=shrub', 200, /"shrub" is not a value of "kind", which has tree, herb/],
    ['/api/plants?locale=xx', 200, /"xx" is not a locale of this project, which has en/],
  ]

  it('a development server says why a request was refused or found nothing', async () => {
    for (const [path, status, hint, init] of CASES) {
      const response = await fetch(development.base + path, init)
      const text = await response.text()
      assert.equal(response.status, status, `${path}: ${text}`)
      const shown =
        status === 200
          ? decodeURI(String(response.headers.get('octavo-hint')))
          : JSON.parse(text).error.details.hint
      assert.match(String(shown), hint, path)
    }
  })

  it('any other server says nothing more than before', async () => {
    for (const [path, status, , init] of CASES) {
      const response = await fetch(usual.base + path, init)
      const text = await response.text()
      assert.equal(response.status, status, path)
      assert.equal(response.headers.get('octavo-hint'), null)
      assert.doesNotMatch(text, /hint/, path)
    }
  })
})

/** A project with a team for the tests of the admin app, and requests that send its cookie as a browser does. */
import assert from 'node:assert/strict'
import type { OctavoServer } from '../../src/http/app.ts'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { systemScope } from '../../src/query/scope.ts'
import type { TestEngine } from '../support/engines.ts'
import { type HttpResponse, sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import { serve, type TestServer } from '../support/server.ts'

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

const typeSchema = (name: string, attributes: object, options: object = {}, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options,
  attributes,
  ...more,
})

const typeFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`

/** What reviewers may do with articles. */
export const REVIEWER = ['find', 'findOne', { action: 'update', fields: ['title', 'body'] }, 'publish']

/** Articles have drafts and locales, topics drafts, and tags neither. */
const PROJECT: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    typeFile('article'),
    typeSchema(
      'article',
      {
        title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
        slug: { type: 'uid', targetField: 'title' },
        body: { type: 'richtext', pluginOptions: { i18n: { localized: true } } },
        notes: { type: 'string', private: true },
        rank: { type: 'integer', private: true },
        checked: { type: 'boolean', private: true },
        pin: { type: 'password' },
        code: { type: 'string', unique: true },
        topic: relation('manyToOne', 'topic', { inversedBy: 'articles' }),
        tags: relation('manyToMany', 'tag', {}),
        seo: { type: 'component', component: 'shared.seo' },
      },
      { draftAndPublish: true },
      { pluginOptions: { i18n: { localized: true } } },
    ),
  ],
  [
    typeFile('topic'),
    typeSchema(
      'topic',
      { name: { type: 'string' }, articles: relation('oneToMany', 'article', { mappedBy: 'topic' }) },
      { draftAndPublish: true },
    ),
  ],
  [typeFile('tag'), typeSchema('tag', { name: { type: 'string', required: true } })],
  [typeFile('homepage'), { ...typeSchema('homepage', { headline: { type: 'string' } }), kind: 'singleType' }],
  [
    'src/components/shared/seo.json',
    {
      info: { displayName: 'SEO' },
      attributes: { title: { type: 'string' }, tag: relation('oneToOne', 'tag') },
    },
  ],
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  [
    'config/roles.json',
    {
      reviewer: {
        'api::article.article': REVIEWER,
        'api::topic.topic': ['find', 'findOne'],
      },
    },
  ],
  ['config/admin.json', { roles: ['reviewer'] }],
])

export const ROLES = ['admin', 'editor', 'author', 'reviewer', 'authenticated'] as const
export type TeamRole = (typeof ROLES)[number]

export const PASSWORD = 'A-long-Passw0rd'

export interface TeamResponse extends HttpResponse {
  /** The value at a path of the parsed body. */
  at(...path: readonly (string | number)[]): unknown
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Person {
  readonly id: number
  readonly documentId: string
  /** The cookie of the session, as the browser sends it. */
  readonly cookie: string
}

/** Sends a request as a page of the admin app does. */
export async function send(
  { server, base }: TestServer,
  method: Method,
  path: string,
  cookie: string | null,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TeamResponse> {
  const response = await sendRequest(
    server,
    method,
    `/admin/api${path}`,
    { origin: base, ...(cookie !== null && { cookie }), ...headers },
    body === undefined ? undefined : JSON.stringify(body),
  )
  return { ...response, at: jsonAt(response.text) }
}

/** The cookie that a response sets, without its attributes. */
export function cookieOf({ headers }: HttpResponse): string {
  const [cookie = ''] = headers['set-cookie'] ?? []
  return cookie.split(';')[0] ?? ''
}

export async function signIn(
  running: TestServer,
  identifier: string,
  more: object = {},
): Promise<TeamResponse> {
  return send(running, 'POST', '/session', null, { identifier, password: PASSWORD, ...more })
}

/** Creates an account with a role; its name is that of the role unless another one is given. */
export async function createAccount(server: OctavoServer, role: TeamRole, username: string = role) {
  const { access } = server
  const values = {
    ...{ username, email: `${username}@example.test`, password: PASSWORD, confirmed: true },
    role: await access.roles.documentIdOf(role),
  }
  const documentId = await access.users.create(
    values,
    { scope: systemScope, isAdmin: true },
    async (_transaction, id) => id,
  )
  const account = await access.accounts.byDocumentId(documentId)
  assert.ok(account)
  return account
}

/** Creates an account and signs it in. */
export async function join(running: TestServer, role: TeamRole, username: string = role): Promise<Person> {
  const { id, documentId } = await createAccount(running.server, role, username)
  const response = await signIn(running, username)
  assert.equal(response.status, 200, response.text)
  return { id, documentId, cookie: cookieOf(response) }
}

export const startTeamServer = async (
  engine: TestEngine,
  config: ConfigInput = {},
  extend: Extension = {},
): Promise<TestServer> => serve(PROJECT, await engine.freshUrl(), config, extend)

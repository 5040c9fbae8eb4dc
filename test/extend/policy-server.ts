/** A server with policies that a test controls, and functions to send it requests. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { LOCALE } from '../../src/access/roles/permissions.ts'
import type { PolicyQuestion } from '../../src/http/extension/hooks-and-policies.ts'
import { FILE, ROLE, USER } from '../../src/model/model.ts'
import { type Method, request, signUp, type TestResponse, type TestUser } from '../access/client.ts'
import { PROJECT, TOKENS } from '../access/project.ts'
import type { TestEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

export const NOTE = 'api::note.note'
export const TOPIC = 'api::topic.topic'
export const ALBUM = 'api::album.album'

type Fields = Readonly<Record<string, string>>

/** A body with one file and some fields. */
export function form(fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = 'content-disposition: form-data; name="files"; filename="list.csv"\r\ncontent-type: text/csv'
  return `${parts.join('')}--edge\r\n${head}\r\n\r\na,b\r\n--edge--\r\n`
}
export const MULTIPART = { 'content-type': 'multipart/form-data; boundary=edge' }

/** A sleeve has no drafts, and owns the relation to its album. */
const WITH_ALBUMS = new Map(PROJECT)
  .set('src/api/album/content-types/album/schema.json', {
    kind: 'collectionType',
    info: { singularName: 'album', pluralName: 'albums', displayName: 'album' },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      sheets: { type: 'media', multiple: true, allowedTypes: ['files'] },
      sleeves: { type: 'relation', relation: 'oneToMany', target: 'api::sleeve.sleeve', mappedBy: 'album' },
    },
  })
  .set('src/api/sleeve/content-types/sleeve/schema.json', {
    kind: 'collectionType',
    info: { singularName: 'sleeve', pluralName: 'sleeves', displayName: 'sleeve' },
    options: { draftAndPublish: false },
    attributes: {
      album: { type: 'relation', relation: 'manyToOne', target: ALBUM, inversedBy: 'sleeves' },
    },
  })

export interface PolicyServer {
  /** The actions that policies deny, as `uid action`; cleared before each test. */
  readonly refused: Set<string>
  /** The calls of policies in this test. */
  readonly calls: PolicyQuestion[]
  readonly server: TestServer['server']
  readonly ada: TestUser
  /** Sends a request with full access. */
  full(method: Method, url: string, body?: unknown, headers?: Fields): Promise<TestResponse>
  get(url: string): Promise<TestResponse>
  /** Creates a document and returns its documentId. */
  make(url: string, data: unknown): Promise<string>
  /** Sends a file, with other fields of the form. */
  upload(fields?: Fields): Promise<TestResponse>
}

/** Starts a server before the tests of a suite and closes it after them. */
export function startPolicyServer(engine: TestEngine): PolicyServer {
  const refused = new Set<string>()
  const calls: PolicyQuestion[] = []
  const policy = (question: PolicyQuestion) => {
    calls.push(question)
    return !refused.has(`${question.type} ${question.action}`)
  }
  const reading = { find: policy, findOne: policy }
  const policies = {
    [FILE]: { ...reading, upload: policy, update: policy, destroy: policy },
    [USER]: { ...reading, create: policy, update: policy, delete: policy },
    [ROLE]: { find: policy },
    [LOCALE]: { find: policy },
    [NOTE]: { ...reading, update: policy, publish: policy },
    [TOPIC]: { find: [() => true, policy] },
    [ALBUM]: { find: policy, update: policy, publish: policy },
  }
  let running: { readonly served: TestServer; readonly ada: TestUser } | null = null
  const started = () => {
    assert.ok(running)
    return running
  }
  before(async () => {
    const served = await serve(WITH_ALBUMS, await engine.freshUrl(), {}, { policies })
    running = { served, ada: await signUp(served.server, 'ada') }
  })
  after(() => running?.served.close())
  beforeEach(() => {
    refused.clear()
    calls.splice(0)
  })

  const full: PolicyServer['full'] = (method, url, body, headers = {}) =>
    request(started().served.server, method, url, { as: TOKENS.full, body, headers })
  return {
    refused,
    calls,
    get server() {
      return started().served.server
    },
    get ada() {
      return started().ada
    },
    full,
    get: (url) => full('GET', url),
    async make(url, data) {
      const response = await full('POST', url, { data })
      assert.equal(response.status, 201, response.text)
      return String(response.at('data', 'documentId'))
    },
    upload: (fields = {}) => full('POST', '/api/upload', form(fields), MULTIPART),
  }
}

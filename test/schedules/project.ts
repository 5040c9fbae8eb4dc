/** A project with drafts for the tests of schedules and releases, and requests as different callers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { sendRequest } from '../support/http-request.ts'
import { jsonAt } from '../support/json-body.ts'
import { writeFiles } from '../support/project-folder.ts'

export const ARTICLE = 'api::article.article'
export const PAGE = 'api::page.page'

const localized = { pluginOptions: { i18n: { localized: true } } }

const type = (name: string, kind: string, attributes: object, more: object = {}) => ({
  kind,
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  attributes,
  ...more,
})

const TOKENS = {
  full: 'full-token-0123456789abcdef0123456789abcdef',
  red: 'red-token-0123456789abcdef0123456789abcdef0123',
  writer: 'writer-token-0123456789abcdef0123456789abcdef',
  public: null,
}
/** On the admin API, `full` sends an admin token. */
export type CallerName = keyof typeof TOKENS

/** Articles have locales, pages do not, and home is a single type; tags have no drafts. */
const FILES = {
  'src/api/article/content-types/article/schema.json': type(
    'article',
    'collectionType',
    {
      title: { type: 'string', required: true, ...localized },
      code: { type: 'string', unique: true, ...localized },
    },
    localized,
  ),
  'src/api/page/content-types/page/schema.json': type('page', 'collectionType', {
    title: { type: 'string', required: true },
    color: { type: 'string' },
    code: { type: 'string', unique: true },
  }),
  'src/api/home/content-types/home/schema.json': type('home', 'singleType', { title: { type: 'string' } }),
  'src/api/tag/content-types/tag/schema.json': {
    ...type('tag', 'collectionType', { name: { type: 'string' } }),
    options: { draftAndPublish: false },
  },
  'config/locales.json': { default: 'en', locales: ['en', 'fr'] },
  'config/tokens.json': {
    full: { type: 'full-access', token: TOKENS.full },
    red: {
      type: 'custom',
      token: TOKENS.red,
      permissions: {
        [PAGE]: ['find', 'findOne', { action: 'update', filters: { color: 'red' } }],
      },
    },
    writer: {
      type: 'custom',
      token: TOKENS.writer,
      permissions: { [PAGE]: ['find', 'findOne', 'create', 'update', '-publish'] },
    },
  },
}

export interface Response {
  readonly status: number
  readonly text: string
  at(...path: readonly (string | number)[]): unknown
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface ScheduleServer {
  readonly server: OctavoServer
  readonly base: string
  readonly folder: string
  readonly log: readonly string[]
  send(
    method: Method,
    path: string,
    body?: unknown,
    caller?: CallerName,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
  /** Creates a document and returns its documentId. */
  create(name: string, data: object, query?: string): Promise<string>
  isPublished(name: string, documentId: string, query?: string): Promise<boolean>
  close(): Promise<void>
}

/** Writes the project to a new folder. */
export function createScheduleProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-schedules-'))
  writeFiles(folder, FILES)
  return folder
}

/** Starts a server in a new folder. */
export async function startScheduleServer(
  url: string,
  config: ConfigInput = {},
  extend: Extension = {},
): Promise<ScheduleServer> {
  const folder = createScheduleProject()
  const log: string[] = []
  const server = await createServer({
    project: folder,
    extend,
    config: { ...config, server: { port: 0 }, database: { url } },
    logLevel: 'warn',
    logTo: { write: (line) => void log.push(line) },
  })
  const base = await server.listen()
  const { secret: admin } = await server.access.tokens.create({
    name: `admin ${Math.random()}`,
    kind: 'admin',
  })
  const send: ScheduleServer['send'] = async (method, path, body, caller = 'full', headers = {}) => {
    const own = path.startsWith('/admin') && caller === 'full' ? admin : TOKENS[caller]
    const { status, text } = await sendRequest(
      server,
      method,
      path,
      { ...headers, ...(own !== null && { authorization: `Bearer ${own}` }) },
      body === undefined ? undefined : JSON.stringify(body),
    )
    return { status, text, at: jsonAt(text) }
  }
  return {
    server,
    base,
    folder,
    log,
    send,
    async create(name, data, query = 'status=draft') {
      const response = await send('POST', `/api/${name}?${query}`, { data })
      if (response.status !== 201) throw new Error(response.text)
      return String(response.at('data', 'documentId'))
    },
    async isPublished(name, documentId, query = '') {
      return (await send('GET', `/api/${name}/${documentId}?${query}`)).status === 200
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A listening server with a media library, and a client for it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OctavoServer } from '../../src/http/app.ts'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import type { TestEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'

const TOKENS = {
  full: 'full-token-0123456789abcdef0123456789abcdef',
  reader: 'reader-token-0123456789abcdef0123456789abcdef',
  sender: 'sender-token-0123456789abcdef0123456789abcdef',
  other: 'other-token-0123456789abcdef0123456789abcdef00',
  images: 'images-token-0123456789abcdef0123456789abcdef0',
  viewer: 'viewer-token-0123456789abcdef0123456789abcdef0',
}

export type Sender = keyof typeof TOKENS | 'public'

const uploader = (token: string) => ({
  type: 'custom',
  token,
  permissions: { 'plugin::upload.file': ['upload', 'find', 'findOne'] },
})

const PROJECT = new Map<string, unknown>([
  [
    'src/api/article/content-types/article/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'articles',
      info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string' },
        body: { type: 'richtext' },
        cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
        gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'files'] },
        strip: { type: 'component', component: 'block.strip', repeatable: true },
      },
    },
  ],
  [
    'src/api/poster/content-types/poster/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'posters',
      info: { singularName: 'poster', pluralName: 'posters', displayName: 'Poster' },
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        print: { type: 'media', multiple: false, pluginOptions: { i18n: { localized: true } } },
        frame: { type: 'media', multiple: false },
      },
    },
  ],
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  [
    'src/components/block/strip.json',
    {
      collectionName: 'strips',
      info: { displayName: 'Strip' },
      attributes: {
        note: { type: 'string' },
        picture: { type: 'media', multiple: false },
        film: { type: 'media', multiple: false, allowedTypes: ['images', 'videos'] },
      },
    },
  ],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: TOKENS.full },
      reader: { type: 'read-only', token: TOKENS.reader },
      sender: uploader(TOKENS.sender),
      other: uploader(TOKENS.other),
      images: {
        type: 'custom',
        token: TOKENS.images,
        permissions: {
          'plugin::upload.file': [{ action: 'findOne', filters: { mime: { $startsWith: 'image/' } } }],
        },
      },
      viewer: {
        type: 'custom',
        token: TOKENS.viewer,
        permissions: {
          'plugin::upload.file': [{ action: 'find', filters: { mime: { $startsWith: 'image/' } } }],
        },
      },
    },
  ],
  ['config/roles.json', { public: { 'api::article.article': ['find', 'findOne'] } }],
])

export interface SentFile {
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
  readonly type?: string
}

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  /** Parsed, when it is JSON. */
  readonly body: ReturnType<typeof JSON.parse>
}

export interface LibraryServer {
  readonly server: OctavoServer
  readonly base: string
  readonly port: number
  /** The project folder and the url of the database, for commands. */
  readonly project: string
  readonly database: string
  /** The folder of the stored files. */
  readonly folder: string
  /** Names of the stored files, and of uploads in progress. */
  stored(): string[]
  incoming(): string[]
  send(method: string, path: string, as?: Sender, body?: unknown): Promise<TestResponse>
  upload(
    files: readonly SentFile[],
    fields?: Record<string, unknown>,
    as?: Sender,
    query?: string,
  ): Promise<TestResponse>
  credential(as: Sender): Record<string, string>
  close(): Promise<void>
}

/** Starts the server on a new database. */
export async function startLibrary(
  engine: TestEngine,
  config: ConfigInput = {},
  extend: Extension = {},
): Promise<LibraryServer> {
  const database = await engine.freshUrl()
  const { server, base, close } = await serve(PROJECT, database, config, extend)
  const folder = join(server.project.dir, server.project.config.upload.directory)
  const token = (as: Sender): Record<string, string> =>
    as === 'public' ? {} : { authorization: `Bearer ${TOKENS[as]}` }
  const answerOf = async (response: Response): Promise<TestResponse> => {
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  }
  return {
    server,
    base,
    port: Number(new URL(base).port),
    project: server.project.dir,
    database,
    folder,
    stored: () => readdirSync(folder).filter((name) => !name.startsWith('.')),
    incoming: () => readdirSync(join(folder, '.incoming')),
    credential: token,
    async send(method, path, as = 'full', body) {
      const headers = { ...token(as), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return answerOf(await fetch(base + path, { method, headers, redirect: 'manual', ...sent }))
    },
    async upload(files, fields = {}, as = 'full', query = '') {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields))
        for (const one of [value].flat())
          form.append(name, typeof one === 'string' ? one : JSON.stringify(one))
      for (const { name, content, type = '' } of files)
        form.append('files', new Blob([content], { type }), name)
      return answerOf(
        await fetch(`${base}/api/upload${query}`, { method: 'POST', headers: token(as), body: form }),
      )
    },
    close,
  }
}

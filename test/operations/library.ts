/** A small project (books and authors) on a server whose log is recorded. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { type Files, writeFiles } from '../support/project-folder.ts'

export const FULL = 'full-token-of-the-operations-tests-01234567'
export const METRICS = 'metrics-token-of-the-tests-0123456789abcdef'

const type = (singular: string, plural: string, attributes: unknown, indexes: readonly string[][] = []) => ({
  kind: 'collectionType',
  collectionName: plural,
  info: { singularName: singular, pluralName: plural, displayName: singular },
  options: { indexes },
  attributes,
})

const project = (indexes: Indexes): Files => ({
  'src/api/book/content-types/book/schema.json': type(
    'book',
    'books',
    {
      title: { type: 'string' },
      shelf: { type: 'string' },
      year: { type: 'integer' },
      lent: { type: 'boolean' },
      summary: { type: 'text' },
      slug: { type: 'uid' },
      price: { type: 'integer', private: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'books' },
    },
    indexes.book,
  ),
  'src/api/author/content-types/author/schema.json': type(
    'author',
    'authors',
    {
      name: { type: 'string' },
      books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'author' },
    },
    indexes.author,
  ),
  'config/roles.json': {
    public: { 'api::book.book': ['find', 'findOne'] },
    admin: { 'api::book.book': ['find', 'findOne'] },
  },
  'config/tokens.json': { full: { type: 'full-access', token: FULL } },
})

export interface Indexes {
  readonly book?: readonly string[][]
  readonly author?: readonly string[][]
}

export type LogLine = Readonly<Record<string, unknown>>

export interface Library {
  readonly server: OctavoServer
  readonly base: string
  /** The project folder. */
  readonly folder: string
  /** The secret of an admin token. */
  readonly admin: string
  /** The lines of the log with this message. */
  lines(message: string): readonly LogLine[]
  get(path: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<LibraryResponse>
  /** Writes with the full-access token. */
  write(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LibraryResponse>
  close(): Promise<void>
}

export interface LibraryResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  json(): { readonly data: Readonly<Record<string, unknown>>; readonly [key: string]: unknown }
}

export async function openLibrary(
  url: string,
  config: ConfigInput = {},
  indexes: Indexes = {},
): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-operations-'))
  writeFiles(folder, project(indexes))
  // The project finds packages as if they were installed in its folder.
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const log: string[] = []
  const server = await createServer({
    project: folder,
    config: { ...config, server: { ...config.server, port: 0 }, database: { ...config.database, url } },
    logLevel: 'info',
    logTo: { write: (line) => void log.push(line) },
  })
  const base = await server.listen()
  const { secret } = await server.access.tokens.create({ name: `admin-${new URL(base).port}`, kind: 'admin' })
  const readResponse = async (response: Response): Promise<LibraryResponse> => {
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }
  return {
    server,
    base,
    folder,
    admin: secret,
    lines: (message) =>
      log.map((line): LogLine => JSON.parse(line)).filter(({ msg }) => String(msg).includes(message)),
    async get(path, token, headers = {}) {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return readResponse(await fetch(base + path, { headers: { ...authorization, ...headers } }))
    },
    async write(method, path, body, headers = {}) {
      const own = { authorization: `Bearer ${FULL}`, 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return readResponse(await fetch(base + path, { method, headers: { ...own, ...headers }, ...sent }))
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Servers whose model changes in a test: a folder that stays, requests as their holder of every token, and what they say. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer, type ServerOptions } from '../../src/http/app.ts'
import { jsonAt } from '../support/json-body.ts'
import { type Files, writeFiles } from '../support/project-folder.ts'

export const TOKEN = 'full-token-of-the-live-tests-0123456789'

export interface Answer {
  readonly status: number
  readonly text: string
  /** Where a write lies, on engines that tell. */
  readonly position: string | undefined
  /** What stands at a path in the body. */
  at(...path: readonly (string | number)[]): unknown
}

export interface World {
  readonly folder: string
  readonly server: OctavoServer
  /** Lines of the log so far. */
  readonly log: readonly string[]
  /** A request to the content interface with full access. With the position of a write, the answer shows that write wherever it was made. */
  ask(method: Method, url: string, body?: unknown, position?: string): Promise<Answer>
  /** A request to /admin/api. */
  admin(method: Method, url: string, body?: unknown): Promise<Answer>
  read(path: string): string
  close(): Promise<void>
  /** Closes it and removes its folder. */
  remove(): Promise<void>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export const string = { type: 'string' }

/** A schema file of a content-type. */
export const typeFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`
export const componentFile = (uid: string) => `src/components/${uid.replace('.', '/')}.json`

/** The schema of a collection. */
export const collection = (name: string, attributes: unknown, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: false },
  attributes,
  ...more,
})

export const component = (uid: string, attributes: unknown) => ({
  collectionName: `components_${uid.replace('.', '_')}`,
  info: { displayName: uid },
  attributes,
})

export function projectFolder(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-live-'))
  writeFiles(folder, { 'config/tokens.json': { full: { type: 'full-access', token: TOKEN } }, ...files })
  return folder
}

/** Starts a server in a folder; the same folder may be opened again. */
export async function openWorld(
  folder: string,
  url: string,
  options: Omit<ServerOptions, 'project'> = {},
): Promise<World> {
  const log: string[] = []
  const server = await createServer({
    project: folder,
    production: false,
    logLevel: 'info',
    logTo: { write: (line) => void log.push(line) },
    ...options,
    config: {
      ...options.config,
      database: { url },
      auth: { secret: 'a secret that is long enough for the live tests' },
      server: { port: 0 },
    },
  })
  const { secret } = await server.access.tokens.create({ name: `admin ${Math.random()}`, kind: 'admin' })
  const send = async (
    method: Method,
    path: string,
    token: string,
    body: unknown,
    position?: string,
  ): Promise<Answer> => {
    const { statusCode, payload, headers } = await server.app.inject({
      method,
      url: path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(position !== undefined && { 'octavo-position': position }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return {
      status: statusCode,
      text: payload,
      position: headers['octavo-position']?.toString(),
      at: jsonAt(payload),
    }
  }
  return {
    folder,
    server,
    log,
    ask: (method, path, body, position) => send(method, path, TOKEN, body, position),
    admin: (method, path, body) => send(method, `/admin/api${path}`, secret, body),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    close: () => server.close(),
    async remove() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

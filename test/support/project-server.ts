/** Servers on a project folder that a test can edit and open again, with requests that have full access, and their logs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer, type ServerOptions } from '../../src/http/app.ts'
import { encodedPath, sendRequest } from './http-request.ts'
import { jsonAt } from './json-body.ts'
import { type Files, writeFiles } from './project-folder.ts'

/** A token with full access to the content API. */
export const TOKEN = 'full-token-of-the-live-tests-0123456789'
/** Production takes tokens from the environment only. Processes that a test starts inherit it. */
const TOKEN_VARIABLE = 'TOKEN_OF_THE_LIVE_TESTS'
process.env[TOKEN_VARIABLE] = TOKEN

export interface ServerResponse {
  readonly status: number
  readonly text: string
  /** The position of a write, on engines that report it. */
  readonly position: string | undefined
  /** The value at a path in the JSON body. */
  at(...path: readonly (string | number)[]): unknown
}

export interface ProjectServer {
  readonly folder: string
  readonly server: OctavoServer
  /** Such as `http://127.0.0.1:40123`. */
  readonly base: string
  /** The log lines so far. */
  readonly log: readonly string[]
  /** Resolves when a matching line is logged, immediately if one already was. */
  logged(pattern: RegExp): Promise<void>
  /** Sends a request to the content API with full access. With the position of a write, the response includes that write. */
  request(method: Method, url: string, body?: unknown, position?: string): Promise<ServerResponse>
  /** Sends a request to /admin/api. */
  adminRequest(method: Method, url: string, body?: unknown): Promise<ServerResponse>
  read(path: string): string
  close(): Promise<void>
  /** Closes the server and deletes its folder. */
  remove(): Promise<void>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export const string = { type: 'string' }

/** The path of a content-type's schema file. */
export const typeFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`
export const componentFile = (uid: string) => `src/components/${uid.replace('.', '/')}.json`

/** The schema of a collection type without draft & publish. */
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
  writeFiles(folder, {
    'config/tokens.json': { full: { type: 'full-access', env: TOKEN_VARIABLE } },
    ...files,
  })
  return folder
}

/** Starts a server on a folder. After it is closed, the folder can be opened again. */
export async function openProject(
  folder: string,
  url: string,
  options: Omit<ServerOptions, 'project'> = {},
): Promise<ProjectServer> {
  const log: string[] = []
  const logListeners = new Set<(line: string) => void>()
  const server = await createServer({
    project: folder,
    production: false,
    logLevel: 'info',
    logTo: {
      write: (line) => {
        log.push(line)
        for (const listener of logListeners) listener(line)
      },
    },
    ...options,
    config: {
      ...options.config,
      database: { ...options.config?.database, url },
      auth: { secret: 'a secret that is long enough for the live tests' },
      server: { port: 0 },
    },
  })
  const base = await server.listen()
  const { secret } = await server.access.tokens.create({ name: `admin ${Math.random()}`, kind: 'admin' })
  const send = async (
    method: Method,
    path: string,
    token: string,
    body: unknown,
    position?: string,
  ): Promise<ServerResponse> => {
    const { status, text, headers } = await sendRequest(
      server,
      method,
      encodedPath(path),
      {
        authorization: `Bearer ${token}`,
        ...(position !== undefined && { 'octavo-position': position }),
      },
      body === undefined ? undefined : JSON.stringify(body),
    )
    return { status, text, position: headers['octavo-position']?.toString(), at: jsonAt(text) }
  }
  return {
    folder,
    server,
    base,
    log,
    logged: (pattern) =>
      new Promise((resolve) => {
        if (log.some((line) => pattern.test(line))) return resolve()
        const listener = (line: string) => {
          if (!pattern.test(line)) return
          logListeners.delete(listener)
          resolve()
        }
        logListeners.add(listener)
      }),
    request: (method, path, body, position) => send(method, path, TOKEN, body, position),
    adminRequest: (method, path, body) => send(method, `/admin/api${path}`, secret, body),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    close: () => server.close(),
    async remove() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

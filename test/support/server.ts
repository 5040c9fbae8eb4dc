/** Servers for end-to-end tests: on a copy of a project folder, with a database of their own, on a free port. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { writeFiles } from './project-folder.ts'

export interface TestServer {
  readonly server: OctavoServer
  /** Where it listens, such as `http://127.0.0.1:40123`. */
  readonly base: string
  close(): Promise<void>
}

/** A project: a folder to copy, or its files by path. */
export type ProjectSource = URL | ReadonlyMap<string, unknown>

/** Starts a server on the database with this url; `adjust` changes it before it listens. */
export async function serve(
  source: ProjectSource,
  databaseUrl: string,
  config: ConfigInput = {},
  extend: Extension = {},
  adjust: (server: OctavoServer) => void = () => {},
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-project-'))
  if (source instanceof URL) cpSync(source, folder, { recursive: true })
  else writeFiles(folder, Object.fromEntries(source))
  const server = await createServer({
    project: folder,
    extend,
    config: {
      ...config,
      server: { ...config.server, port: 0 },
      database: { ...config.database, url: databaseUrl },
    },
    logLevel: 'silent',
  })
  adjust(server)
  return {
    server,
    base: await server.listen(),
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

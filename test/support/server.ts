/** Starts servers for end-to-end tests, each on a copy of a project folder, its own database and a free port. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { writeFiles } from './project-folder.ts'

const NODE_MODULES = join(import.meta.dirname, '../../node_modules')

export interface TestServer {
  readonly server: OctavoServer
  /** Such as `http://127.0.0.1:40123`. */
  readonly base: string
  close(): Promise<void>
}

/** A project folder to copy, or the files of a project by path. */
export type ProjectSource = URL | ReadonlyMap<string, unknown>

/** `adjust` is called before the server listens. */
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
  // The OpenTelemetry API is loaded from the project.
  if (config.telemetry?.enabled) symlinkSync(NODE_MODULES, join(folder, 'node_modules'))
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

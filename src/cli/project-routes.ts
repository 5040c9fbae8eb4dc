/** Finds the routes that a project's own code adds, without serving it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer } from '../http/app.ts'
import { extensionOf } from '../http/extension/extension.ts'
import type { CustomRoute } from '../http/openapi/paths/custom.ts'
import type { Project } from '../model/load-project.ts'
import { defaults } from '../project/config/defaults.ts'

/**
 * Creates the project's server on an empty database, collects the routes with a schema, and closes it. The project's
 * database and files are not touched.
 */
export async function declaredRoutes(project: Project): Promise<readonly CustomRoute[]> {
  if (!extensionOf(project.config.extend).routes) return []
  const dir = await mkdtemp(path.join(tmpdir(), 'octavo-routes-'))
  try {
    const server = await createServer({
      project: withoutData(project, dir),
      logLevel: 'silent',
      production: false,
    })
    await server.close()
    return server.customRoutes
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const withoutData = ({ config, ...project }: Project, dir: string): Project => ({
  ...project,
  dir,
  config: {
    ...config,
    database: { ...config.database, url: 'sqlite:empty.db', replicas: [], directUrl: null },
    upload: { ...defaults.upload, directory: 'uploads' },
    telemetry: { enabled: false },
  },
})

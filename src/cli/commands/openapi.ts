/** `octavo openapi`: writes the OpenAPI document of a project, for a caller with full access. */
import type { Command } from 'commander'
import { messageOf } from '../../errors.ts'
import { buildOpenApiDocument } from '../../http/openapi/document.ts'
import type { Project } from '../../model/load-project.ts'
import type { Config } from '../../project/config/config.ts'
import { systemScope } from '../../query/scope.ts'
import { type ProjectOptions, projectOption } from '../options.ts'
import { type OutOptions, outOption, writeOut } from '../output.ts'
import { projectOf } from '../project.ts'
import { declaredRoutes } from '../project-routes.ts'

/** Adds the command. */
export function addOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('write the OpenAPI 3.1 document of the project')
    .addOption(projectOption())
    .addOption(outOption())
    .action(writeOpenApi)
}

async function writeOpenApi(options: ProjectOptions & OutOptions): Promise<void> {
  const project = await projectOf(options)
  const { model, config, name } = project
  const document = buildOpenApiDocument({
    ...{ model, config, title: name, scope: systemScope, isAdmin: true },
    hasPositions: /^postgres/.test(config.database.url),
    routes: await routesOf(project),
    server: addressOf(config),
  })
  await writeOut(`${JSON.stringify(document, null, 2)}\n`, options)
}

/** The project's own routes may need a service that is not available; the rest of the document is still useful. */
async function routesOf(project: Project) {
  try {
    return await declaredRoutes(project)
  } catch (failure) {
    const reason = messageOf(failure)
    process.stderr.write(`Warning: the project's own routes are left out: ${reason}\n`)
    return []
  }
}

const addressOf = ({ server }: Config) => server.url ?? `http://${server.host}:${server.port}`

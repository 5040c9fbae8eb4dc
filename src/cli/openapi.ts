/** `octavo openapi`: writes the OpenAPI document of a whole project, as a caller with full access has it. */
import type { Command } from 'commander'
import { openApiDocument } from '../http/openapi/document.ts'
import { loadProject } from '../model/load.ts'
import type { Config } from '../project/config.ts'
import { systemScope } from '../query/scope.ts'
import { type ProjectOptions, projectOption } from './options.ts'
import { type OutOptions, outOption, writeOut } from './write-out.ts'

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
  const { model, config } = await loadProject(options.project)
  const document = openApiDocument({
    ...{ model, config, scope: systemScope, admin: true },
    server: addressOf(config),
  })
  await writeOut(`${JSON.stringify(document, null, 2)}\n`, options)
}

const addressOf = ({ server }: Config) => server.url ?? `http://${server.host}:${server.port}`

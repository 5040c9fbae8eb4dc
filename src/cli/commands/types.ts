/** `octavo types`: writes the TypeScript types of a project. */
import type { Command } from 'commander'
import { type ProjectOptions, projectOption } from '../options.ts'
import { type OutOptions, outOption, writeOut } from '../output.ts'
import { projectOf } from '../project.ts'
import { typescriptOf } from '../typescript/module.ts'

/** Adds the command. */
export function addTypes(program: Command): void {
  program
    .command('types')
    .description('write the TypeScript types of the project')
    .addOption(projectOption())
    .addOption(outOption())
    .action(writeTypes)
}

async function writeTypes(options: ProjectOptions & OutOptions): Promise<void> {
  const { model } = await projectOf(options)
  await writeOut(typescriptOf(model), options)
}

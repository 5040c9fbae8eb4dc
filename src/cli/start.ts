/** `octavo start`: serves a project until it is told to stop. */
import type { Command } from 'commander'
import { createServer, type OctavoServer } from '../http/app.ts'
import { loadProject } from '../model/load.ts'
import { loadContent } from './content.ts'
import { listenProblem } from './explain.ts'
import {
  databaseOption,
  hostOption,
  type ProjectOptions,
  portOption,
  projectOption,
  settingsOf,
} from './options.ts'
import { whenTold } from './stop.ts'
import { welcome } from './welcome.ts'

interface StartOptions extends ProjectOptions {
  readonly demo?: boolean
}

/** Adds the command. */
export function addStart(program: Command) {
  program
    .command('start')
    .description('serve a project')
    .addOption(projectOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(databaseOption())
    .option('--demo', 'write the content folder of the project into an empty database, and print what to try')
    .action(start)
}

async function start(options: StartOptions) {
  const project = await loadProject(options.project, process.env, settingsOf(options))
  const server = await createServer({ project, logLevel: options.demo ? 'warn' : 'info' })
  whenTold(() => server.close())
  try {
    if (options.demo) await loadContent(server)
    const address = await listen(server)
    if (options.demo) console.log(await welcome(address, project.dir, project.config.tokens))
    else console.log(`Octavo listens on ${address}`)
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Starts to listen; why a server cannot is told in words. */
export async function listen(server: OctavoServer): Promise<string> {
  const { host, port } = server.project.config.server
  return server.listen().catch((error: unknown) => {
    throw listenProblem(error, host, port)
  })
}

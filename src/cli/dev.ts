/** `octavo dev`: serves a project while it is being made. Edits of schema files hold at once; the log is for people. */
import type { Command } from 'commander'
import { createServer } from '../http/app.ts'
import { loggedUrl } from '../http/redact.ts'
import { loadProject } from '../model/load.ts'
import {
  databaseOption,
  hostOption,
  type ProjectOptions,
  portOption,
  projectOption,
  settingsOf,
} from './options.ts'
import { listen } from './start.ts'
import { whenTold } from './stop.ts'

/** Adds the command. */
export function addDev(program: Command) {
  program
    .command('dev')
    .description('serve a project and follow edits of its schema files')
    .addOption(projectOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(databaseOption())
    .action(dev)
}

async function dev(options: ProjectOptions) {
  const project = await loadProject(options.project, process.env, settingsOf(options))
  // Only this command needs it.
  const { default: pretty } = await import('pino-pretty')
  const logTo = pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true })
  const server = await createServer({ project, production: false, watch: true, logLevel: 'info', logTo })
  whenTold(() => server.close())
  server.app.addHook('onResponse', async ({ method, url, log }, reply) => {
    log.info(`${method} ${loggedUrl(url)} ${reply.statusCode} in ${reply.elapsedTime.toFixed(1)} ms`)
  })
  try {
    const address = await listen(server)
    server.log.info(`Octavo listens on ${address}, and follows edits in ${project.dir}/src`)
    server.log.info(`Every request there is, to read and to try: ${address}/docs`)
  } catch (error) {
    await server.close()
    throw error
  }
}

/** `octavo dev`: serves a project while it is being made. Edits of its files hold at once; the log is for people. */
import type { Command } from 'commander'
import { createServer } from '../../http/app.ts'
import { redactSecrets } from '../../http/logging/redact.ts'
import { watchConfig } from '../../project/watch.ts'
import { explain } from '../error-message.ts'
import { databaseOption, hostOption, type ProjectOptions, portOption, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'
import { whenTold } from '../shutdown-signals.ts'
import { listen } from './start.ts'

/** Adds the command. */
export function addDev(program: Command) {
  program
    .command('dev')
    .description('serve a project and follow edits of its schema files and its configuration')
    .addOption(projectOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(databaseOption())
    .action(dev)
}

async function dev(options: ProjectOptions) {
  // Only this command needs it.
  const { default: pretty } = await import('pino-pretty')
  const logTo = pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true })

  async function open(asked: ProjectOptions) {
    const project = await projectOf(asked)
    const made = await createServer({ project, production: false, watch: true, logLevel: 'info', logTo })
    made.app.addHook('onResponse', async ({ method, url, log }, reply) => {
      log.info(`${method} ${redactSecrets(url)} ${reply.statusCode} in ${reply.elapsedTime.toFixed(1)} ms`)
    })
    return made
  }

  let server = await open(options)
  whenTold(() => server.close())
  const address = await listen(server).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  const { dir } = server.project
  server.log.info(`Octavo listens on ${address}, and follows edits in ${dir}`)
  server.log.info(`Every request there is, to read and to try: ${address}/docs`)

  /** The new server is made while the old one serves; one that cannot be made changes nothing. */
  async function startAnew() {
    const port = options.port === 0 ? Number(new URL(address).port) : options.port
    try {
      const next = await open({ ...options, ...(port !== undefined && { port }) })
      await server.close()
      server = next
    } catch (error) {
      server.log.error(`The configuration was edited, but nothing was changed: ${explain(error)}`)
      return
    }
    const now = await listen(server)
    server.log.info(`The configuration was edited; Octavo listens on ${now} with the new one`)
  }

  let turn = Promise.resolve()
  watchConfig(dir, () => {
    turn = turn.then(startAnew).catch((error: unknown) => {
      process.stderr.write(`${explain(error)}\n`)
      process.exit(1)
    })
  })
}

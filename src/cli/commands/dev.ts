/** `octavo dev`: serves a project in development. Applies edits of schema files and configuration; logs in readable form. */
import { once } from 'node:events'
import { createServer as createNetServer } from 'node:net'
import type { Command } from 'commander'
import { createServer, type OctavoServer } from '../../http/app.ts'
import { addHints } from '../../http/hints/add-hints.ts'
import { redactSecrets } from '../../http/logging/redact.ts'
import { watchConfig } from '../../project/watch.ts'
import { explain, listenProblem } from '../error-message.ts'
import { databaseOption, hostOption, type ProjectOptions, portOption, projectOption } from '../options.ts'
import { createPrettyLog } from '../pretty-log.ts'
import { projectOf } from '../project.ts'
import { onShutdownSignal } from '../shutdown-signals.ts'
import { startReport } from '../start/report.ts'
import { setupLink } from '../start/setup-link.ts'
import { describeStrapiFolder } from '../strapi/describe-folder.ts'
import { listen } from './start.ts'

export function addDev(program: Command) {
  program
    .command('dev')
    .description('serve a project and apply edits of its schema files and configuration')
    .addOption(projectOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(databaseOption())
    .action(dev)
}

async function dev(options: ProjectOptions) {
  const prettyLog = await createPrettyLog()

  async function openServer(serverOptions: ProjectOptions) {
    const project = await projectOf(serverOptions)
    const created = await createServer({
      project,
      production: false,
      watch: true,
      logLevel: 'info',
      ...(prettyLog && { logTo: prettyLog }),
    })
    addHints(created)
    created.app.addHook('onResponse', async ({ method, url, log }, reply) => {
      log.info(`${method} ${redactSecrets(url)} ${reply.statusCode} in ${reply.elapsedTime.toFixed(1)} ms`)
    })
    return created
  }

  let server = await openServer(options)
  if (server.project.strapi) process.stderr.write(`${describeStrapiFolder(server.project.strapi)}\n`)
  onShutdownSignal(() => server.close())
  let address = await listen(server).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  const { dir } = server.project
  console.log(
    `${startReport(server.project, address)}\nEdits of schema files and configuration apply when they are saved.`,
  )
  const link = await setupLink(server, address)
  if (link !== null) console.log(link)

  /** Creates the new server while the old one keeps serving; an invalid configuration changes nothing. */
  async function restart() {
    const currentPort = Number(new URL(address).port)
    const port = options.port === 0 ? currentPort : options.port
    try {
      const next = await openServer({ ...options, ...(port !== undefined && { port }) })
      await checkAddress(next, currentPort).catch(async (error: unknown) => {
        await next.close()
        throw error
      })
      await server.close()
      server = next
    } catch (error) {
      server.log.error(`Configuration change not applied: ${explain(error)}`)
      return
    }
    address = await listen(server)
    server.log.info(`Configuration change applied; Octavo listens on ${address}`)
  }

  let lastRestart = Promise.resolve()
  watchConfig(dir, () => {
    lastRestart = lastRestart.then(restart).catch((error: unknown) => {
      process.stderr.write(`${explain(error)}\n`)
      process.exit(1)
    })
  })
}

/** Fails if the server could not listen, apart from the port that is about to become free. */
async function checkAddress({ project }: OctavoServer, usedPort: number): Promise<void> {
  const { host, port } = project.config.server
  const probe = createNetServer()
  try {
    probe.listen(port === usedPort ? 0 : port, host)
    await once(probe, 'listening')
  } catch (error) {
    throw listenProblem(error, host, port)
  } finally {
    await new Promise<void>((resolve) => probe.close(() => resolve()))
  }
}

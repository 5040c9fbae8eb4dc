/** `octavo start`: serves a project until the process receives a shutdown signal. */
import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { createServer, type OctavoServer } from '../../http/app.ts'
import type { Project } from '../../model/load-project.ts'
import { explain, listenProblem } from '../error-message.ts'
import {
  databaseOption,
  hostOption,
  type ProjectOptions,
  portOption,
  projectOption,
  workersOption,
} from '../options.ts'
import { projectOf } from '../project.ts'
import { onShutdownSignal } from '../shutdown-signals.ts'
import { createDemoEditor } from '../start/demo-account.ts'
import { loadContent } from '../start/demo-content.ts'
import { startReport } from '../start/report.ts'
import { setupLink } from '../start/setup-link.ts'
import { welcome } from '../start/welcome.ts'
import { describeStrapiFolder } from '../strapi/describe-folder.ts'
import { createLog } from '../workers/log.ts'
import { startWorkers } from '../workers/primary.ts'
import { connectToPrimary, readWorkerStart } from '../workers/primary-link.ts'

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
    .addOption(workersOption())
    .option('--demo', "load the project's content folder into an empty database and print sample requests")
    .action(start)
}

async function start(options: StartOptions) {
  if (cluster.isWorker) return serveAsWorker(options)
  const project = await projectOf(options)
  if (project.strapi) process.stderr.write(`${describeStrapiFolder(project.strapi)}\n`)
  const count = workerCount(project.config.server.workers)
  const { address, link } = count > 1 ? await serveWithWorkers(count, project) : await serve(project, options)
  if (options.demo) console.log(await welcome(address, project.dir, project.config))
  else console.log(startReport(project, address, count))
  if (link !== null) console.log(link)
}

/** What a server that has started prints. */
interface Listening {
  readonly address: string
  /** Where to create the first admin, if there is none; null in a primary process, whose first worker prints it. */
  readonly link: string | null
}

/** Serves in this process. */
async function serve(project: Project, { demo }: StartOptions): Promise<Listening> {
  const server = await createServer({ project, logLevel: logLevel(demo) })
  const started = startListening(server, demo, true)
  onShutdownSignal(() => shutDown(server, started))
  const message = 'Cannot reload: this server has one process. Restart it, or start it with --workers 2.'
  process.on('SIGUSR2', () => createLog().warn(message))
  return started
}

/** Serves in worker processes, with this process as their primary. */
async function serveWithWorkers(count: number, { config }: Project): Promise<Listening> {
  const starting = startWorkers({ count, server: config.server, log: createLog() })
  onShutdownSignal(async () => (await starting).stop())
  // Before they have started, since the signal would end the process.
  process.on('SIGUSR2', () => void starting.then(({ reload }) => reload()))
  return { address: (await starting).address, link: null }
}

/** Serves as one of several worker processes. */
async function serveAsWorker({ demo, ...options }: StartOptions) {
  const workerStart = readWorkerStart()
  const project = await projectOf({ ...options, port: workerStart.port })
  let server: OctavoServer | null = null
  let started: Promise<unknown> = Promise.resolve()
  const stop = onShutdownSignal(async () => {
    if (server) await shutDown(server, started)
  })
  const primary = connectToPrimary(workerStart, project.config.database.waitSeconds, stop)
  try {
    server = await createServer({
      project,
      logLevel: logLevel(demo),
      workers: primary,
      gatherMetrics: primary.collectAllMetrics,
    })
    // Not before: opening the database writes to it, even if only what it already contains.
    if (workerStart.durabilityFailed) primary.durability.failedElsewhere()
    primary.setMetricsSource(server.metricFamilies)
    const listening = startListening(server, demo && primary.isFirst, primary.isFirst)
    started = listening
    const { address, link } = await listening
    if (link !== null) console.log(link)
    primary.reportListening(address)
  } catch (error) {
    primary.reportStartFailure(explain(error))
  }
}

const logLevel = (demo = false) => (demo ? 'warn' : 'info')

/** Loads the demo content if asked to. The link for the first admin is that of the first process. */
async function startListening(server: OctavoServer, isDemo = false, isFirst = false): Promise<Listening> {
  try {
    if (isDemo) {
      await loadContent(server)
      await createDemoEditor(server)
    }
    const address = await listen(server)
    return { address, link: isFirst ? await setupLink(server, address) : null }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Waits for demo content to be complete: the next start would take a part of it for all of it. */
async function shutDown(server: OctavoServer, started: Promise<unknown>) {
  await started.catch(() => {})
  await server.drain()
  await server.close()
}

/** One on Windows, where handing connections to other processes is not reliable. */
function workerCount(configured: number | 'auto'): number {
  if (process.platform === 'win32') return 1
  return configured === 'auto' ? availableParallelism() : configured
}

/** Starts to listen; fails with a UsageError that explains the common reasons. */
export async function listen(server: OctavoServer): Promise<string> {
  const { host, port } = server.project.config.server
  return server.listen().catch((error: unknown) => {
    throw listenProblem(error, host, port)
  })
}

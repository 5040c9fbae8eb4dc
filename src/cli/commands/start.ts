/** `octavo start`: serves a project until it is told to stop. */
import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { createServer, type OctavoServer } from '../../http/app.ts'
import type { Project } from '../../model/load-project.ts'
import { loadContent } from '../demo-content.ts'
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
import { whenTold } from '../shutdown-signals.ts'
import { welcome } from '../welcome.ts'
import { createLog } from '../workers/log.ts'
import { lead } from '../workers/primary.ts'
import { join, readAssignment } from '../workers/worker.ts'

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
    .option('--demo', 'write the content folder of the project into an empty database, and print what to try')
    .action(start)
}

async function start(options: StartOptions) {
  if (cluster.isWorker) return serveAsWorker(options)
  const project = await projectOf(options)
  const count = workersOf(project.config.server.workers)
  const address = count > 1 ? await leadWorkers(count, project) : await serve(project, options)
  if (options.demo) console.log(await welcome(address, project.dir, project.config.tokens))
  else console.log(`Octavo listens on ${address}${count > 1 ? ` with ${count} workers` : ''}`)
}

/** Serves in this process until it is told to stop. */
async function serve(project: Project, { demo }: StartOptions): Promise<string> {
  const server = await createServer({ project, logLevel: logLevel(demo) })
  const begun = begin(server, demo)
  whenTold(() => end(server, begun))
  return begun
}

/** Has other processes serve, and looks after them until it is told to stop. */
async function leadWorkers(count: number, { config }: Project): Promise<string> {
  const leading = lead({ count, server: config.server, log: createLog() })
  whenTold(async () => (await leading).stop())
  const { address, exchange } = await leading
  process.on('SIGUSR2', () => void exchange())
  return address
}

/** Serves as one of several processes. */
async function serveAsWorker({ demo, ...options }: StartOptions) {
  const assignment = readAssignment()
  const project = await projectOf({ ...options, port: assignment.port })
  let server: OctavoServer | null = null
  let begun: Promise<unknown> = Promise.resolve()
  const stop = whenTold(async () => {
    if (server) await end(server, begun)
  })
  const membership = join(assignment, project.config.database.waitSeconds, stop)
  try {
    server = await createServer({
      project,
      logLevel: logLevel(demo),
      among: membership,
      gather: membership.gather,
    })
    // Only now: to open a database is to write to it, if only what it has already.
    if (assignment.inDoubt) membership.durability.failedElsewhere()
    membership.tells(server.metricFamilies)
    const address = begin(server, demo && membership.first)
    begun = address
    membership.serves(await address)
  } catch (error) {
    membership.fails(explain(error))
  }
}

const logLevel = (demo = false) => (demo ? 'warn' : 'info')

async function begin(server: OctavoServer, withContent = false): Promise<string> {
  try {
    if (withContent) await loadContent(server)
    return await listen(server)
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Content is written to its end first: at the next start the half of it would count as all there is. */
async function end(server: OctavoServer, begun: Promise<unknown>) {
  await begun.catch(() => {})
  await server.drain()
  await server.close()
}

/** How many processes serve. On Windows one does: there they cannot hand connections to each other reliably. */
function workersOf(wanted: number | 'auto'): number {
  const count = wanted === 'auto' ? availableParallelism() : wanted
  return process.platform === 'win32' ? 1 : count
}

/** Starts to listen; why a server cannot is told in words. */
export async function listen(server: OctavoServer): Promise<string> {
  const { host, port } = server.project.config.server
  return server.listen().catch((error: unknown) => {
    throw listenProblem(error, host, port)
  })
}

/** The commands of the command line. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'

type AddCommand = (program: Command, version: string) => Promise<void>

/** The commands in the order of the help. Each module is loaded only when it is needed. */
const COMMANDS: Readonly<Record<string, AddCommand>> = {
  new: async (program, version) => (await import('./commands/new.ts')).addNew(program, version),
  dev: async (program) => (await import('./commands/dev.ts')).addDev(program),
  start: async (program) => (await import('./commands/start.ts')).addStart(program),
  migrate: async (program) => (await import('./commands/migrate.ts')).addMigrate(program),
  token: async (program) => (await import('./commands/token.ts')).addToken(program),
  admin: async (program) => (await import('./commands/admin.ts')).addAdmin(program),
  media: async (program) => (await import('./commands/media.ts')).addMedia(program),
  mcp: async (program) => (await import('./commands/mcp.ts')).addMcp(program),
  jobs: async (program) => (await import('./commands/operations/jobs.ts')).addJobs(program),
  indexes: async (program) => (await import('./commands/operations/indexes.ts')).addIndexes(program),
  webhooks: async (program) => (await import('./commands/webhooks.ts')).addWebhooks(program),
  audit: async (program) => (await import('./commands/operations/audit.ts')).addAudit(program),
  history: async (program) => (await import('./commands/operations/history.ts')).addHistory(program),
  schedules: async (program) => (await import('./commands/operations/schedules.ts')).addSchedules(program),
  releases: async (program) => (await import('./commands/operations/schedules.ts')).addReleases(program),
  doctor: async (program) => (await import('./commands/doctor.ts')).addDoctor(program),
  export: async (program) => (await import('./commands/export.ts')).addExport(program),
  import: async (program) => (await import('./commands/import.ts')).addImport(program),
  compare: async (program) => (await import('./commands/compare.ts')).addCompare(program),
  openapi: async (program) => (await import('./commands/openapi.ts')).addOpenApi(program),
  types: async (program) => (await import('./commands/types.ts')).addTypes(program),
}

/**
 * The command line with the commands that the first argument needs: the command of that name, none for the version, else
 * all. Loading a single module makes a server start faster.
 */
export async function createProgram(requested = ''): Promise<Command> {
  const version = ownVersion()
  const program = new Command('octavo')
    .description('A content server: define content-types and serve a REST API for them.')
    .version(version, VERSION_FLAGS.join(', '), 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('(run with --help for usage)')
  for (const add of neededFor(requested)) await add(program, version)
  return program
}

const VERSION_FLAGS = ['-v', '--version']

function neededFor(requested: string): readonly AddCommand[] {
  if (VERSION_FLAGS.includes(requested)) return []
  const only = Object.hasOwn(COMMANDS, requested) ? COMMANDS[requested] : undefined
  return only ? [only] : Object.values(COMMANDS)
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}

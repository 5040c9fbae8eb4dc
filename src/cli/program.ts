/** The commands of the command line. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'

/** The commands in the order of the help. Each module is loaded only when it is needed. */
const COMMANDS: Readonly<Record<string, (program: Command, version: string) => Promise<void>>> = {
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
 * The command line with all commands, or with only `requested` if that is the name of one: loading a single module makes
 * a server start faster.
 */
export async function createProgram(requested = ''): Promise<Command> {
  const version = ownVersion()
  const program = new Command('octavo')
    .description('A content server: define content-types and serve a REST API for them.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('(run with --help for usage)')
  const only = Object.hasOwn(COMMANDS, requested) ? COMMANDS[requested] : undefined
  for (const add of only ? [only] : Object.values(COMMANDS)) await add(program, version)
  return program
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}

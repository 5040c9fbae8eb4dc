/** The commands of the command line. */
import { readFileSync } from 'node:fs'
import { type AddHelpTextContext, Command } from 'commander'
import { nearest } from '../project/suggest.ts'

type AddCommand = (program: Command, version: string) => Promise<void>

interface CommandEntry {
  /** What follows the name in the list of commands. */
  readonly usage: string
  /** The same as that of the command itself. */
  readonly description: string
  readonly add: AddCommand
}

/** The commands in the order of the help. Their modules are loaded only when they are needed. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  new: {
    usage: '[options] [folder]',
    description: 'create a new project',
    add: async (program, version) => (await import('./commands/new.ts')).addNew(program, version),
  },
  dev: {
    usage: '[options]',
    description: 'serve a project and apply edits of its schema files and configuration',
    add: async (program) => (await import('./commands/dev.ts')).addDev(program),
  },
  start: {
    usage: '[options]',
    description: 'serve a project',
    add: async (program) => (await import('./commands/start.ts')).addStart(program),
  },
  migrate: {
    usage: '[options]',
    description: 'migrate the database to the schema files',
    add: async (program) => (await import('./commands/migrate.ts')).addMigrate(program),
  },
  token: {
    usage: '',
    description: 'create, list and revoke API tokens',
    add: async (program) => (await import('./commands/token.ts')).addToken(program),
  },
  admin: {
    usage: '',
    description: 'create, list and demote admins',
    add: async (program) => (await import('./commands/admin.ts')).addAdmin(program),
  },
  media: {
    usage: '',
    description: 'list and delete unused files',
    add: async (program) => (await import('./commands/media.ts')).addMedia(program),
  },
  mcp: {
    usage: '[options]',
    description:
      'serve a project to an agent, with the Model Context Protocol over standard input and output',
    add: async (program) => (await import('./commands/mcp.ts')).addMcp(program),
  },
  jobs: {
    usage: '',
    description: 'list, retry and cancel background jobs',
    add: async (program) => (await import('./commands/operations/jobs.ts')).addJobs(program),
  },
  indexes: {
    usage: '',
    description: 'list, create and drop indexes that reads need',
    add: async (program) => (await import('./commands/operations/indexes.ts')).addIndexes(program),
  },
  webhooks: {
    usage: '',
    description: 'manage webhooks and their deliveries',
    add: async (program) => (await import('./commands/webhooks.ts')).addWebhooks(program),
  },
  audit: {
    usage: '',
    description: 'list, export and verify the audit log',
    add: async (program) => (await import('./commands/operations/audit.ts')).addAudit(program),
  },
  history: {
    usage: '',
    description: 'count and delete the saved states of documents',
    add: async (program) => (await import('./commands/operations/history.ts')).addHistory(program),
  },
  schedules: {
    usage: '',
    description: 'list and cancel scheduled documents',
    add: async (program) => (await import('./commands/operations/schedules.ts')).addSchedules(program),
  },
  releases: {
    usage: '',
    description: 'list releases and cancel their schedules',
    add: async (program) => (await import('./commands/operations/schedules.ts')).addReleases(program),
  },
  doctor: {
    usage: '[options]',
    description: 'check configuration, schema, database, files, permissions and mail',
    add: async (program) => (await import('./commands/doctor.ts')).addDoctor(program),
  },
  export: {
    usage: '[options] <file>',
    description: 'write content, files, users, roles and tokens to an archive',
    add: async (program) => (await import('./commands/export.ts')).addExport(program),
  },
  import: {
    usage: '[options] [file]',
    description:
      'load an archive, an export of Strapi, or the database of a Strapi project, into an empty database',
    add: async (program) => (await import('./commands/import.ts')).addImport(program),
  },
  compare: {
    usage: '[options] <url-a> <url-b>',
    description: 'send the GET requests of a log to two servers and show the differences',
    add: async (program) => (await import('./commands/compare.ts')).addCompare(program),
  },
  openapi: {
    usage: '[options]',
    description: 'write the OpenAPI 3.1 document of the project',
    add: async (program) => (await import('./commands/openapi.ts')).addOpenApi(program),
  },
  types: {
    usage: '[options]',
    description: 'write the TypeScript types of the project',
    add: async (program) => (await import('./commands/types.ts')).addTypes(program),
  },
}

/**
 * The command line for these arguments, with the command that they name. If they name none, all commands are only listed,
 * which takes a tenth of the time. Without arguments, it has all commands.
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const version = ownVersion()
  const program = new Command('octavo')
    .description('A content server: define content-types and serve a REST API for them.')
    .version(version, VERSION_FLAGS.join(', '), 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('beforeAll', unknownTopic)
    .showHelpAfterError('(run with --help for usage)')
  const named = args && namedCommand(args)
  if (named) await named.add(program, version)
  else if (!args) for (const { add } of Object.values(COMMANDS)) await add(program, version)
  else if (!VERSION_FLAGS.includes(args[0] ?? '')) listCommands(program)
  return program
}

/** `help` for a command that does not exist prints the help of what contains it: this says why. */
function unknownTopic({ error, command }: AddHelpTextContext): string {
  const [first, topic] = command.args
  if (!error || first !== 'help' || topic === undefined) return ''
  const similar = nearest(
    topic,
    command.commands.map((each) => each.name()),
  )
  return `error: unknown command '${topic}'\n${similar === null ? '' : `(Did you mean ${similar}?)\n`}`
}

const VERSION_FLAGS = ['-v', '--version']

/** The command that is to be run, or whose help is to be printed. */
function namedCommand(args: readonly string[]): CommandEntry | undefined {
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'))
  const name = first === 'help' ? second : first
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

function listCommands(program: Command): void {
  for (const [name, { usage, description }] of Object.entries(COMMANDS))
    program.command(`${name} ${usage}`.trim()).description(description)
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}

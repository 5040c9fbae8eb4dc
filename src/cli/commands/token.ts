/** `octavo token`: creates, lists and revokes API tokens, whether or not the server is running. */
import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { permissionProblems } from '../../access/roles/invalid-permissions.ts'
import type { Permissions } from '../../access/roles/permissions.ts'
import { accessTables, TOKENS } from '../../access/tables.ts'
import { TOKEN_KINDS, type Token } from '../../access/tokens/token.ts'
import { createTokens, EXPIRES_TOO_LATE, type Tokens } from '../../access/tokens/tokens.ts'
import { ApiError } from '../../errors.ts'
import { createAuditLog } from '../../events/audit/append.ts'
import { auditTables } from '../../events/audit/tables.ts'
import { isPermissions } from '../../http/admin/permissions-body.ts'
import type { Project } from '../../model/load-project.ts'
import { formatInstant } from '../../model/scalars/shared/instants.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Store } from '../../store/store.ts'
import { createOwnTables } from '../../store/tables/own-tables.ts'
import { openDatabase, openExistingDatabase } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { projectOf } from '../project.ts'

interface CreateOptions extends ProjectOptions {
  readonly type?: Exclude<Token['kind'], 'admin'>
  readonly admin?: boolean
  readonly permissions?: string
  readonly expires?: number
}

/** Adds the command and its three subcommands. */
export function addToken(program: Command): void {
  const token = program.command('token').description('create, list and revoke API tokens')

  token
    .command('create [name]')
    .description('create a token and print it; it cannot be shown again')
    .addOption(
      new Option('--type <type>', 'access of the token').choices(
        TOKEN_KINDS.filter((kind) => kind !== 'admin'),
      ),
    )
    .option('--admin', 'create a token for /admin/api')
    .option('--permissions <file>', 'JSON file with the permissions of a custom token by content-type')
    .option('--expires <days>', 'days until the token expires', parseDays)
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(create)

  token
    .command('list')
    .description('list the tokens that are not revoked')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(list)

  token
    .command('revoke <id-or-name>')
    .description('revoke a token')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(revoke)
}

async function create(name: string | undefined, options: CreateOptions): Promise<void> {
  if (options.admin && options.type) throw new UsageError('--admin and --type cannot be used together')
  const kind = options.admin ? 'admin' : (options.type ?? 'read-only')
  const permissions = options.permissions ? await readPermissions(options.permissions) : null
  const expiresAt = options.expires === undefined ? null : formatInstant(Date.now() + options.expires * DAY)
  if (options.expires !== undefined && expiresAt === null) throw new UsageError(EXPIRES_TOO_LATE)
  if (kind === 'custom' && permissions === null)
    throw new UsageError(
      'A custom token requires permissions: add --permissions FILE with JSON such as { "api::book.book": ["find"] }',
    )
  await withTokens(openDatabase, options, async (tokens, { model, config }) => {
    const problems = permissionProblems(model, config.api.rest.bounds, permissions ?? {})
    if (problems.length > 0) throw new UsageError(problems.map(({ message }) => message).join('\n'))
    const created = await tokens.create({ name: name ?? defaultName(kind), kind, permissions, expiresAt })
    print(`${created.secret}\n`)
    process.stderr.write(
      `Created the ${kind} token "${created.token.name}" (id ${created.token.id}). It cannot be shown again.\n`,
    )
  })
}

async function list(options: ProjectOptions): Promise<void> {
  await withTokens(openWithTokens, options, async (tokens) => {
    const lines = (await tokens.list()).map(({ id, kind, name, source, expiresAt, lastUsedAt }) =>
      [
        String(id).padStart(4),
        kind.padEnd(11),
        (lastUsedAt ? `used ${lastUsedAt}` : 'never used').padEnd(29),
        name,
        source === 'config' ? '(from configuration)' : '',
        expiresAt ? `(expires ${expiresAt})` : '',
      ]
        .join('  ')
        .trimEnd(),
    )
    print(lines.length > 0 ? `${lines.join('\n')}\n` : 'No tokens.\n')
  })
}

async function revoke(idOrName: string, options: ProjectOptions): Promise<void> {
  await withTokens(openWithTokens, options, async (tokens) => {
    if (!(await tokens.revoke(idOrName))) {
      const names = (await tokens.list()).map(({ name }) => name)
      throw new UsageError(`Unknown token: ${idOrName}${didYouMean(idOrName, names)}`)
    }
    print(`Revoked the token ${idOrName}.\n`)
  })
}

/** A token may be created before the first start of the server. */
const openWithTokens = (project: Project) => openExistingDatabase(project, TOKENS)

async function withTokens(
  open: (project: Project) => Promise<Store>,
  options: ProjectOptions,
  work: (tokens: Tokens, project: Project) => Promise<void>,
): Promise<void> {
  const project = await projectOf(options)
  const store = await open(project)
  try {
    const { audit } = project.config
    await createOwnTables(store, accessTables, ...(audit.enabled ? [auditTables] : []))
    await work(createTokens(store, createAuditLog(store, audit)), project)
  } catch (failure) {
    throw failure instanceof ApiError ? new UsageError(failure.message) : failure
  } finally {
    await store.close()
  }
}

async function readPermissions(file: string): Promise<Permissions> {
  const text = await readFile(file, 'utf8').catch((failure: unknown) => {
    throw new UsageError(`Cannot read ${file}: ${failure}`)
  })
  try {
    const permissions: unknown = JSON.parse(text)
    if (isPermissions(permissions)) return permissions
  } catch {}
  throw new UsageError(`${file} must be JSON with a list of actions by content-type`)
}

const DAY = 86_400_000

function parseDays(text: string): number {
  const days = Number(text)
  if (!(days > 0)) throw new InvalidArgumentError('Expected a number of days.')
  return days
}

const defaultName = (kind: Token['kind']) => `${kind} ${new Date().toISOString().slice(0, 19)}`

const print = (text: string) => void process.stdout.write(text)

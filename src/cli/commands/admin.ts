/** `octavo admin`: creates, lists and demotes admins, whether or not the server is running. */
import type { Command } from 'commander'
import { appAccessOf } from '../../access/roles/app-access.ts'
import { createRoles } from '../../access/roles/roles.ts'
import { createAccounts } from '../../access/users/accounts.ts'
import { type Admins, createAdmins } from '../../access/users/admins.ts'
import { createCodes } from '../../access/users/codes.ts'
import { createUsers } from '../../access/users/users.ts'
import { ApiError } from '../../errors.ts'
import { createAuditLog } from '../../events/audit/append.ts'
import { SYSTEM } from '../../events/audit/audit-record.ts'
import { createModelState } from '../../live/model-state.ts'
import { openStoredModel } from '../../live/open-model.ts'
import type { Project } from '../../model/load-project.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Store } from '../../store/store.ts'
import { openDatabase, openExistingDatabase } from '../database.ts'
import { UsageError } from '../error-message.ts'
import { databaseOption, type ProjectOptions, projectOption } from '../options.ts'
import { readNewPassword } from '../password.ts'
import { projectOf } from '../project.ts'

interface CreateOptions extends ProjectOptions {
  readonly username: string
  readonly email: string
  readonly passwordStdin?: boolean
}

/** Adds the command and its three subcommands. */
export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('create, list and demote admins')

  admin
    .command('create')
    .description('create an admin; prompts for the password')
    .requiredOption('--username <name>', 'user name')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(create)

  admin
    .command('list')
    .description('list the admins')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(list)

  admin
    .command('demote <username-or-email>')
    .description('remove admin rights from a user')
    .addOption(projectOption())
    .addOption(databaseOption())
    .action(demote)
}

async function create({ username, email, passwordStdin = false, ...options }: CreateOptions): Promise<void> {
  const password = await readNewPassword({ fromInput: passwordStdin })
  if (password === '') throw new UsageError('The password is empty.')
  await withAdmins(openDatabase, options, async (admins) => {
    const admin = await admins.create({ username, email, password }, SYSTEM)
    print(`Created the admin ${admin.username} (id ${admin.id}).\n`)
  })
}

async function list(options: ProjectOptions): Promise<void> {
  await withAdmins(openExistingDatabase, options, async (admins) => {
    const lines = (await admins.list()).map(({ id, username, email, blocked }) =>
      [String(id).padStart(4), username, email, blocked ? '(blocked)' : ''].join('  ').trimEnd(),
    )
    print(lines.length > 0 ? `${lines.join('\n')}\n` : 'No admins.\n')
  })
}

async function demote(name: string, options: ProjectOptions): Promise<void> {
  await withAdmins(openExistingDatabase, options, async (admins) => {
    const matches = (await admins.list()).filter(({ username, email }) => username === name || email === name)
    const [admin, ...others] = matches
    if (!admin) {
      const known = (await admins.list()).flatMap(({ username, email }) =>
        [username ?? [], email ?? []].flat(),
      )
      throw new UsageError(`Unknown admin: ${name}${didYouMean(name, known)}`)
    }
    if (others.length > 0)
      throw new UsageError(
        `${name} is the user name of one admin and the e-mail address of another; use the other identifier`,
      )
    await admins.demote(admin, SYSTEM)
    print(`${admin.username} is no longer an admin.\n`)
  })
}

async function withAdmins(
  open: (project: Project) => Promise<Store>,
  options: ProjectOptions,
  work: (admins: Admins) => Promise<void>,
): Promise<void> {
  const project = await projectOf(options)
  const { config } = project
  const store = await open(project)
  try {
    const opened = await openStoredModel(store, project)
    const { documents, reads } = createModelState({ ...opened, store, extend: (unchanged) => unchanged })
    const layout = () => opened.layout
    const roles = createRoles({ store, layout, documents, audit: createAuditLog(store, config.audit) })
    const accounts = createAccounts(store, layout)
    const codes = createCodes(store, config.auth.codeMinutes)
    const users = createUsers({
      ...{ documents, layout, reads: () => reads, accounts, codes, roles },
      ...{ auth: config.auth, appAccessOf: appAccessOf(config.admin) },
    })
    await work(createAdmins(roles, accounts, users))
  } catch (failure) {
    throw failure instanceof ApiError ? new UsageError(messagesOf(failure)) : failure
  } finally {
    await store.close()
  }
}

/** All messages of a validation error. */
function messagesOf({ message, details }: ApiError): string {
  const problems: unknown = details.errors
  if (!Array.isArray(problems)) return message
  return problems.map((problem: { readonly message: string }) => problem.message).join('; ')
}

const print = (text: string) => void process.stdout.write(text)

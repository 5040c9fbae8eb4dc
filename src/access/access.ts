/** Users, sessions, tokens, roles and permissions of one server. */
import type { Documents } from '../documents/documents.ts'
import { type AuditLog, createAuditLog } from '../events/audit/append.ts'
import { type Model, typeOf, USER } from '../model/model.ts'
import type { Config } from '../project/config/config.ts'
import { didYouMean } from '../project/suggest.ts'
import type { Reads } from '../reads/reads.ts'
import { StartError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { type Callers, createCallers } from './credentials/callers.ts'
import { createJwt } from './credentials/jwt.ts'
import type { SharedCounts } from './credentials/rate-limit.ts'
import { signingSecret } from './credentials/signing-secret.ts'
import { type AppAccess, appAccessOf } from './roles/app-access.ts'
import { storedPermissionWarnings } from './roles/invalid-permissions.ts'
import { ADMIN, createRoles, type Roles } from './roles/roles.ts'
import { createInvitations, type Invitations } from './team/invitations.ts'
import { createPresence, type Presence } from './team/presence.ts'
import { createSecondFactors, type SecondFactors } from './team/second-factors.ts'
import { createSetup, type Setup } from './team/setup.ts'
import { createTeamSessions, type TeamSessions } from './team/team-sessions.ts'
import { createViews, type Views } from './team/views.ts'
import { createTokens, type Tokens } from './tokens/tokens.ts'
import { createAccountLimit } from './users/account-limit.ts'
import { type Accounts, createAccounts } from './users/accounts.ts'
import { type Admins, createAdmins } from './users/admins.ts'
import { type Codes, createCodes } from './users/codes.ts'
import { createMail, type Mail } from './users/mail.ts'
import { createSessions, type Sessions } from './users/sessions.ts'
import { createSignIn, type SignIn } from './users/sign-in.ts'
import { createUsers, type Users } from './users/users.ts'

export interface AccessOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly documents: Documents
  readonly reads: () => Reads
  readonly config: Config
  readonly log: { info(message: string): void; warn(message: string): void; error(message: string): void }
  /** Folder for files that development keeps between runs (`.octavo`); null keeps none. */
  readonly stateFolder?: string | null
  /** Whether settings that only development tolerates are errors. */
  readonly production?: boolean
  readonly env?: NodeJS.ProcessEnv
  /** Shares rate limits with the other processes of the server, if any. */
  readonly counts?: SharedCounts
}

export interface Access extends Callers {
  /** Records what people do beside content. */
  readonly audit: AuditLog
  readonly tokens: Tokens
  readonly roles: Roles
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly teamSessions: TeamSessions
  readonly secondFactors: SecondFactors
  readonly setup: Setup
  readonly invitations: Invitations
  readonly views: Views
  readonly presence: Presence
  /** Where users with a role may sign in, besides the content API. */
  appAccessOf(role: string | null): AppAccess | null
  readonly signIn: SignIn
  readonly users: Users
  readonly admins: Admins
  readonly codes: Codes
  readonly mail: Mail
  /** Logs the stored permissions that do not fit the model. */
  logInvalidPermissions(): Promise<void>
  /** Does work that no request waits for; logs a failure with this message. */
  inBackground(failureMessage: string, work: () => Promise<void>): void
  /** Resolves when all background work is done. */
  settled(): Promise<void>
  close(): Promise<void>
}

async function checkRegistration(auth: Config['auth'], roles: Roles, model: Model): Promise<void> {
  const { role, fields } = auth.registration
  if ((await roles.documentIdOf(role)) === null)
    throw new StartError(
      `auth.registration.role: unknown role "${role}"${didYouMean(role, await roles.types())}`,
    )
  const { attributes } = typeOf(model, USER)
  const unknown = fields.find((field) => !attributes.has(field))
  if (unknown !== undefined)
    throw new StartError(
      `auth.registration.fields: users have no attribute "${unknown}"${didYouMean(unknown, attributes.keys())}`,
    )
}

const SAVE_USES_INTERVAL_MS = 60_000

export async function createAccess(options: AccessOptions): Promise<Access> {
  const { store, layout, documents, reads, config, log } = options
  const { stateFolder = null, production = false, env = process.env } = options
  if (config.auth.registration.role === ADMIN)
    throw new StartError(`auth.registration.role: cannot be ${ADMIN}`)
  const audit = createAuditLog(store, config.audit)
  const tokens = createTokens(store, audit)
  const roles = createRoles({ store, layout, documents, audit })
  const accounts = createAccounts(store, layout)
  const secret = await signingSecret(config.auth.secret, { stateFolder, production })
  const jwt = createJwt(secret)
  const accountLimit = createAccountLimit({ store, limit: config.rateLimit.signIn, secret })
  const sessions = createSessions(store, config.auth, jwt, accounts)
  const teamSessions = createTeamSessions(store, config.admin)
  const codes = createCodes(store, config.auth.codeMinutes)
  const accessOf = appAccessOf(config.admin)
  const users = createUsers({
    ...{ documents, layout, reads, accounts, codes, roles },
    ...{ auth: config.auth, appAccessOf: accessOf },
  })
  for (const warning of await tokens.applyConfig(config.tokens, { env, production })) log.warn(warning)
  await roles.createMissing(Object.keys(config.roles))
  await roles.createMissing(config.admin.roles)
  await roles.applyConfig(config.roles)
  await checkRegistration(config.auth, roles, layout().model)

  const logInvalidPermissions = async () => {
    const stored = { roles: await roles.all(), tokens: await tokens.list() }
    for (const warning of storedPermissionWarnings({ config, model: layout().model }, stored))
      log.warn(warning)
  }
  await logInvalidPermissions()

  const callers = createCallers({
    ...{ store, tokens, roles, accounts, sessions, teamSessions, jwt },
    mayUseApp: (role) => accessOf(role) !== null,
  })

  const admins = createAdmins(roles, accounts, users)
  const secondFactors = createSecondFactors(store, config.rateLimit.signIn, options.counts, accounts)

  const pending = new Set<Promise<void>>()
  function inBackground(failureMessage: string, work: () => Promise<void>): void {
    const done = work()
      .catch((failure: unknown) => log.error(`${failureMessage}: ${failure}`))
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  const saveUses = () => {
    inBackground('Saving the last use of tokens failed', tokens.saveLastUses)
    inBackground('Saving the last use of sessions failed', teamSessions.saveLastUses)
  }
  const saving = setInterval(saveUses, SAVE_USES_INTERVAL_MS)
  saving.unref()

  return {
    scopeOf: callers.scopeOf,
    callerOf: callers.callerOf,
    scopeOfAuthor: callers.scopeOfAuthor,
    audit,
    tokens,
    roles,
    accounts,
    sessions,
    teamSessions,
    secondFactors,
    setup: createSetup(admins, codes),
    invitations: createInvitations({
      ...{ store, users, accounts, roles, audit },
      days: config.admin.invitationDays,
    }),
    views: createViews(store),
    presence: createPresence(store),
    appAccessOf: accessOf,
    signIn: createSignIn(accounts, config, options.counts, accountLimit),
    users,
    admins,
    codes,
    mail: createMail({ config: config.email, stateFolder, production, log }),
    logInvalidPermissions,
    inBackground,

    async settled() {
      await Promise.all(pending)
    },

    async close() {
      clearInterval(saving)
      saveUses()
      await Promise.all(pending)
    },
  }
}

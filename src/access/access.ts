/**
 * Who is calling and what they may do: an Authorization header becomes a Scope. A caller who was seen before is
 * answered from memory for as long as no table that matters has changed.
 */
import { LRUCache } from 'lru-cache'
import type { Documents } from '../documents/documents.ts'
import { errors } from '../errors.ts'
import { type Model, typeOf, USER } from '../model/model.ts'
import type { Config } from '../project/config.ts'
import { didYouMean } from '../project/suggest.ts'
import type { Reads } from '../query/reads.ts'
import type { Principal, Scope } from '../query/scope.ts'
import { StartError } from '../store/failure.ts'
import type { Layout } from '../store/layout.ts'
import type { Store } from '../store/store.ts'
import { type Account, type Accounts, createAccounts } from './accounts.ts'
import { type Admins, createAdmins } from './admins.ts'
import { type Codes, createCodes } from './codes.ts'
import { bearerOf, hashOf } from './credential.ts'
import { fullAccess, readOnly, scopeOfPermissions } from './grants.ts'
import { createJwt } from './jwt.ts'
import type { SharedCounts } from './limits.ts'
import { createMail, type Mail } from './mail.ts'
import { momentOf } from './remembered.ts'
import { ADMIN, createRoles, type Roles } from './roles.ts'
import { signingSecret } from './secret.ts'
import { createSessions, ENDED_SESSIONS, type Sessions } from './sessions.ts'
import { createSignIn, type SignIn } from './signin.ts'
import { createTables, PERMISSIONS, TOKENS } from './tables.ts'
import { createTokens, type Token, type Tokens } from './tokens.ts'
import { createUsers, type Users } from './users.ts'

export interface AccessOptions {
  readonly store: Store
  readonly layout: () => Layout
  readonly documents: Documents
  readonly reads: () => Reads
  readonly config: Config
  readonly log: { info(message: string): void; warn(message: string): void; error(message: string): void }
  /** The folder for what development keeps between runs (`.octavo`); null keeps nothing. */
  readonly stateFolder?: string | null
  /** Whether what development is forgiven is refused. */
  readonly production?: boolean
  readonly env?: NodeJS.ProcessEnv
  /** What other processes of the same server count, when there are some. */
  readonly counts?: SharedCounts
}

/** A caller who was identified: with a token, or as a signed-in user. */
export type Caller =
  | { readonly kind: 'token'; readonly token: Token; readonly scope: Scope }
  | {
      readonly kind: 'user'
      readonly account: Account
      readonly session: string | null
      readonly scope: Scope
    }

/** Whether the admin interface is open to them: with an admin token, or signed in as a user with the role for it. */
export const isAdmin = (caller: Caller): boolean =>
  caller.kind === 'token' ? caller.token.kind === 'admin' : caller.account.role === ADMIN

export interface Access {
  /**
   * What the caller with this Authorization header may do; the public role's scope without a credential. Throws
   * `errors.unauthorized()` for a credential that is unknown, expired or revoked.
   */
  scopeOf(authorization: string | undefined): Scope | Promise<Scope>
  /** The caller behind a credential; null without one. Throws as `scopeOf` does. */
  callerOf(authorization: string | undefined): Promise<Caller | null>
  readonly tokens: Tokens
  readonly roles: Roles
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly users: Users
  readonly admins: Admins
  readonly codes: Codes
  readonly mail: Mail
  /** Does something that no request waits for; a failure is logged with these words. */
  inBackground(failed: string, work: () => Promise<void>): void
  /** Resolves when nothing is left to do in the background. */
  settled(): Promise<void>
  /** Finishes what is pending and stops. */
  close(): Promise<void>
}

interface Seen {
  /** Of the tables that matter. */
  readonly moment: number
  /** The last moment of all tables at which those had not changed. */
  rightAt: number | null
  readonly expiresAt: number
  readonly caller: Caller
}

/** Tables of this room whose change may change what a caller may do. */
const OWN_TABLES = [TOKENS, PERMISSIONS, ENDED_SESSIONS]

/** People can register only as something that is there. */
async function checkRegistration(auth: Config['auth'], roles: Roles, model: Model): Promise<void> {
  const { role, fields } = auth.registration
  if ((await roles.documentOf(role)) === null)
    throw new StartError(
      `auth.registration.role: there is no role "${role}"${didYouMean(role, await roles.types())}`,
    )
  const { attributes } = typeOf(model, USER)
  const unknown = fields.find((field) => !attributes.has(field))
  if (unknown !== undefined)
    throw new StartError(
      `auth.registration.fields: users have no attribute "${unknown}"${didYouMean(unknown, attributes.keys())}`,
    )
}

const REMEMBERED_CALLERS = 10_000
/** Headers that are longer are taken apart each time, so that nobody fills the memory with them. */
const REMEMBERED_LENGTH = 1_000
const FLUSH_EVERY_MS = 60_000

export async function createAccess(options: AccessOptions): Promise<Access> {
  const { store, layout, documents, reads, config, log } = options
  const { stateFolder = null, production = false, env = process.env } = options
  if (config.auth.registration.role === ADMIN)
    throw new StartError(`auth.registration.role: people who register cannot have the role ${ADMIN}`)
  await createTables(store)
  const tokens = createTokens(store)
  const roles = createRoles({ store, layout, documents })
  const accounts = createAccounts(store, layout)
  const jwt = createJwt(await signingSecret(config.auth.secret, { stateFolder, production }))
  const sessions = createSessions(store, config.auth, jwt, accounts)
  const codes = createCodes(store, config.auth.codeMinutes)
  const users = createUsers({ documents, layout, reads, accounts, codes, auth: config.auth })
  for (const note of await tokens.applyConfig(config.tokens, env)) log.warn(note)
  await roles.ensure(Object.keys(config.roles))
  await roles.applyConfig(config.roles)
  await checkRegistration(config.auth, roles, layout().model)

  const callers = new LRUCache<string, Seen>({ max: REMEMBERED_CALLERS })
  const moment = () => momentOf(store, OWN_TABLES) + momentOf(store, accounts.tables())

  const PUBLIC: Principal = { kind: 'public' }
  let publicScope: { readonly moment: number; readonly scope: Scope } | null = null

  function scopeOfPublic(): Scope | Promise<Scope> {
    const now = store.versionOf(PERMISSIONS)
    if (publicScope?.moment === now) return publicScope.scope
    return Promise.resolve(roles.permissionsOf('public')).then((permissions) => {
      const scope = scopeOfPermissions(permissions, PUBLIC, null)
      publicScope = { moment: now, scope }
      return scope
    })
  }

  /** The caller behind a header that was sent before, without another look at the credential in it. */
  function recall(authorization: string): Caller | null {
    const seen = callers.get(authorization)
    if (!seen || seen.expiresAt <= Date.now()) return null
    const now = store.moment()
    if (seen.rightAt !== now) {
      if (seen.moment !== moment()) return null
      seen.rightAt = now
    }
    if (seen.caller.kind === 'token') tokens.used(seen.caller.token.id)
    return seen.caller
  }

  async function identify(credential: string, authorization: string): Promise<Caller> {
    const now = moment()
    const token = await tokens.byHash(hashOf(credential))
    const [caller, expiresAt] = token
      ? [callerWithToken(token), token.expiresAt === null ? Infinity : Date.parse(token.expiresAt)]
      : await signedIn(credential)
    if (token) tokens.used(token.id)
    if (authorization.length <= REMEMBERED_LENGTH)
      callers.set(authorization, { moment: now, rightAt: null, expiresAt, caller })
    return caller
  }

  async function signedIn(credential: string): Promise<[Caller, number]> {
    const claims = await jwt.verify(credential)
    if (!claims || (await sessions.refuses(claims.session))) throw errors.unauthorized()
    const account = await accounts.byDocumentId(claims.account)
    if (!account || account.blocked || account.stamp !== claims.stamp) throw errors.unauthorized()
    const { id, documentId, role } = account
    const principal: Principal = { kind: 'user', id, documentId, role: role ?? '' }
    const permissions = role === null ? {} : await roles.permissionsOf(role)
    const scope = scopeOfPermissions(permissions, principal, account)
    return [{ kind: 'user', account, session: claims.session, scope }, claims.expiresAt]
  }

  const pending = new Set<Promise<void>>()
  function inBackground(failed: string, work: () => Promise<void>): void {
    const done = work()
      .catch((failure: unknown) => log.error(`${failed}: ${failure}`))
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  const noteUses = () => inBackground('When tokens were used could not be noted', tokens.flush)
  const flushing = setInterval(noteUses, FLUSH_EVERY_MS)
  flushing.unref()

  return {
    tokens,
    roles,
    accounts,
    sessions,
    signIn: createSignIn(accounts, config, options.counts),
    users,
    admins: createAdmins(roles, accounts, users),
    codes,
    mail: createMail({ config: config.email, stateFolder, production, log }),
    inBackground,

    async settled() {
      await Promise.all(pending)
    },

    scopeOf(authorization) {
      if (authorization === undefined) return scopeOfPublic()
      const caller = recall(authorization)
      if (caller) return caller.scope
      const credential = bearerOf(authorization)
      if (credential === null) return scopeOfPublic()
      return identify(credential, authorization).then(({ scope }) => scope)
    },

    async callerOf(authorization) {
      if (authorization === undefined) return null
      const credential = bearerOf(authorization)
      return recall(authorization) ?? (credential === null ? null : identify(credential, authorization))
    },

    async close() {
      clearInterval(flushing)
      noteUses()
      await Promise.all(pending)
    },
  }
}

function callerWithToken(token: Token): Caller {
  const principal: Principal = { kind: 'token', id: token.id, name: token.name }
  const scope =
    token.kind === 'read-only'
      ? readOnly(principal)
      : token.kind === 'custom'
        ? scopeOfPermissions(token.permissions ?? {}, principal, null)
        : fullAccess(principal)
  return { kind: 'token', token, scope }
}

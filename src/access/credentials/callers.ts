/**
 * Turns an Authorization header into a caller with a scope. The cookie of the admin app arrives as one too
 * (`http/admin/session`). Callers are cached until a table that they depend on changes, so a warm authenticated request
 * reads no credential from the database.
 */
import { errors } from '../../errors.ts'
import { type Principal, type Scope, systemScope } from '../../query/scope.ts'
import type { Store } from '../../store/store.ts'
import { createGrowingCache } from '../growing-cache.ts'
import { fullAccess, readOnly, scopeOfPermissions } from '../roles/permissions.ts'
import { ADMIN, type Roles } from '../roles/roles.ts'
import { PERMISSIONS, TEAM_SESSIONS, TOKENS } from '../tables.ts'
import type { TeamSession, TeamSessions } from '../team/team-sessions.ts'
import type { Token } from '../tokens/token.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Account, Accounts } from '../users/accounts.ts'
import { ENDED_SESSIONS, type Sessions } from '../users/sessions.ts'
import { sumOfVersions } from '../versioned-cache.ts'
import { bearerOf, cookieSecretOf, hashOf } from './bearer.ts'
import type { Jwt } from './jwt.ts'

/** A caller with a valid credential. */
export type Caller =
  | { readonly kind: 'token'; readonly token: Token; readonly scope: Scope }
  | {
      readonly kind: 'user'
      readonly account: Account
      readonly session: string | null
      readonly scope: Scope
    }
  /** A user who signed in to the admin app. */
  | {
      readonly kind: 'team'
      readonly account: Account
      readonly session: TeamSession
      readonly scope: Scope
    }

/** Whether the caller may use the admin API: with an admin token, or as a user with the role `admin`. */
export const isAdmin = (caller: Caller): boolean =>
  caller.kind === 'token' ? caller.token.kind === 'admin' : caller.account.role === ADMIN

export interface Callers {
  /** The public role's scope without a credential. Throws a 401 when the credential is unknown, expired or revoked. */
  scopeOf(authorization: string | undefined): Scope | Promise<Scope>
  /** Null without a credential. Throws as `scopeOf` does. */
  callerOf(authorization: string | undefined): Promise<Caller | null>
  /**
   * What the author of an earlier request may do now, for work that runs later on their behalf. Null if the user is gone
   * or blocked, or the token is revoked or expired.
   */
  scopeOfAuthor(author: string): Promise<Scope | null>
}

export interface CallersOptions {
  readonly store: Store
  readonly tokens: Tokens
  readonly roles: Roles
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly teamSessions: TeamSessions
  /** Whether users with a role may sign in to the admin app. */
  readonly mayUseApp: (role: string | null) => boolean
  readonly jwt: Jwt
}

interface CachedCaller {
  /** Sum of the versions of the tables that the caller depends on. */
  readonly versions: number
  /** The last global version at which `versions` was found unchanged: comparing one number is the fast case. */
  validAt: number | null
  readonly expiresAt: number
  readonly caller: Caller
}

/** A caller, and when the credential expires. */
type IdentifiedCaller = readonly [Caller, number]

/** Tables outside the content-types whose change may change a caller's scope. */
const ACCESS_TABLES = [TOKENS, PERMISSIONS, ENDED_SESSIONS, TEAM_SESSIONS]

const MAX_CACHED_CALLERS = 10_000
/** Longer headers are not cached, so that they cannot fill the memory. */
const MAX_CACHED_LENGTH = 1_000

export function createCallers(options: CallersOptions): Callers {
  const { store, tokens, roles, accounts, sessions, teamSessions, mayUseApp, jwt } = options
  const callers = createGrowingCache<CachedCaller>(MAX_CACHED_CALLERS)
  const versions = () => sumOfVersions(store, ACCESS_TABLES) + sumOfVersions(store, accounts.tables())

  const PUBLIC: Principal = { kind: 'public' }
  let publicScope: { readonly version: number; readonly scope: Scope } | null = null

  function scopeOfPublic(): Scope | Promise<Scope> {
    const now = store.tableVersion(PERMISSIONS)
    if (publicScope?.version === now) return publicScope.scope
    return Promise.resolve(roles.permissionsOf('public')).then((permissions) => {
      const scope = scopeOfPermissions(permissions, PUBLIC, null)
      publicScope = { version: now, scope }
      return scope
    })
  }

  function cachedCaller(authorization: string): Caller | null {
    const cached = callers.get(authorization)
    if (!cached || cached.expiresAt <= Date.now()) return null
    const now = store.globalVersion()
    if (cached.validAt !== now) {
      if (cached.versions !== versions()) return null
      cached.validAt = now
    }
    recordUse(cached.caller)
    return cached.caller
  }

  function recordUse(caller: Caller): void {
    if (caller.kind === 'token') tokens.recordUse(caller.token.id)
    if (caller.kind === 'team') teamSessions.recordUse(caller.session.id)
  }

  /** The caller with the credential of a header; null if the header has none. */
  function identify(authorization: string): Promise<Caller> | null {
    const session = cookieSecretOf(authorization)
    if (session !== null) return remember(authorization, () => inTeam(session))
    const credential = bearerOf(authorization)
    return credential === null ? null : remember(authorization, () => withBearer(credential))
  }

  async function withBearer(credential: string): Promise<IdentifiedCaller> {
    const token = await tokens.byHash(hashOf(credential))
    if (!token) return signedIn(credential)
    return [tokenCaller(token), token.expiresAt === null ? Infinity : Date.parse(token.expiresAt)]
  }

  async function remember(authorization: string, read: () => Promise<IdentifiedCaller>): Promise<Caller> {
    const readAt = versions()
    const [caller, expiresAt] = await read()
    recordUse(caller)
    if (authorization.length <= MAX_CACHED_LENGTH)
      callers.set(authorization, { versions: readAt, validAt: null, expiresAt, caller })
    return caller
  }

  async function signedIn(credential: string): Promise<IdentifiedCaller> {
    const claims = await jwt.verify(credential)
    if (!claims || (await sessions.isEnded(claims.session))) throw errors.unauthorized()
    const account = await accounts.byDocumentId(claims.account)
    if (!account || account.blocked || account.stamp !== claims.stamp) throw errors.unauthorized()
    const scope = await scopeOfAccount(account)
    return [{ kind: 'user', account, session: claims.session, scope }, claims.expiresAt]
  }

  async function scopeOfAccount(account: Account): Promise<Scope> {
    const permissions = account.role === null ? {} : await roles.permissionsOf(account.role)
    return scopeOfPermissions(permissions, principalOf(account), account)
  }

  async function inTeam(secret: string): Promise<IdentifiedCaller> {
    const session = await teamSessions.byHash(hashOf(secret))
    const account = session && (await accounts.byDocumentId(session.account))
    if (!account || account.blocked || account.stamp !== session.stamp || !mayUseApp(account.role))
      throw errors.unauthorized()
    const permitted =
      account.role === ADMIN ? fullAccess(principalOf(account)) : await scopeOfAccount(account)
    const scope: Scope = { ...permitted, key: `team ${permitted.key}`, isTeam: true }
    return [{ kind: 'team', account, session, scope }, teamSessions.endsAt(session)]
  }

  return {
    scopeOf(authorization) {
      if (authorization === undefined) return scopeOfPublic()
      const caller = cachedCaller(authorization)
      if (caller) return caller.scope
      return identify(authorization)?.then(({ scope }) => scope) ?? scopeOfPublic()
    },

    async scopeOfAuthor(author) {
      const [kind, id = ''] = author.split(':')
      switch (kind) {
        case 'user': {
          const account = await accounts.byDocumentId(id)
          if (!account || account.blocked) return null
          return account.role === ADMIN ? fullAccess(principalOf(account)) : scopeOfAccount(account)
        }
        case 'token': {
          const token = (await tokens.list()).find((one) => String(one.id) === id)
          const isExpired = token?.expiresAt != null && Date.parse(token.expiresAt) <= Date.now()
          return !token || isExpired ? null : tokenCaller(token).scope
        }
        case 'public':
          return scopeOfPublic()
        case 'system':
          return systemScope
        default:
          return null
      }
    },

    async callerOf(authorization) {
      if (authorization === undefined) return null
      return cachedCaller(authorization) ?? identify(authorization)
    },
  }
}

export const principalOf = ({ id, documentId, role }: Account): Principal => ({
  kind: 'user',
  id,
  documentId,
  role: role ?? '',
})

function tokenCaller(token: Token): Caller {
  const { id, name } = token
  const level = token.kind === 'admin' ? 'admin' : token.kind === 'full-access' ? 'full' : null
  const principal: Principal = { kind: 'token', id, name, ...(level && { level }) }
  const scope =
    token.kind === 'read-only'
      ? readOnly(principal)
      : token.kind === 'custom'
        ? scopeOfPermissions(token.permissions ?? {}, principal, null)
        : fullAccess(principal)
  return { kind: 'token', token, scope }
}

/**
 * Who is calling: an Authorization header becomes a Caller with a Scope. One who was seen before is answered from memory
 * for as long as no table that matters has changed.
 */
import { LRUCache } from 'lru-cache'
import { errors } from '../../errors.ts'
import type { Principal, Scope } from '../../query/scope.ts'
import type { Store } from '../../store/store.ts'
import { fullAccess, readOnly, scopeOfPermissions } from '../roles/permissions.ts'
import { ADMIN, type Roles } from '../roles/roles.ts'
import { PERMISSIONS, TOKENS } from '../tables.ts'
import type { Token } from '../tokens/token.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Account, Accounts } from '../users/accounts.ts'
import { ENDED_SESSIONS, type Sessions } from '../users/sessions.ts'
import { momentOf } from '../versioned-cache.ts'
import { bearerOf, hashOf } from './bearer.ts'
import type { Jwt } from './jwt.ts'

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

export interface Callers {
  /**
   * What the caller with this Authorization header may do; the public role's scope without a credential. Throws
   * `errors.unauthorized()` for a credential that is unknown, expired or revoked.
   */
  scopeOf(authorization: string | undefined): Scope | Promise<Scope>
  /** The caller behind a credential; null without one. Throws as `scopeOf` does. */
  callerOf(authorization: string | undefined): Promise<Caller | null>
}

export interface CallersOptions {
  readonly store: Store
  readonly tokens: Tokens
  readonly roles: Roles
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly jwt: Jwt
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

const REMEMBERED_CALLERS = 10_000
/** Headers that are longer are taken apart each time, so that nobody fills the memory with them. */
const REMEMBERED_LENGTH = 1_000

/** Remembers callers for as long as what they were identified by stands. */
export function createCallers({ store, tokens, roles, accounts, sessions, jwt }: CallersOptions): Callers {
  const callers = new LRUCache<string, Seen>({ max: REMEMBERED_CALLERS })
  const moment = () => momentOf(store, OWN_TABLES) + momentOf(store, accounts.tables())

  const PUBLIC: Principal = { kind: 'public' }
  let publicScope: { readonly moment: number; readonly scope: Scope } | null = null

  function scopeOfPublic(): Scope | Promise<Scope> {
    const now = store.tableVersion(PERMISSIONS)
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
    const now = store.globalVersion()
    if (seen.rightAt !== now) {
      if (seen.moment !== moment()) return null
      seen.rightAt = now
    }
    if (seen.caller.kind === 'token') tokens.recordUse(seen.caller.token.id)
    return seen.caller
  }

  async function identify(credential: string, authorization: string): Promise<Caller> {
    const now = moment()
    const token = await tokens.byHash(hashOf(credential))
    const [caller, expiresAt] = token
      ? [callerWithToken(token), token.expiresAt === null ? Infinity : Date.parse(token.expiresAt)]
      : await signedIn(credential)
    if (token) tokens.recordUse(token.id)
    if (authorization.length <= REMEMBERED_LENGTH)
      callers.set(authorization, { moment: now, rightAt: null, expiresAt, caller })
    return caller
  }

  async function signedIn(credential: string): Promise<[Caller, number]> {
    const claims = await jwt.verify(credential)
    if (!claims || (await sessions.isEnded(claims.session))) throw errors.unauthorized()
    const account = await accounts.byDocumentId(claims.account)
    if (!account || account.blocked || account.stamp !== claims.stamp) throw errors.unauthorized()
    const { id, documentId, role } = account
    const principal: Principal = { kind: 'user', id, documentId, role: role ?? '' }
    const permissions = role === null ? {} : await roles.permissionsOf(role)
    const scope = scopeOfPermissions(permissions, principal, account)
    return [{ kind: 'user', account, session: claims.session, scope }, claims.expiresAt]
  }

  return {
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

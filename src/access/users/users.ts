/**
 * Writes users: documents with additional rules. User names and e-mail addresses are unique, changes that must end a
 * user's sessions do so in the same transaction, and the accounts of those who use the admin app are protected.
 */

import type { Origin } from '../../documents/changes/origin.ts'
import type { Documents, RowRules, WriteRequest, Written } from '../../documents/documents.ts'
import { areCovered, canRead } from '../../documents/row-rules.ts'
import { errors } from '../../errors.ts'
import { ROLE, typeOf, USER } from '../../model/model.ts'
import type { AuthConfig } from '../../project/config/access-config.ts'
import { type Principal, type Scope, systemScope, systemScopeFor } from '../../query/scope.ts'
import type { Reads } from '../../reads/reads.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import type { AppAccess } from '../roles/app-access.ts'
import { ADMIN, type Roles } from '../roles/roles.ts'
import {
  type Account,
  type Accounts,
  hasInvisible,
  type Identifiers,
  normalizeEmail,
  normalizeName,
} from './accounts.ts'
import type { Codes } from './codes.ts'
import { passwordProblems } from './password-rules.ts'
import { createTeamProtection } from './team-protection.ts'

export type UserValues = Readonly<Record<string, unknown>>

/** Reads the written user in the transaction that wrote it. */
export type ReadWritten<Result> = (transaction: Transaction, documentId: string) => Promise<Result>

type Begin = (transaction: Transaction) => Promise<void>

/** On whose behalf users are written. */
export interface UserWriter {
  readonly scope: Scope
  /** Whether admins may be written. No scope grants this. */
  readonly isAdmin: boolean
  /** The request that causes the write. */
  readonly origin?: Origin
}

/** What users may change of their own account without a permission. */
export interface OwnChanges {
  readonly username?: unknown
  readonly email?: unknown
  readonly password?: string
  readonly confirmed?: true
}

export interface Users {
  /** A writer who may not assign roles creates users with the role of registered users; all others have to name one. */
  create<Result>(values: UserValues, by: UserWriter, read: ReadWritten<Result>): Promise<Result>
  update<Result>(
    account: Account,
    values: UserValues,
    by: UserWriter,
    read: ReadWritten<Result>,
  ): Promise<Result>
  /** For the authenticated owner of the account. `begin` runs first in the transaction, and may refuse the change. */
  updateOwn(account: Account, values: OwnChanges, origin?: Origin, begin?: Begin): Promise<void>
  remove(account: Account, by: UserWriter): Promise<void>
  /** Whether the account exists for the writer, who may change or at least read it. */
  existsFor(account: Account, by: UserWriter, action: 'update' | 'delete'): Promise<boolean>
  /** The rules of a caller, who cannot change the team through relations either, except as a member of it. */
  protectTeam(rules: RowRules, scope: Scope): RowRules
}

export interface UsersOptions {
  readonly documents: Documents
  readonly layout: () => Layout
  readonly reads: () => Reads
  readonly accounts: Accounts
  readonly codes: Codes
  readonly auth: AuthConfig
  /** Where users with a role may sign in, besides the content API. */
  readonly appAccessOf: (role: string | null) => AppAccess | null
  readonly roles: Pick<Roles, 'documentIdOf'>
}

/** A user with permission to write users may set these only if the permission names them in `fields`. */
const PRIVILEGED_FIELDS: readonly string[] = ['role', 'blocked', 'confirmed', 'provider']

/** Serializes writes of user names and e-mail addresses. */
const IDENTIFIERS_LOCK = 'octavo user identifiers'

const SYSTEM_WRITER: UserWriter = { scope: systemScope, isAdmin: true }

export function createUsers(options: UsersOptions): Users {
  const { documents, layout, reads, accounts, codes, auth, roles } = options
  const team = createTeamProtection(accounts, options.appAccessOf)

  function targetFor({ scope, isAdmin, origin }: UserWriter): WriteRequest {
    const type = typeOf(layout().model, USER)
    const own: RowRules = (other, action) => reads().rowRuleCheck(other, scope, action)
    const rules = isAdmin ? own : team.protect(own, scope.principal)
    return { type, status: 'published', locale: null, scope, rules, ...(origin && { origin }) }
  }

  function checkName({ username }: UserValues): void {
    if (typeof username !== 'string' || !hasInvisible(username)) return
    const message = 'username must not contain invisible characters'
    throw errors.invalidValues([{ path: ['username'], message }])
  }

  async function checkNotTaken(values: UserValues, self: string | null, transaction?: Transaction) {
    if (await accounts.areTaken(identifiersIn(values), self, transaction))
      throw errors.application('The user name or e-mail address is already taken')
  }

  /**
   * Checks before writing, so that the error is the same for user names and addresses, and again in the transaction,
   * because no index compares user names with e-mail addresses.
   */
  async function withUniqueIdentifiers<Result>(
    values: UserValues,
    self: string | null,
    write: (check: (transaction: Transaction, documentId: string) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    await checkNotTaken(values, self)
    const hasIdentifiers = Object.keys(identifiersIn(values)).length > 0
    try {
      return await write(async (transaction, documentId) => {
        if (!hasIdentifiers) return
        transaction.lock([IDENTIFIERS_LOCK])
        await checkNotTaken(values, documentId, transaction)
      })
    } catch (error) {
      // In a transaction: the write that has taken them may share a commit with this one, and is not visible to reads yet.
      await documents.transaction((transaction) => checkNotTaken(values, self, transaction))
      throw error
    }
  }

  /** In addition to the schema's minimum length, and after the other values: their errors are reported first. */
  async function checkPassword({ password, username, email }: UserValues, account?: Account): Promise<void> {
    if (typeof password !== 'string') return
    const names = [username, email, account?.username, account?.email]
    const problems = await passwordProblems(password, auth.password, names)
    if (problems.length > 0) throw errors.invalidValues(problems)
  }

  /** Revokes what a change makes invalid, in its transaction. */
  async function applyConsequences(
    transaction: Transaction,
    { documentId, email, confirmed, role }: Account,
    values: UserValues,
  ) {
    // Sessions of a user are not valid for an admin, nor the other way round.
    const adminChanges =
      'role' in values && ((await accounts.roleOf(transaction, documentId)) === ADMIN) !== (role === ADMIN)
    // Also when a user is unblocked: sessions from before stay revoked.
    if ('blocked' in values || adminChanges) accounts.endSessions(transaction, documentId)
    if ('password' in values || 'email' in values || 'blocked' in values || adminChanges)
      codes.deleteAll(transaction, documentId)
    // A new address must be confirmed, unless the same write sets `confirmed`. The account was read before the transaction:
    // if it was not confirmed then, another address may have been confirmed since.
    const isConfirmed = confirmed && values.email === email
    if (auth.confirmEmail && 'email' in values && !isConfirmed && !('confirmed' in values)) {
      await setQuietly(transaction, documentId, { confirmed: false })
    }
  }

  /** As part of the same change: hooks run once, for the whole of it. */
  const setQuietly = (transaction: Transaction, documentId: string, values: UserValues) =>
    documents.within(transaction).update(targetFor(SYSTEM_WRITER), documentId, values, async () => null)

  async function update<Result>(
    account: Account,
    values: UserValues,
    by: UserWriter,
    read: ReadWritten<Result>,
    begin: Begin = async () => {},
  ) {
    checkPrivilegedFields(values, by, 'update')
    checkName(values)
    const changes = normalizeValues(values)
    const { documentId } = account
    const target = targetFor(by)
    return withUniqueIdentifiers(changes, documentId, (check) =>
      documents.update(target, documentId, changes, async (transaction: Transaction) => {
        await begin(transaction)
        await check(transaction, documentId)
        await checkPassword(values, account)
        await applyConsequences(transaction, account, changes)
        if ('role' in changes || 'blocked' in changes)
          await team.checkAdminIsLeft(transaction, account, by.scope.principal)
        if ('role' in changes && (await accounts.roleOf(transaction, documentId)) === null)
          throw errors.invalidValues([{ path: ['role'], message: 'A user must have a role' }])
        return read(transaction, documentId)
      }),
    )
  }

  return {
    update,

    async create(values, by, read) {
      checkPrivilegedFields(values, by, 'create')
      if (isMissing(values.role) && mayAssignRoles(by))
        throw errors.invalidValues([{ path: ['role'], message: 'role is required' }])
      const role = isMissing(values.role) ? await roles.documentIdOf(auth.registration.role) : null
      checkName(values)
      return withUniqueIdentifiers(values, null, (check) =>
        documents.create(targetFor(by), normalizeValues(values), async (transaction, written: Written) => {
          await check(transaction, written.documentId)
          await checkPassword(values)
          if (role !== null) await setQuietly(transaction, written.documentId, { role })
          return read(transaction, written.documentId)
        }),
      )
    },

    protectTeam: (rules, { principal }) =>
      isAdminPrincipal(principal) ? rules : team.protect(rules, principal),

    async updateOwn(account, { username, email, password, confirmed }, origin, begin) {
      const values = {
        ...(username !== undefined && { username }),
        ...(email !== undefined && { email }),
        ...(password !== undefined && { password }),
        ...(confirmed && { confirmed }),
      }
      const { id, documentId, role } = account
      const scope = systemScopeFor({ kind: 'user', id, documentId, role: role ?? '' })
      const by = { scope, isAdmin: true, ...(origin && { origin }) }
      await update(account, values, by, async () => null, begin)
    },

    async remove(account, by) {
      await documents.transaction(async (transaction, within) => {
        await within.remove(targetFor(by), account.documentId, {})
        await team.checkAdminIsLeft(transaction, account, by.scope.principal)
      })
    },

    async existsFor({ documentId }, by, action) {
      const { scope } = by
      if (scope.may(USER, 'find') && !scope.rule(USER, 'find')?.filters) return true
      const request = targetFor(by)
      const { type } = request
      const version = { locale: '', published: true }
      return documents.transaction(async (transaction) => {
        const write = { transaction, request }
        const written: Written = { documentId, locale: '', status: 'published' }
        return (
          (await areCovered(write, type, [action], written)) || canRead(write, type, documentId, [version])
        )
      })
    },
  }
}

function isAdminPrincipal(principal: Principal): boolean {
  if (principal.kind === 'user') return principal.role === ADMIN
  return principal.kind === 'system' || (principal.kind === 'token' && principal.level === 'admin')
}

/** Those for whom `checkPrivilegedFields` makes no difference; tokens are restricted by their `fields` alone. */
const isPrivileged = ({ scope, isAdmin }: UserWriter) =>
  isAdmin || scope === systemScope || scope.principal.kind === 'token'

/** To refer to a role, a caller must be able to find it. */
function mayAssignRoles(by: UserWriter): boolean {
  if (!by.scope.may(ROLE, 'find')) return false
  const fields = by.scope.rule(USER, 'create')?.fields
  return fields ? fields.includes('role') : isPrivileged(by)
}

const isMissing = (value: unknown) => value === undefined || value === null

function checkPrivilegedFields(values: UserValues, by: UserWriter, action: 'create' | 'update'): void {
  if (isPrivileged(by)) return
  const { scope } = by
  const fields = scope.rule(USER, action)?.fields ?? []
  const key = PRIVILEGED_FIELDS.find((name) => name in values && !fields.includes(name))
  if (key) throw errors.invalidKey({ key, path: key, source: 'body' })
}

const identifiersIn = ({ username, email }: UserValues): Identifiers => ({
  ...(typeof username === 'string' && { username }),
  ...(typeof email === 'string' && { email }),
})

const normalizeValues = ({ username, email, ...rest }: UserValues): UserValues => ({
  ...rest,
  ...(username === undefined
    ? {}
    : { username: typeof username === 'string' ? normalizeName(username) : username }),
  ...(email === undefined ? {} : { email: typeof email === 'string' ? normalizeEmail(email) : email }),
})

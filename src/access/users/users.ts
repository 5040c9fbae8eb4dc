/**
 * Writing users: documents like others, with what makes them accounts kept right. A name or an address belongs to
 * one account, a change that should end a user's sessions ends them in the same transaction, and admins are made,
 * changed and removed by admins only.
 */
import type { Documents, RowRules, WriteRequest, Written } from '../../documents/documents.ts'
import { errors } from '../../errors.ts'
import { typeOf, USER } from '../../model/model.ts'
import type { AuthConfig } from '../../project/config/config.ts'
import { type Scope, systemScope } from '../../query/scope.ts'
import type { Reads } from '../../reads/reads.ts'
import type { Transaction } from '../../store/store.ts'
import type { Layout } from '../../store/tables/layout.ts'
import { ADMIN } from '../roles/roles.ts'
import { type Account, type Accounts, type Names, normalizeEmail, normalizeName } from './accounts.ts'
import type { Codes } from './codes.ts'

type Allowed = NonNullable<WriteRequest['allowed']>

export type UserValues = Readonly<Record<string, unknown>>

/** Reads the answer to a write in the transaction that wrote it. */
export type ReadBack<Result> = (transaction: Transaction, documentId: string) => Promise<Result>

/** For whom users are written. */
export interface UserWriter {
  readonly scope: Scope
  /** Whether they may make, change and remove admins. Nobody may by what their scope allows, however much that is. */
  readonly isAdmin: boolean
}

/** What people change of their own account by signing in, without anybody's permission. */
export interface OwnChanges {
  readonly password?: string
  readonly confirmed?: true
}

export interface Users {
  create<Result>(values: UserValues, by: UserWriter, read: ReadBack<Result>): Promise<Result>
  update<Result>(
    account: Account,
    values: UserValues,
    by: UserWriter,
    read: ReadBack<Result>,
  ): Promise<Result>
  /** Changes an account for its owner, who has shown that it is theirs. */
  updateOwn(account: Account, values: OwnChanges): Promise<void>
  remove(account: Account, by: UserWriter): Promise<void>
}

export interface UsersOptions {
  readonly documents: Documents
  readonly layout: () => Layout
  readonly reads: () => Reads
  readonly accounts: Accounts
  readonly codes: Codes
  readonly auth: AuthConfig
}

/** Decide what an account may do; a user who may write users sets them only where its fields name them. */
const DECISIVE: readonly string[] = ['role', 'blocked', 'confirmed', 'provider']

/** Locked by whoever writes names, until they are written. */
const NAMES = 'octavo names of users'

/** The server itself, when it changes an account for its owner. */
const SERVER: UserWriter = { scope: systemScope, isAdmin: true }

export function createUsers({ documents, layout, reads, accounts, codes, auth }: UsersOptions): Users {
  function targetFor(by: UserWriter, action: 'create' | 'update' | 'delete'): WriteRequest {
    const { scope } = by
    const type = typeOf(layout().model, USER)
    const rule = reads().rowRuleCheck(type, scope, action)
    const allowed = by.isAdmin ? rule : sparingAdmins(rule)
    const rules: RowRules = (other, what) => reads().rowRuleCheck(other, scope, what)
    return { type, status: 'published', locale: null, scope, rules, ...(allowed ? { allowed } : {}) }
  }

  /**
   * Covers no admin. Asked before a write and after it, under the lock of the document: neither does an admin change,
   * nor does somebody become one, whatever words the body uses for the role.
   */
  function sparingAdmins(rule: Allowed | null): Allowed {
    return async (transaction, written) =>
      (!rule || (await rule(transaction, written))) &&
      !(await accounts.hasRole(transaction, written.documentId, ADMIN))
  }

  async function refuseTaken(values: UserValues, self: string | null, transaction?: Transaction) {
    if (await accounts.areTaken(namesIn(values), self, transaction))
      throw errors.application('The user name or the e-mail address is already taken')
  }

  /**
   * Writes names that nobody has. They are looked for before, so that the refusal is the same for every name; afterwards,
   * because somebody may have come in between, and no index holds names against addresses.
   */
  async function withFreeNames<Result>(
    values: UserValues,
    self: string | null,
    write: (check: (transaction: Transaction, documentId: string) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    await refuseTaken(values, self)
    const isNamed = Object.keys(namesIn(values)).length > 0
    try {
      return await write(async (transaction, documentId) => {
        if (!isNamed) return
        transaction.lock([NAMES])
        await refuseTaken(values, documentId, transaction)
      })
    } catch (error) {
      await refuseTaken(values, self)
      throw error
    }
  }

  /** The schema has a least length too; the configuration may ask for more. */
  function refuseShort({ password }: UserValues): void {
    const least = auth.passwordMinLength
    if (typeof password === 'string' && password.length < least)
      throw errors.invalidValues([
        { path: ['password'], message: `password must have at least ${least} characters` },
      ])
  }

  /** What goes with a change, in its transaction. */
  async function follow(transaction: Transaction, { documentId, email, role }: Account, values: UserValues) {
    // What somebody held as a user is no key to the admin interface, nor the other way round.
    const crosses =
      'role' in values && (await accounts.hasRole(transaction, documentId, ADMIN)) !== (role === ADMIN)
    // Also when a user is let in again: what they held before the block stays worthless.
    if ('blocked' in values || crosses) accounts.endSessions(transaction, documentId)
    if ('password' in values || 'email' in values || 'blocked' in values || crosses)
      codes.deleteAll(transaction, documentId)
    // Another address is another to confirm, unless whoever changes it says that it is.
    if (auth.confirmEmail && 'email' in values && values.email !== email && !('confirmed' in values)) {
      const target = targetFor(SERVER, 'update')
      const unconfirmed = { confirmed: false }
      // Part of the change around it, which is what hooks are told of.
      const quietly = documents.within(transaction)
      await quietly.update(target, documentId, unconfirmed, async () => null)
    }
  }

  async function update<Result>(
    account: Account,
    values: UserValues,
    by: UserWriter,
    read: ReadBack<Result>,
  ) {
    refuseDecisive(values, by, 'update')
    refuseShort(values)
    const changes = stored(values)
    const { documentId } = account
    const target = targetFor(by, 'update')
    return withFreeNames(changes, documentId, (check) =>
      documents.update(target, documentId, changes, async (transaction: Transaction) => {
        await check(transaction, documentId)
        await follow(transaction, account, changes)
        return read(transaction, documentId)
      }),
    )
  }

  return {
    update,

    async create(values, by, read) {
      refuseDecisive(values, by, 'create')
      refuseShort(values)
      return withFreeNames(values, null, (check) =>
        documents.create(targetFor(by, 'create'), stored(values), async (transaction, written: Written) => {
          await check(transaction, written.documentId)
          return read(transaction, written.documentId)
        }),
      )
    },

    async updateOwn(account, { password, confirmed }) {
      const values = { ...(password !== undefined && { password }), ...(confirmed && { confirmed }) }
      await update(account, values, SERVER, async () => null)
    },

    async remove(account, by) {
      await documents.remove(targetFor(by, 'delete'), account.documentId, {})
    },
  }
}

function refuseDecisive(
  values: UserValues,
  { scope, isAdmin: admin }: UserWriter,
  action: 'create' | 'update',
): void {
  if (admin || scope === systemScope || scope.principal.kind === 'token') return
  const fields = scope.rule(USER, action)?.fields ?? []
  const key = DECISIVE.find((name) => name in values && !fields.includes(name))
  if (key) throw errors.invalidKey({ key, path: key, source: 'body' })
}

const namesIn = ({ username, email }: UserValues): Names => ({
  ...(typeof username === 'string' && { username }),
  ...(typeof email === 'string' && { email }),
})

const stored = ({ username, email, ...rest }: UserValues): UserValues => ({
  ...rest,
  ...(username === undefined
    ? {}
    : { username: typeof username === 'string' ? normalizeName(username) : username }),
  ...(email === undefined ? {} : { email: typeof email === 'string' ? normalizeEmail(email) : email }),
})

/**
 * Writing users: documents like others, with what makes them accounts kept right. A name or an address belongs to
 * one account, and a change that should end a user's sessions ends them in the same transaction.
 */
import type { Documents, Rules, Written } from '../documents/documents.ts'
import { errors } from '../errors.ts'
import { typeOf, USER } from '../model/model.ts'
import type { AuthConfig } from '../project/config.ts'
import type { Reads } from '../query/reads.ts'
import { type Scope, systemScope } from '../query/scope.ts'
import type { Layout } from '../store/layout.ts'
import type { Transaction } from '../store/store.ts'
import { type Account, type Accounts, storedEmail, storedName } from './accounts.ts'
import type { Codes } from './codes.ts'

export type UserValues = Readonly<Record<string, unknown>>

/** Reads the answer to a write in the transaction that wrote it. */
export type ReadBack<Result> = (transaction: Transaction, documentId: string) => Promise<Result>

export interface Users {
  create<Result>(values: UserValues, scope: Scope, read: ReadBack<Result>): Promise<Result>
  update<Result>(account: Account, values: UserValues, scope: Scope, read: ReadBack<Result>): Promise<Result>
  remove(account: Account, scope: Scope): Promise<void>
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

export function createUsers({ documents, layout, reads, accounts, codes, auth }: UsersOptions): Users {
  function targetFor(scope: Scope, action: 'create' | 'update' | 'delete') {
    const type = typeOf(layout().model, USER)
    const allowed = reads().ruleOf(type, scope, action)
    const rules: Rules = (other, what) => reads().ruleOf(other, scope, what)
    return { type, status: 'published' as const, locale: null, scope, rules, ...(allowed ? { allowed } : {}) }
  }

  async function refuseTaken({ username, email }: UserValues, self: Account | null): Promise<void> {
    const holders = await Promise.all([
      typeof username === 'string' ? accounts.byUsername(username) : null,
      typeof email === 'string' ? accounts.byEmail(email) : null,
    ])
    if (holders.some((holder) => holder !== null && holder.documentId !== self?.documentId))
      throw errors.application('The user name or the e-mail address is already taken')
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
  async function follow(transaction: Transaction, { documentId, email }: Account, values: UserValues) {
    // Also when a user is let in again: what they held before the block stays worthless.
    if ('blocked' in values) await accounts.endSessions(transaction, documentId)
    if ('password' in values || 'email' in values || 'blocked' in values)
      await codes.forget(transaction, documentId)
    // Another address is another to confirm, unless whoever changes it says that it is.
    if (auth.confirmEmail && 'email' in values && values.email !== email && !('confirmed' in values)) {
      const target = targetFor(systemScope, 'update')
      const unconfirmed = { confirmed: false }
      // Part of the change around it, which is what hooks are told of.
      const quietly = documents.within(transaction, () => undefined)
      await quietly.update(target, documentId, unconfirmed, {}, async () => null)
    }
  }

  return {
    async create(values, scope, read) {
      refuseDecisive(values, scope, 'create')
      refuseShort(values)
      await refuseTaken(values, null)
      return documents.create(targetFor(scope, 'create'), stored(values), (transaction, written: Written) =>
        read(transaction, written.documentId),
      )
    },

    async update(account, values, scope, read) {
      refuseDecisive(values, scope, 'update')
      refuseShort(values)
      const changes = stored(values)
      await refuseTaken(changes, account)
      const { documentId } = account
      return documents.update(
        targetFor(scope, 'update'),
        documentId,
        changes,
        {},
        async (transaction: Transaction) => {
          await follow(transaction, account, changes)
          return read(transaction, documentId)
        },
      )
    },

    async remove(account, scope) {
      await documents.remove(targetFor(scope, 'delete'), account.documentId, {})
    },
  }
}

function refuseDecisive(values: UserValues, scope: Scope, action: 'create' | 'update'): void {
  if (scope === systemScope || scope.principal.kind === 'token') return
  const fields = scope.rule(USER, action)?.fields ?? []
  const key = DECISIVE.find((name) => name in values && !fields.includes(name))
  if (key) throw errors.invalidKey({ key, path: key, source: 'body' })
}

const stored = ({ username, email, ...rest }: UserValues): UserValues => ({
  ...rest,
  ...(username === undefined
    ? {}
    : { username: typeof username === 'string' ? storedName(username) : username }),
  ...(email === undefined ? {} : { email: typeof email === 'string' ? storedEmail(email) : email }),
})

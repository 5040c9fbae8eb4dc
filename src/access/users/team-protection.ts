/** Protects the accounts of people who use the admin app: callers who may do less there cannot write them, and one admin always remains. */
import type { ReadAction } from '../../documents/contract.ts'
import type { RowRule, RowRules } from '../../documents/documents.ts'
import { errors } from '../../errors.ts'
import { USER } from '../../model/model.ts'
import type { Principal } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import type { AppAccess } from '../roles/app-access.ts'
import { ADMIN } from '../roles/roles.ts'
import type { Account, Accounts } from './accounts.ts'

export interface TeamProtection {
  /** The same rules, except that they never cover a write to a user who may do more in the admin app than the writer. */
  protect(rules: RowRules, writer: Principal): RowRules
  /** Refuses a change of an account that leaves no admin who can sign in. To be called after it, in its transaction. */
  checkAdminIsLeft(transaction: Transaction, changed: Account, writer: Principal): Promise<void>
}

const READS: ReadonlySet<string> = new Set<ReadAction>(['find', 'findOne', 'readDrafts'])

const ADMINS_LOCK = 'octavo admins'

/** `appAccessOf` says where users with a role may sign in, besides the content API. */
export function createTeamProtection(
  accounts: Pick<Accounts, 'roleOf' | 'haveActive'>,
  appAccessOf: (role: string | null) => AppAccess | null,
): TeamProtection {
  /** Full access to the content includes all that the app allows. */
  function mayUseApp(writer: Principal): boolean {
    if (writer.kind === 'user') return appAccessOf(writer.role) !== null
    return writer.kind === 'system' || (writer.kind === 'token' && writer.level !== undefined)
  }

  /**
   * Rejects documents of users with a protected role. It is evaluated before and after a write, under the lock of the
   * document, so neither can such a user be changed nor another one become one, however the body names the role.
   */
  function excluding(isProtected: (role: string | null) => boolean, rule: RowRule | null): RowRule {
    return async (transaction, written) =>
      (!rule || (await rule(transaction, written))) &&
      !isProtected(await accounts.roleOf(transaction, written.documentId))
  }

  return {
    protect(rules, writer) {
      const isInTeam = mayUseApp(writer)
      const isProtected = (role: string | null) => role === ADMIN || (!isInTeam && appAccessOf(role) !== null)
      return (type, action) => {
        const rule = rules(type, action)
        return type.uid === USER && !READS.has(action) ? excluding(isProtected, rule) : rule
      }
    },

    // A server without an admin could be claimed by whoever reads its log.
    async checkAdminIsLeft(transaction, { role }, writer) {
      // On the command line, all admins can be removed.
      if (role !== ADMIN || writer.kind === 'system') return
      // Two admins who remove each other must not both count on the other one.
      transaction.lock([ADMINS_LOCK])
      if (!(await accounts.haveActive(transaction, ADMIN))) throw errors.application('This is the only admin')
    },
  }
}

/** Admins: users with the role `admin`. Only the admin API and the command line can manage them. */
import { errors } from '../../errors.ts'
import type { Actor } from '../../events/audit/audit-record.ts'
import { systemScopeFor } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import { ADMIN, AUTHENTICATED, type Roles } from '../roles/roles.ts'
import type { Account, Accounts } from './accounts.ts'
import type { Users, UserValues, UserWriter } from './users.ts'

export interface Admins {
  list(): Promise<readonly Account[]>
  /** The e-mail address is confirmed unless the values say otherwise. `within` runs in the transaction and may refuse. */
  create(
    values: UserValues,
    actor: Actor,
    within?: (transaction: Transaction) => Promise<void>,
  ): Promise<Account>
  update(admin: Account, values: UserValues, actor: Actor): Promise<Account>
  /** Gives the admin the role `authenticated`. */
  demote(admin: Account, actor: Actor): Promise<Account>
  /** Deletes the account. */
  remove(admin: Account, actor: Actor): Promise<void>
}

/** An admin, or the server, who may write admins. */
export const adminWriter = ({ by, origin }: Actor): UserWriter => ({
  scope: systemScopeFor(by),
  isAdmin: true,
  ...(origin && { origin }),
})

export function createAdmins(roles: Roles, accounts: Accounts, users: Users): Admins {
  async function documentOf(role: string): Promise<string> {
    await roles.createMissing([])
    const documentId = await roles.documentIdOf(role)
    if (documentId === null) throw new Error(`There is no role ${role}`)
    return documentId
  }

  async function accountOf(documentId: string): Promise<Account> {
    const account = await accounts.byDocumentId(documentId)
    if (!account) throw errors.notFound()
    return account
  }

  async function update(admin: Account, values: UserValues, actor: Actor): Promise<Account> {
    await users.update(admin, values, adminWriter(actor), async () => null)
    return accountOf(admin.documentId)
  }

  return {
    update,

    list: () => accounts.withRole(ADMIN),

    async create(values, actor, within = async () => {}) {
      const complete = { confirmed: true, ...values, role: await documentOf(ADMIN) }
      const documentId = await users.create(complete, adminWriter(actor), async (transaction, created) => {
        await within(transaction)
        return created
      })
      return accountOf(documentId)
    },

    async demote(admin, actor) {
      return update(admin, { role: await documentOf(AUTHENTICATED) }, actor)
    },

    remove: (admin, actor) => users.remove(admin, adminWriter(actor)),
  }
}

/** The first admin of a new server is created with a token that the server prints, so that no other caller can claim the server. */
import type { Origin } from '../../documents/changes/origin.ts'
import { errors } from '../../errors.ts'
import type { Actor } from '../../events/audit/audit-record.ts'
import type { Account } from '../users/accounts.ts'
import type { Admins } from '../users/admins.ts'
import type { Codes } from '../users/codes.ts'

export interface Setup {
  /** Whether there is no admin yet. */
  isNeeded(): Promise<boolean>
  /** A new token, which invalidates the one before; null when there is an admin. */
  createToken(): Promise<string | null>
  /** Creates the first admin; throws when the token is invalid or there is an admin. */
  complete(token: string, values: NewAdmin, origin?: Origin): Promise<Account>
}

export interface NewAdmin {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** Codes belong to accounts; this one to an account that does not exist yet. */
const FIRST_ADMIN = 'first admin'
const LIFETIME_MINUTES = 24 * 60

export function createSetup(admins: Admins, codes: Codes): Setup {
  const isNeeded = async () => (await admins.list()).length === 0
  const invalid = () =>
    errors.invalid('The setup link is invalid, expired or already used; restart the server for a new one')
  return {
    isNeeded,

    async createToken() {
      return (await isNeeded()) ? codes.create(FIRST_ADMIN, 'setup', LIFETIME_MINUTES) : null
    },

    async complete(token, { username, email, password }, origin) {
      if (!(await isNeeded())) throw invalid()
      const actor: Actor = { by: { kind: 'public' }, origin: origin ?? null }
      return admins.create({ username, email, password }, actor, async (transaction) => {
        if ((await codes.useIn(transaction, token, 'setup')) === null) throw invalid()
      })
    },
  }
}

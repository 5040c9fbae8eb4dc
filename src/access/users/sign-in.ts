/** Signing in with a password. Every refusal takes the same time and says the same, whoever is asked for. */
import { errors } from '../../errors.ts'
import type { Config } from '../../project/config/config.ts'
import { verifyPassword } from '../credentials/password.ts'
import { addressKey, createLimit, type SharedCounts } from '../credentials/rate-limit.ts'
import type { Account, Accounts } from './accounts.ts'

export interface SignIn {
  /** The account whose identifier and password these are; refused when blocked or not confirmed. */
  withPassword(identifier: string, password: string, address: string): Promise<Account>
  /** Whether this is the account's password; attempts are counted for the account. */
  confirmPassword(account: Account, password: string, address: string): Promise<boolean>
  /** Refuses an account that may not sign in now. */
  checkMaySignIn(account: Account): void
  /**
   * Counts an attempt from an address, and at an identifier when there is one; refuses with 429 past the limits.
   * Attempts that yield something are not held against anybody.
   */
  countAttempt<Result>(at: Attempt, work: () => Promise<Result | null>): Promise<Result | null>
}

export interface Attempt {
  readonly address: string
  readonly identifier?: string
}

export function createSignIn(
  accounts: Accounts,
  { auth, rateLimit }: Config,
  counts: SharedCounts | undefined,
): SignIn {
  const { windowSeconds, perIdentifier, perAddress } = rateLimit.signIn
  const identifierLimit = createLimit(perIdentifier, windowSeconds, Date.now, { name: 'identifier', counts })
  const addressLimit = createLimit(perAddress, windowSeconds, Date.now, { name: 'address', counts })

  async function attempt<Result>(
    { address, identifier }: Attempt,
    work: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const from = addressKey(address)
    const counts = [
      { limit: addressLimit, key: from },
      ...(identifier === undefined
        ? []
        : [{ limit: identifierLimit, key: `${from} ${identifierKey(identifier)}` }]),
    ]
    // Counted first and given back later, so that many attempts at the same time are held back too.
    for (const { limit, key } of counts) limit.take(key)
    const result = await work()
    if (result !== null) for (const { limit, key } of counts) limit.giveBack(key)
    return result
  }

  function admit(account: Account): void {
    if (account.blocked) throw errors.application('This account is blocked')
    if (auth.confirmEmail && !account.confirmed)
      throw errors.application('The e-mail address of this account is not confirmed yet')
  }

  return {
    checkMaySignIn: admit,
    countAttempt: attempt,

    async withPassword(identifier, password, address) {
      const account = await attempt({ address, identifier }, async () => {
        const found = await accounts.byIdentifier(identifier)
        return (await verifyPassword(password, found?.passwordHash ?? null)) ? found : null
      })
      if (!account) throw errors.invalid('The identifier or the password is wrong')
      admit(account)
      return account
    },

    async confirmPassword(account, password, address) {
      const identifier = `account ${account.documentId}`
      const right = await attempt({ address, identifier }, async () =>
        (await verifyPassword(password, account.passwordHash)) ? account : null,
      )
      return right !== null
    },
  }
}

/** Different spellings of one identifier count together. */
const identifierKey = (identifier: string) => identifier.normalize('NFKC').trim().toLowerCase().slice(0, 256)

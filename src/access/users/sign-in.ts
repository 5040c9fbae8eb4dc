/** Signing in with a password. Failures take the same time and give the same message whether or not the account exists. */
import { errors } from '../../errors.ts'
import type { Config } from '../../project/config/config.ts'
import { isBcryptHash } from '../credentials/bcrypt.ts'
import { hashPassword, verifyPassword } from '../credentials/password.ts'
import { createRateLimit, rateLimitKeyOf, type SharedCounts } from '../credentials/rate-limit.ts'
import type { Account, Accounts } from './accounts.ts'

export interface SignIn {
  /** Throws for a wrong password and for an account that is blocked or not confirmed. */
  withPassword(identifier: string, password: string, address: string): Promise<Account>
  /** Attempts count towards the rate limit of the account. */
  confirmPassword(account: Account, password: string, address: string): Promise<boolean>
  /** Throws when the account is blocked or not confirmed. */
  checkMaySignIn(account: Account): void
  /** Counts an attempt per address and per identifier; throws a 429 beyond the limits. Successful work is not counted. */
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
  const { passwordMemory: memory } = auth
  const { windowSeconds, perIdentifier, perAddress } = rateLimit.signIn
  const identifierLimit = createRateLimit(perIdentifier, windowSeconds, Date.now, {
    name: 'identifier',
    counts,
  })
  const addressLimit = createRateLimit(perAddress, windowSeconds, Date.now, { name: 'address', counts })

  async function attempt<Result>(
    { address, identifier }: Attempt,
    work: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const from = rateLimitKeyOf(address)
    const limits = [
      { limit: addressLimit, key: from },
      ...(identifier === undefined
        ? []
        : [{ limit: identifierLimit, key: `${from} ${identifierKey(identifier)}` }]),
    ]
    // Counted first and refunded later, so that concurrent attempts are limited too.
    for (const { limit, key } of limits) limit.count(key)
    const result = await work()
    if (result !== null) for (const { limit, key } of limits) limit.refund(key)
    return result
  }

  let mayHaveBcrypt = true

  /** Once no account has a bcrypt hash, none gets one while the server runs. */
  async function isCorrect(password: string, hash: string | null): Promise<boolean> {
    if (mayHaveBcrypt) mayHaveBcrypt = await accounts.haveBcryptHashes()
    return verifyPassword(password, hash, { memory, alsoBcrypt: mayHaveBcrypt })
  }

  /** The account with a hash of the current kind, which replaces the one of an import. */
  async function withCurrentHash(account: Account, password: string): Promise<Account> {
    if (!isBcryptHash(account.passwordHash)) return account
    return (await accounts.renewPasswordHash(account, await hashPassword(password, { memory }))) ?? account
  }

  function admit(account: Account): void {
    if (account.blocked) throw errors.application('This account is blocked')
    if (auth.confirmEmail && !account.confirmed)
      throw errors.application('The e-mail address of this account is not confirmed')
  }

  return {
    checkMaySignIn: admit,
    countAttempt: attempt,

    async withPassword(identifier, password, address) {
      const account = await attempt({ address, identifier }, async () => {
        const found = await accounts.byIdentifier(identifier)
        return (await isCorrect(password, found?.passwordHash ?? null)) ? found : null
      })
      if (!account) throw errors.invalid('Invalid identifier or password')
      admit(account)
      return withCurrentHash(account, password)
    },

    async confirmPassword(account, password, address) {
      const identifier = `account ${account.documentId}`
      const confirmed = await attempt({ address, identifier }, async () =>
        (await isCorrect(password, account.passwordHash)) ? account : null,
      )
      return confirmed !== null
    },
  }
}

/** Different spellings of an identifier share one limit. */
const identifierKey = (identifier: string) => identifier.normalize('NFKC').trim().toLowerCase().slice(0, 256)

/** Signing in with a password. Failures take the same time and give the same message whether or not the account exists. */
import { hash } from 'node:crypto'
import { errors } from '../../errors.ts'
import type { Config } from '../../project/config/config.ts'
import { createFairShare } from '../../store/reads/fair-share.ts'
import { isBcryptHash } from '../credentials/bcrypt.ts'
import { hashPassword, verifyPassword } from '../credentials/password.ts'
import { createRateLimit, rateLimitKeyOf, type SharedCounts } from '../credentials/rate-limit.ts'
import type { AccountLimit } from './account-limit.ts'
import type { Account, Accounts } from './accounts.ts'

export interface SignIn {
  /** Failures count towards the limit of the account. Throws for a wrong password and for an account that is blocked or not confirmed. */
  withPassword(identifier: string, password: string, address: string): Promise<Account>
  /** Failures count in the same way. */
  confirmPassword(account: Account, password: string, address: string): Promise<boolean>
  /** After a sign-in without a password: failed attempts from elsewhere do not keep the user out at this address. */
  rememberAddress(account: Account, address: string): Promise<void>
  /** Throws when the account is blocked or not confirmed. */
  checkMaySignIn(account: Account): void
  /** Counts an attempt per address and per identifier; throws a 429 beyond the limits. Successful work is not counted. */
  countAttempt<Result>(at: Attempt, work: () => Promise<Result | null>): Promise<Result | null>
  /** Runs work that hashes a password when it is the turn of its address, so that many attempts from one address do not delay others. */
  inTurn<Result>(address: string, work: () => Promise<Result>): Promise<Result>
}

export interface Attempt {
  readonly address: string
  readonly identifier?: string
}

/** Four passwords are hashed at a time, but only two of one address. */
const TURNS = { size: 4, maxWaiting: 200, waitTimeout: 20_000, name: 'sign-ins' }

export function createSignIn(
  accounts: Accounts,
  { auth, rateLimit }: Config,
  counts: SharedCounts | undefined,
  accountLimit: AccountLimit,
): SignIn {
  const { passwordMemory: memory } = auth
  const { windowSeconds, perIdentifier, perAddress } = rateLimit.signIn
  const identifierLimit = createRateLimit(perIdentifier, windowSeconds, Date.now, {
    name: 'identifier',
    counts,
  })
  const addressLimit = createRateLimit(perAddress, windowSeconds, Date.now, { name: 'address', counts })

  const turns = createFairShare(TURNS)
  const inTurn: SignIn['inTurn'] = (address, work) =>
    turns.run({ caller: () => rateLimitKeyOf(address), isDisconnected: () => false }, work)

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

  const nameOf = ({ documentId }: Account) => `account ${documentId}`

  /** The account, if the password is right. An identifier without an account is limited like one that has an account. */
  async function verify(
    account: Account | null,
    identifier: string,
    password: string,
    address: string,
  ): Promise<Account | null> {
    const name = account ? nameOf(account) : `identifier ${identifierKey(identifier)}`
    const from = rateLimitKeyOf(address)
    const counted = await accountLimit.count(name, from)
    if (!(await isCorrect(password, account?.passwordHash ?? null))) return null
    await accountLimit.succeed(name, from, counted)
    return account
  }

  function admit(account: Account): void {
    if (account.blocked) throw errors.application('This account is blocked')
    if (auth.confirmEmail && !account.confirmed)
      throw errors.application('The e-mail address of this account is not confirmed')
  }

  return {
    checkMaySignIn: admit,
    countAttempt: attempt,
    inTurn,

    async withPassword(identifier, password, address) {
      const account = await attempt({ address, identifier }, () =>
        inTurn(address, async () => {
          const found = await accounts.byIdentifier(identifier)
          return verify(found, identifier, password, address)
        }),
      )
      if (!account) throw errors.invalid('Invalid identifier or password')
      admit(account)
      return withCurrentHash(account, password)
    },

    async confirmPassword(account, password, address) {
      const identifier = nameOf(account)
      const confirmed = await attempt({ address, identifier }, () =>
        inTurn(address, () => verify(account, identifier, password, address)),
      )
      return confirmed !== null
    },

    rememberAddress: (account, address) =>
      accountLimit.succeed(nameOf(account), rateLimitKeyOf(address), { isCounted: false }),
  }
}

/** Different spellings of an identifier share one limit. A hash, so that no long identifier stays in memory with its limit. */
const identifierKey = (identifier: string) =>
  hash('sha256', identifier.normalize('NFKC').trim().toLowerCase().slice(0, 256), 'base64url')
